import SKANBase
import SKANDevice

/// How the app's server reports a step: the keys of `forward` and of op `s2s`; see the manual, "Server to server".
///
/// A class, so that steps without it stay small.
package final class ForwardOptions: Sendable {
  /// The version of the `evt` endpoint.
  package let api: EndpointAPI
  /// Whether the parameters are the body of a POST, as they always are in version 2.
  package let isPost: Bool
  /// Whether the metadata is the state before the answer, as in the guides' sample.
  package let isStale: Bool
  /// The revenue of an event.
  package let revenue: ForwardedRevenue?
  /// Parameters to replace or add; one without a value is left out.
  package let parameters: [QueryItem]
  /// Replaces the endpoint's answer at every attempt.
  package let answer: EndpointAnswer?
  /// Whether the client also applies a value that the phone already has.
  package let reapplies: Bool

  package init(
    api: EndpointAPI = .v1, isPost: Bool = false, isStale: Bool = false, revenue: ForwardedRevenue? = nil,
    parameters: [QueryItem] = [], answer: EndpointAnswer? = nil, reapplies: Bool = false
  ) {
    self.api = api
    self.isPost = isPost
    self.isStale = isStale
    self.revenue = revenue
    self.parameters = parameters
    self.answer = answer
    self.reapplies = reapplies
  }

  /// Returns the options with the endpoint's answer in them.
  func answered(_ answer: EndpointAnswer) -> ForwardOptions {
    ForwardOptions(
      api: api, isPost: isPost, isStale: isStale, revenue: revenue, parameters: parameters, answer: answer,
      reapplies: reapplies)
  }
}

/// The report of the app's server.
extension OperationSpec {
  static let forward = OperationSpec(
    "s2s", "a step with op \"s2s\"",
    keys: [.kind, .name, .amount, .currency, .adMonetization, .api, .post, .stale, .parameters, .answer, .reapply],
    decode: { reader, step in
      let options = ForwardOptions(from: &reader)
      let kind = reader.read("kind", "\"session\" or \"event\"") { content in
        if case .string(let text) = content, ["session", "event"].contains(text) { text } else { nil }
      }
      if !reader.has("kind") { reader.require(at: .kind) }
      let name = reader.string(at: .name)
      if kind == "session" {
        for key: JSONKey in ["name", "amount", "currency", "ad_monetization"] where reader.has(key) {
          reader.complain("\"\(key.name)\" goes with \"kind\":\"event\"", about: key)
        }
      } else if kind == "event", name == nil {
        reader.require(at: .name)
      }
      let subject: ForwardedRequest.Subject =
        kind == "session" ? .session : .event(name: name ?? "", options.revenue)
      step.operation = .forward(subject, options)
    })
}

extension ForwardOptions {
  package static let keys: JSONKeys = [
    "amount", "currency", "ad_monetization", "api", "post", "stale", "parameters", "answer", "reapply",
  ]

  /// Reads the value of `forward`: true or an object. Nil for false, and when there is a problem.
  convenience init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    if case .bool(let isForwarded) = node.content {
      guard isForwarded else { return nil }
      self.init()
      return
    }
    guard node.isObject else {
      outer.complain("\"forward\" must be true, or an object of its settings, this is \(node.kind)", about: "forward")
      return nil
    }
    var reader = JSONObjectReader(node, what: "forward", known: Self.keys)
    self.init(from: &reader)
    outer.add(reader.problems)
  }

  /// Reads the settings; problems stay in the reader.
  convenience init(from reader: inout JSONObjectReader) {
    var answer: EndpointAnswer?
    if let node = reader.node("answer") {
      var answerReader = JSONObjectReader(node, what: "an answer", known: AnswerForm.keys)
      answer = AnswerForm.read(&answerReader)
      reader.add(answerReader.problems)
    }
    let currency = reader.string("currency")
    let isAdMonetization = reader.bool("ad_monetization")
    var revenue: ForwardedRevenue?
    if let amount = reader.number("amount") {
      if let currency {
        revenue = ForwardedRevenue(
          amount: amount, currency: currency, isAdMonetization: isAdMonetization ?? false)
      } else if !reader.has("currency") {
        reader.complain("\"amount\" needs \"currency\": a server sends both or none", about: "amount")
      }
    } else if !reader.has("amount") {
      for key: JSONKey in ["currency", "ad_monetization"] where reader.has(key) {
        reader.complain("\"\(key.name)\" goes with \"amount\"", about: key)
      }
    }
    self.init(
      api: reader.choice("api") ?? .v1, isPost: reader.bool("post") ?? false,
      isStale: reader.bool("stale") ?? false, revenue: revenue, parameters: Self.parameters(from: &reader),
      answer: answer, reapplies: reader.bool("reapply") ?? false)
  }

  private static func parameters(from reader: inout JSONObjectReader) -> [QueryItem] {
    guard let node = reader.node("parameters") else { return [] }
    guard case .object(let members) = node.content else {
      reader.complain("\"parameters\" must be an object of names and texts, this is \(node.kind)", about: "parameters")
      return []
    }
    return members.compactMap { member in
      switch member.value.content {
      case .string(let text): return QueryItem(member.key, text)
      case .null: return QueryItem(member.key, nil)
      default:
        reader.complain(
          "the parameter \(JSONWriter.quoted(member.key)) must be a text, or null to leave it out, this is "
            + member.value.kind, about: "parameters")
        return nil
      }
    }
  }
}

/// Writes the settings, without those that have their default value.
extension ForwardOptions {
  func encode(to writer: inout StepWriter) {
    for (key, value) in members { writer.add(key, value) }
    if let answer { writer.add(.answer, text: AnswerForm.text(answer)) }
  }

  /// The value of `forward` as JSON on one line.
  var text: String {
    let answerMember = answer.map { [("answer", AnswerForm.text($0))] } ?? []
    let all = members.map { ($0.key.text, JSONWriter.text($0.value, layout: .line)) } + answerMember
    return all.isEmpty ? "true" : "{\(all.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ","))}"
  }

  private var members: [(key: StepKey, value: JSON)] {
    var members: [(key: StepKey, value: JSON)] = []
    if let revenue {
      members += [(.amount, .double(revenue.amount)), (.currency, .string(revenue.currency))]
      if revenue.isAdMonetization { members.append((.adMonetization, .bool(true))) }
    }
    if api != .v1 { members.append((.api, .string(api.rawValue))) }
    if isPost { members.append((.post, .bool(true))) }
    if isStale { members.append((.stale, .bool(true))) }
    if !parameters.isEmpty {
      members.append((.parameters, .object(parameters.map { ($0.name, .optional($0.value)) })))
    }
    if reapplies { members.append((.reapply, .bool(true))) }
    return members
  }
}
