import SKANDevice

extension PostbackContent {
  /// The same, signed by the tester's own key.
  package func signed(with key: PrivateKey, _ tool: SignatureTool) throws(SigningError) -> PostbackContent {
    var copy = self
    copy.signature = try tool.sign(Array(signedText.utf8), with: key)
    return copy
  }
}
