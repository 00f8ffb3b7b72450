import SKANBase

/// An event in an install's life, with the details needed to show the life, but not to run it.
package struct LifeEvent: Sendable, Equatable {
  /// When it ended; for an update, when the answer came.
  package var at: Instant
  package var kind: Kind
  package var outcome: Outcome
  /// The call of Apple's framework, if there was one.
  package var call: FrameworkCall?
  package var fate: CallFate.Kind?
  /// The `SKANErrorDomain` code of the call; nil if it succeeded.
  package var error: Int64?
  /// Who answered, and the warnings; nil if they were not recorded.
  package var account: Account?
  /// The moments of an update on a phone whose updates overlap; nil for any other event.
  package var course: Course?

  /// The moments of an update, by the phone's clock.
  package struct Course: Sendable, Equatable {
    /// When the app called the snippet.
    package var calledAt: Instant
    /// When the request left; nil if none did.
    package var requestedAt: Instant?
    /// When the answer came, and with its values the call of Apple's framework; nil if none came.
    package var answeredAt: Instant?
    /// When Apple's completion came, which stores the values; nil if none came.
    package var completedAt: Instant?

    package init(
      calledAt: Instant, requestedAt: Instant? = nil, answeredAt: Instant? = nil, completedAt: Instant? = nil
    ) {
      (self.calledAt, self.requestedAt) = (calledAt, requestedAt)
      (self.answeredAt, self.completedAt) = (answeredAt, completedAt)
    }
  }

  /// The printed details of a step besides its outcome.
  package struct Account: Sendable, Equatable {
    /// The JSON keys of these details.
    package static let keys = ["answered_by", "warnings"]

    /// Who answered, as in the result's `answered_by`; nil if no request was sent.
    package var answeredBy: String?
    /// The codes of the warnings, in order.
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
    /// The answer to a report of the app's server contained a value.
    case forward
    /// A direct call to AdAttributionKit.
    case adAttributionKit
    /// An ad opened the app.
    case reEngagement
    /// A tester made a conversion on Apple's screen.
    case development
    /// An ad was shown or tapped, of a network.
    case impression(network: String, AttributionWindows.Interaction)
    /// The app was downloaded.
    case download
  }

  package init(
    at: Instant, _ kind: Kind, _ outcome: Outcome, call: FrameworkCall? = nil, fate: CallFate.Kind? = nil,
    error: Int64? = nil, account: Account? = nil, course: Course? = nil
  ) {
    self.at = at
    self.kind = kind
    self.outcome = outcome
    self.call = call
    self.fate = fate
    self.error = error
    self.account = account
    self.course = course
  }
}

/// The event as stored in a device file.
extension LifeEvent: JSONObjectWritable {
  package static let fields = JSONFields<LifeEvent> {
    JSONField("at", "when it ended, in Unix seconds") { $0.at }
    JSONField("op", "the operation") { $0.kind.name }
    JSONField(optional: "name", "for an event: its name") { if case .event(let name) = $0.kind { name } else { nil } }
    JSONField(optional: "amount", "for revenue: the amount") { $0.kind.revenue?.amount }
    JSONField(optional: "currency", "for revenue: the currency") { $0.kind.revenue?.currency }
    JSONField(optional: "ad_monetization", "for revenue: true if it comes from ads") {
      $0.kind.revenue?.isAdMonetization ?? false ? true : nil
    }
    JSONField(optional: "network", "of an impression: the ad network") { $0.kind.impression?.network }
    JSONField(optional: "interaction", "of an impression: click or view") { $0.kind.impression?.interaction }
    JSONField("outcome", "how it ended") { $0.outcome }
    FrameworkCall.fields.rows.map { $0.optional { $0.call } }
    JSONField(optional: "apple", "what Apple did with the call") { $0.fate }
    JSONField(optional: "error", "the code of SKANErrorDomain with which the call failed", as: JSONForm.integer.orNull)
    {
      $0.error
    }
    JSONField(optional: "called_at", "for an update that can overlap others: when it was called, in Unix seconds") {
      $0.course?.calledAt
    }
    JSONField(optional: "requested_at", "when its request was sent") { $0.course?.requestedAt }
    JSONField(optional: "answered_at", "when its answer came") { $0.course?.answeredAt }
    JSONField(optional: "completed_at", "when Apple completed the call, which stores the values") {
      $0.course?.completedAt
    }
    JSONField(optional: "answered_by", "who answered") { $0.account?.answeredBy }
    // A recorded account always has the key `warnings`, so that a step without warnings differs from one without a
    // record. Older files have neither key.
    JSONField(optional: "warnings", "the codes of the warnings") { $0.account?.warnings }
  }

  package static let keys = JSONKeys(fields.names)

  /// Reads the event that ``fields`` wrote; nil after a problem, which is added to the outer reader.
  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "an event of the history", known: Self.keys)
    defer { outer.add(reader.problems) }
    guard reader.isObject else { return nil }
    let at = reader.require("at", reader.instant("at"))
    let kind = Kind(from: &reader)
    kind?.refuseOthers(in: &reader)
    let outcome = reader.read(
      "outcome", "one of \(Outcome.allCases.map(\.name).joined(separator: ", "))"
    ) { content -> Outcome? in
      guard case .string(let name) = content else { return nil }
      return Outcome.allCases.first { $0.name == name }
    }
    let fate: CallFate.Kind? = reader.choice("apple")
    let error = reader.integer("error")
    let account = Account(from: &reader)
    let course = Course(from: &reader, of: kind)
    let call = reader.has("call") ? FrameworkCall(from: &reader) : nil
    if !reader.has("call"), reader.problems.isEmpty {
      for key: JSONKey in ["fine", "coarse", "lock", "apple", "error"] where reader.has(key) {
        reader.complain("\"\(key.name)\" goes with \"call\"", about: key)
      }
    }
    guard let at, let kind, let outcome = reader.require("outcome", outcome), reader.problems.isEmpty else {
      return nil
    }
    self.init(at: at, kind, outcome, call: call, fate: fate, error: error, account: account, course: course)
  }
}

