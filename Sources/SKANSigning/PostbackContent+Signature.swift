import SKANDevice

extension PostbackContent {
  /// The same, signed by the tester's own key.
  package func signed(with key: PrivateKey, _ tool: SignatureTool) throws(SigningError) -> PostbackContent {
    var copy = self
    copy.signature = try tool.sign(Array(signedText.utf8), with: key)
    return copy
  }

  /// Whether the signature is of these fields by this key. Without one it is not.
  package func verdict(by key: PublicKey, _ tool: SignatureTool) throws(SigningError) -> SignatureVerdict {
    try tool.verify(Array(signedText.utf8), signature: signature ?? "", by: key)
  }
}
