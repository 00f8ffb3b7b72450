/// Something that happened in an install's life, in short: what is needed to show or draw the life, not to run it.
package struct LifeEvent: Sendable, Equatable {
  /// When it was over; of an update, when the answer came.
  package var at: Instant
  package var kind: Kind
  package var outcome: Outcome
  /// The call into Apple's framework, if there was one, and what became of it.
  package var call: FrameworkCall?
  package var fate: CallFate.Kind?
  /// `SKANErrorDomain` code of the call, nil when it went well.
  package var error: Int64?
  /// Who answered, and the warnings; nil where that is not kept.
  package var account: Account?

  /// What was printed of a step besides its outcome.
  package struct Account: Sendable, Equatable {
    /// Its members in JSON.
    package static let keys = ["answered_by", "warnings"]

    /// Who answered, as the result's `answered_by` has it; nil when no request went out.
    package var answeredBy: String?
    /// The codes of the warnings in their order.
    package var warnings: [WarningCode]

    package init(answeredBy: String?, warnings: [WarningCode]) {
      self.answeredBy = answeredBy
      self.warnings = warnings
    }
  }

  package enum Kind: Sendable, Equatable {
    case register, session
    /// The event's name.
    case event(String)
    case revenue(amount: Double, currency: String, isAdMonetization: Bool)
    /// The phone or the app was updated.
    case update
    case relaunch
    /// A value came with the answer to a report of the app's server.
    case forward
  }

  package init(
    at: Instant, _ kind: Kind, _ outcome: Outcome, call: FrameworkCall? = nil, fate: CallFate.Kind? = nil,
    error: Int64? = nil, account: Account? = nil
  ) {
    self.at = at
    self.kind = kind
    self.outcome = outcome
    self.call = call
    self.fate = fate
    self.error = error
    self.account = account
  }
}
