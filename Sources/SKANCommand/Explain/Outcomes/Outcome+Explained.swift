import SKANDevice

extension Outcome: ExplainedCode {
  static var kind: CodeKind { .outcome }

  var code: String { name }

  var roleText: String { "outcome of a step" }

  var explanation: CodeExplanation {
    switch self {
    case .registered: OutcomeTexts.registered
    case .alreadyRegistered: OutcomeTexts.alreadyRegistered
    case .updated: OutcomeTexts.updated
    case .frameworkError: OutcomeTexts.frameworkError
    case .noUpdate: OutcomeTexts.noUpdate
    case .serverError: OutcomeTexts.serverError
    case .unparsable: OutcomeTexts.unparsable
    case .illegalValues: OutcomeTexts.illegalValues
    case .transportError: OutcomeTexts.transportError
    case .windowOver: OutcomeTexts.windowOver
    case .notRegistered: OutcomeTexts.notRegistered
    case .blocked: OutcomeTexts.blocked
    case .notHigher: OutcomeTexts.notHigher
    case .iosTooOld: OutcomeTexts.iosTooOld
    case .crashed: OutcomeTexts.crashed
    case .added: OutcomeTexts.added
    case .ignored: OutcomeTexts.ignored
    case .read: OutcomeTexts.read
    case .relaunched: OutcomeTexts.relaunched
    case .set: OutcomeTexts.set
    case .forwarded: OutcomeTexts.forwarded
    }
  }
}

/// The texts of outcomes, by topic.
enum OutcomeTexts {}
