import SKANSigning

/// What is known beside a received postback itself: the models of apps, and the campaigns of networks.
package struct PostbackContext: Sendable {
  package var models: DecodingModels
  /// Nil when there is no map.
  package var campaigns: CampaignMap?

  package init(models: DecodingModels = DecodingModels(), campaigns: CampaignMap? = nil) {
    self.models = models
    self.campaigns = campaigns
  }

  /// Adds to a record what its postback means, and whose it is.
  func add(to record: inout ReceivedRecord, of document: PostbackDocument) {
    let isDevelopment = record.signature.key == .development
    record.decoded = models.decode(document, receivedAt: record.receivedAt, isDevelopment: isDevelopment)
    switch campaigns?.campaign(of: document, receivedAt: record.receivedAt, isDevelopment: isDevelopment) {
    case .match(let campaign): record.campaign = campaign
    case .finding(let code, let message):
      record.findings.append(ReceivedRecord.Finding(code: code.rawValue, message: message))
    case nil: break
    }
  }
}