extension LifeEvent.Course {
  /// Each moment needs the one before it.
  fileprivate init?(from reader: inout JSONObjectReader, of kind: LifeEvent.Kind?) {
    let keys: [JSONKey] = ["called_at", "requested_at", "answered_at", "completed_at"]
    for (key, before) in zip(keys.dropFirst(), keys) where reader.has(key) && !reader.has(before) {
      reader.complain("\"\(key.name)\" goes with \"\(before.name)\"", about: key)
    }
    guard reader.has(keys[0]) else { return nil }
    switch kind {
    case .session?, .event?, nil: break
    default: reader.complain("\"\(keys[0].name)\" goes with the ops \"session\" and \"event\"", about: keys[0])
    }
    let moments = keys.map { reader.instant($0) }
    guard let calledAt = moments[0] else { return nil }
    self.init(calledAt: calledAt, requestedAt: moments[1], answeredAt: moments[2], completedAt: moments[3])
  }
}

extension LifeEvent.Account {
  fileprivate init?(from reader: inout JSONObjectReader) {
    let answeredBy = reader.string("answered_by")
    guard reader.has("warnings") else {
      if reader.has("answered_by") {
        reader.complain("\"answered_by\" goes with \"warnings\", an array that may be empty", about: "answered_by")
      }
      return nil
    }
    self.init(answeredBy: answeredBy, warnings: reader.items("warnings") { WarningCode($0, in: &$1) })
  }
}

extension WarningCode {
  fileprivate init?(_ node: JSONNode, in reader: inout JSONObjectReader) {
    if case .string(let name) = node.content {
      if let code = Self(name: name) {
        self = code
        return
      }
      let near = nearestName(to: name, in: Self.allCases.map(\.name)).map { "; did you mean \"\($0)\"?" } ?? ""
      reader.add([SourceProblem("no warning has the code \(JSONWriter.quoted(name))\(near)", at: node.range)])
    } else {
      reader.add([SourceProblem("a warning must be its code, a string, this is \(node.briefly)", at: node.range)])
    }
    return nil
  }
}

extension LifeEvent.Kind {
  /// The operations of the history, named as in an event list.
  fileprivate enum Name: String, CaseIterable, JSONWritable {
    case register, session, event, revenue, update, relaunch
    case forward = "s2s"
    case adAttributionKit = "aak-update"
    case reEngagement = "aak-reengage"
    case development = "aak-development"
    case impression, download
  }

  fileprivate var name: Name {
    switch self {
    case .register: .register
    case .session: .session
    case .event: .event
    case .revenue: .revenue
    case .update: .update
    case .relaunch: .relaunch
    case .forward: .forward
    case .adAttributionKit: .adAttributionKit
    case .reEngagement: .reEngagement
    case .development: .development
    case .impression: .impression
    case .download: .download
    }
  }

  fileprivate var impression: (network: String, interaction: AttributionWindows.Interaction)? {
    if case .impression(let network, let interaction) = self { (network, interaction) } else { nil }
  }

  fileprivate var revenue: (amount: Double, currency: String, isAdMonetization: Bool)? {
    if case .revenue(let amount, let currency, let isAd) = self { (amount, currency, isAd) } else { nil }
  }

  /// Reports keys that belong only to events or only to revenue.
  fileprivate func refuseOthers(in reader: inout JSONObjectReader) {
    let owners: [(key: JSONKey, owner: Name)] = [
      ("name", .event), ("amount", .revenue), ("currency", .revenue), ("ad_monetization", .revenue),
      ("network", .impression), ("interaction", .impression),
    ]
    for (key, owner) in owners where owner != name && reader.has(key) {
      reader.complain("\"\(key.name)\" goes with the op \"\(owner.rawValue)\"", about: key)
    }
  }

  fileprivate init?(from reader: inout JSONObjectReader) {
    guard let op = reader.require("op", reader.string("op")) else { return nil }
    switch Name(rawValue: op) {
    case .register: self = .register
    case .session: self = .session
    case .event: self = .event(reader.require("name", reader.string("name")) ?? "")
    case .revenue:
      self = .revenue(
        amount: reader.require("amount", reader.number("amount")) ?? 0,
        currency: reader.require("currency", reader.string("currency")) ?? "",
        isAdMonetization: reader.bool("ad_monetization") ?? false)
    case .update: self = .update
    case .relaunch: self = .relaunch
    case .forward: self = .forward
    case .adAttributionKit: self = .adAttributionKit
    case .reEngagement: self = .reEngagement
    case .development: self = .development
    case .impression:
      self = .impression(
        network: reader.require("network", reader.string("network")) ?? "",
        reader.require("interaction", reader.choice("interaction")) ?? .click)
    case .download: self = .download
    case nil:
      let names = Name.allCases.map(\.rawValue)
      reader.complain("\"op\" must be \(names.listed("or"))", about: "op")
      return nil
    }
  }
}

extension CallFate.Kind: JSONWritable {}

extension AttributionWindows.Interaction: JSONWritable {}
