import SKANJSON

/// The event as a device file has it.
extension LifeEvent {
  package static let keys: JSONKeys = [
    "at", "op", "name", "amount", "currency", "ad_monetization", "outcome", "call", "fine", "coarse", "lock", "apple",
    "error",
  ]

  package var json: JSON {
    var members: [(key: String, value: JSON)] = [("at", at.json)]
    func add(_ op: String, _ own: [(key: String, value: JSON)] = []) { members += [("op", .string(op))] + own }
    switch kind {
    case .register: add("register")
    case .session: add("session")
    case .event(let name): add("event", [("name", .string(name))])
    case .revenue(let amount, let currency, let isAdMonetization):
      add(
        "revenue",
        [("amount", .double(amount)), ("currency", .string(currency))]
          + (isAdMonetization ? [("ad_monetization", .bool(true))] : []))
    case .update: add("update")
    case .relaunch: add("relaunch")
    }
    members.append(("outcome", .string(outcome.name)))
    if let call { members += call.members }
    if let fate { members.append(("apple", .string(fate.rawValue))) }
    if let error { members.append(("error", .integer(error))) }
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
    let call = reader.has("call") ? FrameworkCall(from: &reader) : nil
    if !reader.has("call"), reader.problems.isEmpty {
      for key: JSONKey in ["fine", "coarse", "lock", "apple", "error"] where reader.has(key) {
        reader.complain("\"\(key.name)\" goes with \"call\"", about: key)
      }
    }
    guard let at, let kind, let outcome = reader.require("outcome", outcome), reader.problems.isEmpty else {
      return nil
    }
    self.init(at: at, kind, outcome, call: call, fate: fate, error: error)
  }
}

extension LifeEvent.Kind {
  /// Keys that only an event or only revenue has.
  fileprivate func refuseOthers(in reader: inout JSONObjectReader) {
    let isEvent = if case .event = self { true } else { false }
    let isRevenue = if case .revenue = self { true } else { false }
    let keys: [(JSONKey, Bool, String)] = [
      ("name", isEvent, "event"), ("amount", isRevenue, "revenue"), ("currency", isRevenue, "revenue"),
      ("ad_monetization", isRevenue, "revenue"),
    ]
    for (key, isOwn, op) in keys where !isOwn && reader.has(key) {
      reader.complain("\"\(key.name)\" goes with the op \"\(op)\"", about: key)
    }
  }

  fileprivate init?(from reader: inout JSONObjectReader) {
    switch reader.require("op", reader.string("op")) {
    case nil: return nil
    case "register"?: self = .register
    case "session"?: self = .session
    case "event"?: self = .event(reader.require("name", reader.string("name")) ?? "")
    case "revenue"?:
      self = .revenue(
        amount: reader.require("amount", reader.number("amount")) ?? 0,
        currency: reader.require("currency", reader.string("currency")) ?? "",
        isAdMonetization: reader.bool("ad_monetization") ?? false)
    case "update"?: self = .update
    case "relaunch"?: self = .relaunch
    default:
      reader.complain("\"op\" must be register, session, event, revenue, update or relaunch", about: "op")
      return nil
    }
  }
}
