/// Something that happened in an install's life, in short: what is needed to tell or draw the life, not to live it.
package struct LifeEvent: Sendable, Equatable {
  /// When it was over; of an update, when the answer came.
  package var at: Instant
  package var kind: Kind
  package var outcome: Outcome
  /// The call into Apple's framework, if there was one, and what became of it.
  package var call: FrameworkCall?
  package var fate: Fate?
  /// `SKANErrorDomain` code of the call, nil when it went well.
  package var error: Int64?

  package enum Kind: Sendable, Equatable {
    case register, session
    /// The event's name.
    case event(String)
    case revenue(amount: Double, currency: String, isAdMonetization: Bool)
    /// The phone or the app was updated.
    case update
    case relaunch
  }

  /// What Apple made of a call; see ``CallFate``.
  package enum Fate: String, CaseIterable, Sendable {
    case taken, registered, organic, locked, final, refused
    case unknownVersion = "unknown-version"
    case tooLate = "too-late"
    case alreadyRegistered = "already-registered"
    case windowsOver = "windows-over"
    case notHigher = "not-higher"
    case fineOnly = "fine-only"

    /// Whether Apple holds what the call gave.
    package var isTaken: Bool { self == .taken || self == .registered }
  }

  package init(
    at: Instant, _ kind: Kind, _ outcome: Outcome, call: FrameworkCall? = nil, fate: Fate? = nil,
    error: Int64? = nil
  ) {
    self.at = at
    self.kind = kind
    self.outcome = outcome
    self.call = call
    self.fate = fate
    self.error = error
  }
}

extension LifeEvent.Fate {
  package init(_ fate: CallFate) {
    self =
      switch fate {
      case .taken: .taken
      case .registered: .registered
      case .alreadyRegistered: .alreadyRegistered
      case .organic: .organic
      case .unknownVersion: .unknownVersion
      case .tooLate: .tooLate
      case .locked: .locked
      case .windowsOver: .windowsOver
      case .final: .final
      case .notHigher: .notHigher
      case .fineOnly: .fineOnly
      case .refused: .refused
      }
  }
}
