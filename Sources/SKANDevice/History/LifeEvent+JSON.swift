import SKANBase

/// The event as a device file has it.
extension LifeEvent {
  package static let keys: JSONKeys = [
    "at", "op", "name", "amount", "currency", "ad_monetization", "outcome", "call", "fine", "coarse", "lock", "apple",
    "error", "answered_by", "warnings",
  ]

  /// The values of `op`.
  package static var operations: [String] { Kind.Name.allCases.map(\.rawValue) }

  package var json: JSON {
    var members: [(key: String, value: JSON)] = [("at", at.json), ("op", .string(kind.name.rawValue))]
    switch kind {
    case .event(let name): members.append(("name", .string(name)))
    case .revenue(let amount, let currency, let isAdMonetization):
      members += [("amount", .double(amount)), ("currency", .string(currency))]
      if isAdMonetization { members.append(("ad_monetization", .bool(true))) }
    case .register, .session, .update, .relaunch, .forward: break
    }
    members.append(("outcome", .string(outcome.name)))
    if let call { members += call.members }
    if let fate { members.append(("apple", .string(fate.rawValue))) }
    if let error { members.append(("error", .integer(error))) }
    if let account { members += account.members }
    return .object(members)
  }

  /// Reads what ``json`` wrote; nil when there is a problem, which is the outer reader's then.
  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "an event of the history", known: Self.keys)
    defer { outer.add(reader.problems) }
    guard reader.isObject else { return nil }
    let at = reader.require("at", reader.instant("at"))
    let kind = Kind(from: &reader)
    kind?.refuseOthers(in: &reader)
    let names = Outcome.allCases.map(\.name).joined(separator: ", ")
    let outcome = reader.read("outcome", "one of \(names)") { content -> Outcome? in
      guard case .string(let name) = content else { return nil }
      return Outcome.allCases.first { $0.name == name }
    }
    let fate: CallFate.Kind? = reader.choice("apple")
    let error = reader.integer("error")
    let account = Account(from: &reader)
    let call = reader.has("call") ? FrameworkCall(from: &reader) : nil
    if !reader.has("call"), reader.problems.isEmpty {
      for key: JSONKey in ["fine", "coarse", "lock", "apple", "error"] where reader.has(key) {
        reader.complain("\"\(key.name)\" goes with \"call\"", about: key)
      }
    }
    guard let at, let kind, let outcome = reader.require("outcome", outcome), reader.problems.isEmpty else {
      return nil
    }
    self.init(at: at, kind, outcome, call: call, fate: fate, error: error, account: account)
  }
}

/// Files from before there were accounts have neither key. Of one that is kept the warnings are always there, so that a
/// step without any is not mistaken for one of which they are not kept.
extension LifeEvent.Account {
  fileprivate var members: [(key: String, value: JSON)] {
    (answeredBy.map { [("answered_by", .string($0))] } ?? [])
      + [("warnings", .array(warnings.map { .string($0.name) }))]
  }

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
  fileprivate enum Name: String, CaseIterable {
    case register, session, event, revenue, update, relaunch
    case forward = "s2s"
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
    }
  }

  /// Keys that only an event or only revenue has.
  fileprivate func refuseOthers(in reader: inout JSONObjectReader) {
    let owners: [(key: JSONKey, owner: Name)] = [
      ("name", .event), ("amount", .revenue), ("currency", .revenue), ("ad_monetization", .revenue),
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
    case nil:
      let names = Name.allCases.map(\.rawValue)
      let last = names.last ?? ""
      reader.complain("\"op\" must be \(names.dropLast().joined(separator: ", ")) or \(last)", about: "op")
      return nil
    }
  }
}
