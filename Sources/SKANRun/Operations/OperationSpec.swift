import SKANDevice
import SKANBase

/// One operation of event lists: its name, its keys, how it is read and written, and what it leaves in the history. How
/// it runs is in ``StepRunner``.
///
/// Each operation is one row; ``all`` lists them, and ``Step/Operation/spec`` gives the row of a step.
struct OperationSpec: Sendable {
  /// Reads the operation's own members into a step, of which everything else is read. Problems stay in the reader.
  typealias Decode = @Sendable (inout JSONObjectReader, inout Step) -> Void
  /// Adds the operation's own members, those at their default left out.
  typealias Encode = @Sendable (Step.Operation, inout StepWriter) -> Void
  /// What an install's history keeps of it; nil for nothing.
  typealias History = @Sendable (Step.Operation) -> LifeEvent.Kind?

  /// The value of `op`.
  let name: String
  /// What a step is called in a message.
  let subject: StaticString
  /// The keys that a step may have.
  let allowed: JSONKeys.Subset
  /// Whether it is about a phone; only an included list is not.
  let takesPhone: Bool
  let decode: Decode
  let encode: Encode
  let history: History

  /// - Parameters:
  ///   - common: the keys that it shares with other operations.
  ///   - keys: its own keys.
  ///   - profileKeys: those of a phone's profile among its own keys.
  init(
    _ name: String, _ subject: StaticString, common: [StepKey] = StepKey.common, keys: [StepKey] = [],
    profileKeys: [String] = [], decode: @escaping Decode, encode: @escaping Encode = { _, _ in },
    history: @escaping History = { _ in nil }
  ) {
    self.name = name
    self.subject = subject
    takesPhone = common.contains(.device)
    allowed = JSONKeys.Subset(
      (common + keys).map(\.rawValue) + profileKeys.compactMap { StepKey.names.firstIndex(of: $0) })
    self.decode = decode
    self.encode = encode
    self.history = history
  }

  /// Every operation, in the order in which messages name them.
  static let all: [OperationSpec] = [
    device, register, session, event, revenue, details, relaunch, update, postbacks, forward,
    include,
  ]

  static let names = all.map(\.name)
}

extension Step.Operation {
  /// The row of the operation.
  var spec: OperationSpec {
    switch self {
    case .device: .device
    case .register: .register
    case .session: .session
    case .event: .event
    case .revenue: .revenue
    case .details: .details
    case .relaunch: .relaunch
    case .update: .update
    case .include: .include
    case .postbacks: .postbacks
    case .forward: .forward
    }
  }
}
