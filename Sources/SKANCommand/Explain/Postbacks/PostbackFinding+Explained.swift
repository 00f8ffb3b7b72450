import SKANDevice

extension PostbackFinding.Code: ExplainedCode {
  static var kind: CodeKind { .postback }
  var code: String { rawValue }
  var roleText: String { "finding about a received postback" }

  var explanation: CodeExplanation {
    switch self {
    case .addedKeys: PostbackTexts.addedKeys
    case .mistypedKey: PostbackTexts.mistypedKey
    case .otherVersion: PostbackTexts.otherVersion
    case .nullField: PostbackTexts.nullField
    case .fieldMissing: PostbackTexts.fieldMissing
    case .fieldForm: PostbackTexts.fieldForm
    case .sourceFilledIn: PostbackTexts.sourceFilledIn
    case .bothSources: PostbackTexts.bothSources
    case .bothValues: PostbackTexts.bothValues
    case .notInLaterPostback: PostbackTexts.notInLaterPostback
    case .notOfNonWinner: PostbackTexts.notOfNonWinner
    case .domainOfView: PostbackTexts.domainOfView
    case .notBesideCoarse: PostbackTexts.notBesideCoarse
    case .transactionConflict: PostbackTexts.transactionConflict
    case .campaignUnknown: PostbackTexts.campaignUnknown
    case .campaignAmbiguous: PostbackTexts.campaignAmbiguous
    }
  }
}
