import SKANDevice
import SKANReceive
import SKANSigning

extension PostbackVerdict.Outcome: ExplainedCode {
  static var kind: CodeKind { .postback }
  var code: String { rawValue }
  var roleText: String { "verdict on a postback's signature" }

  var explanation: CodeExplanation {
    switch self {
    case .valid: PostbackTexts.valid
    case .invalid: PostbackTexts.invalid
    case .malformed: PostbackTexts.malformed
    case .notChecked: PostbackTexts.notChecked
    }
  }
}

extension VerifyNote: ExplainedCode {
  static var kind: CodeKind { .postback }
  var code: String { rawValue }
  var roleText: String { "note of skan verify" }

  var explanation: CodeExplanation {
    switch self {
    case .valuesNotSigned: PostbackTexts.valuesNotSigned
    case .transactionRepeated: PostbackTexts.transactionRepeated
    case .receivedBefore: PostbackTexts.receivedBefore
    }
  }
}

extension ReceivedSignature.Key: ExplainedCode {
  static var kind: CodeKind { .postback }
  var code: String { rawValue }
  var roleText: String { "whose key signed a received postback" }
  var trace: String { "\"key\":\"\(rawValue)\"" }

  var explanation: CodeExplanation {
    switch self {
    case .apple: PostbackTexts.apple
    case .development: PostbackTexts.development
    case .simulated: PostbackTexts.simulated
    }
  }
}

extension Repetition: ExplainedCode {
  static var kind: CodeKind { .postback }
  var code: String { rawValue }
  var roleText: String { "how a received postback compares with those before" }

  var explanation: CodeExplanation {
    switch self {
    case .first: PostbackTexts.first
    case .duplicate: PostbackTexts.duplicate
    case .conflict: PostbackTexts.conflict
    }
  }
}

extension Postback.State: ExplainedCode {
  static var kind: CodeKind { .postback }
  var code: String { rawValue }
  var roleText: String { "state of a simulated postback" }
  var trace: String { "\"state\":\"\(rawValue)\"" }

  var explanation: CodeExplanation {
    switch self {
    case .open: PostbackTexts.open
    case .scheduled: PostbackTexts.scheduled
    case .sent: PostbackTexts.sent
    case .notSent: PostbackTexts.notSent
    }
  }
}

/// The texts of verdicts, findings and states of postbacks, by topic.
enum PostbackTexts {
  static let folder = "fixtures/postbacks"
  static let apples = "\(folder)/apple-4.0-fine.json"
  static let simulatedFile = "\(folder)/simulated-4.0-first.json"
  static let keyOption = "--key \(folder)/simulated-public.pem"
}
