import SKANSigning

/// What is known beside a received postback itself: the models of apps.
package struct PostbackContext: Sendable {
  package var models: DecodingModels

  package init(models: DecodingModels = DecodingModels()) { self.models = models }

  /// Adds to a record what its postback means.
  func add(to record: inout ReceivedRecord, of document: PostbackDocument) {
    record.decoded = models.decode(
      document, receivedAt: record.receivedAt, isDevelopment: record.signature.key == .development)
  }
}
