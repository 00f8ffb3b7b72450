import SKANDevice

extension ReceivedPostback {
  /// Whether its signature is of its fields by this key. Without one it is not.
  ///
  /// - Returns: the verdict, and whether it is of the fields without a source that stands for none.
  package func verdict(
    by key: PublicKey, _ tool: SignatureTool
  ) throws(SigningError) -> (verdict: SignatureVerdict, isWithoutSource: Bool) {
    if let obstacle { return (.invalid(.cannotFit(obstacle)), false) }
    let verdict = try tool.verify(Array(signedText.utf8), signature: signature ?? "", by: key)
    guard verdict == .invalid(.doesNotFit), let shorter = signedTextWithoutSource else { return (verdict, false) }
    let second = try tool.verify(Array(shorter.utf8), signature: signature ?? "", by: key)
    return second == .valid ? (second, true) : (verdict, false)
  }
}
