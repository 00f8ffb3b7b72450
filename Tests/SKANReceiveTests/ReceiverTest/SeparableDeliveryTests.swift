import SKANBase
import SKANDevice
import SKANSigning
import Testing

@testable import SKANReceive

/// The cause of a wrong answer is known only if each property that a receiver may trip over is the one difference
/// between two deliveries.
@Suite("Deliveries that differ in one thing")
struct SeparableDeliveryTests {
  /// A delivery of one new postback, with its fields; claims and members of AdAttributionKit together.
  private struct Node {
    let id: String
    let framework: PostbackProtocol
    let fields: [String: JSON]

    /// The things in which two postbacks differ; identifiers and the value among the mapped ones do not matter.
    func differences(from other: Node, ignoring values: Set<Int64>) -> Set<String> {
      var things: Set<String> = []
      if framework != other.framework { return ["framework", "all"] }
      let versions = [fields["version"], other.fields["version"]]
      if versions[0] != versions[1] { things.insert("version") }
      for key in Set(fields.keys).union(other.fields.keys) {
        let (one, two) = (fields[key], other.fields[key])
        switch key {
        case "version", "transaction-id", "postback-identifier", "attribution-signature": continue
        // What versions before have in other fields, or not at all.
        case "campaign-id", "source-identifier", "postback-sequence-index", "did-win", "fidelity-type", "redownload",
          "source-app-id", "conversion-value":
          if things.contains("version"), one == nil || two == nil { continue }
        default: break
        }
        if one == .null || two == .null, one != two {
          things.insert("null")
        } else if key == "source-identifier" {
          if (one?.text?.count == 4) != (two?.text?.count == 4) { things.insert("digits") }
        } else if key == "source-app-id" || key == "source-domain" {
          if (one == nil) != (two == nil) { things.insert("source") }
        } else if key == "coarse-conversion-value" {
          if (one == nil) != (two == nil) { things.insert(key) }
        } else if key == "conversion-value", case .integer(let first)? = one, case .integer(let second)? = two {
          if !(values.contains(first) && values.contains(second)), first != second { things.insert(key) }
        } else if one != two {
          things.insert(key)
        }
      }
      return things
    }
  }

  private static func plan() throws -> ReceiverPlan {
    var plan = try ReceiverPlan(app: .sample, seed: 1, model: nil) { "\(1000 + $0.count)" }
    try plan.addAdAttributionKit { _ in [UInt8](repeating: 7, count: 64) }
    return plan
  }

  /// The fields of the postback in a body; nil for anything else.
  private static func fields(_ body: [UInt8]) throws -> [String: JSON]? {
    guard case .object(var members)? = try? JSONReader.read(body).value else { return nil }
    if let jws = members.first(where: { $0.key == "jws-string" })?.value.text {
      let payload = jws.split(separator: ".").dropFirst().first.flatMap { Base64URL.decode($0.utf8) } ?? []
      guard case .object(let claims)? = try? JSONReader.read(payload).value else { return nil }
      members = claims + members.filter { $0.key != "jws-string" }
    }
    return Dictionary(members.map { ($0.key, $0.value) }) { $1 }
  }

  /// The deliveries of postbacks that differ by their fields, and not by how often or in which request they come.
  private static func nodes(_ plan: ReceiverPlan) throws -> [Node] {
    let others: Set = [
      "v1.0", "unknown-fields", "unknown-version", "other-layout", "aak-unknown-kid", "aak-development-key",
      "aak-unknown-members",
    ]
    return try plan.deliveries.compactMap { delivery in
      guard case .whole("POST", false, "application/json", let body) = delivery.sending, delivery.right == .ok,
        !delivery.traits.contains(.knownTransaction), !others.contains(delivery.id), let fields = try fields(body)
      else { return nil }
      return Node(id: delivery.id, framework: delivery.framework, fields: fields)
    }
  }

  @Test(
    "From the standard delivery each other one is reached in steps that change one thing",
    arguments: PostbackProtocol.allCases)
  func steps(framework: PostbackProtocol) throws {
    let plan = try Self.plan()
    let values: Set = [plan.values.first, plan.values.second]
    let nodes = try Self.nodes(plan).filter { $0.framework == framework }
    #expect(nodes.count > 15)
    var reached = nodes.filter { ["v4-tier-3", "aak-tier-3"].contains($0.id) }
    var rest = nodes.filter { node in !reached.contains { $0.id == node.id } }
    while true {
      let next = rest.filter { node in
        reached.contains { node.differences(from: $0, ignoring: values).count <= 1 }
      }
      if next.isEmpty { break }
      reached += next
      rest.removeAll { node in next.contains { $0.id == node.id } }
    }
    #expect(rest.isEmpty, "\(rest.map(\.id))")
  }

  /// What a receiver may need, and the words by which the report names it.
  private static let needs: [(name: String, isMet: @Sendable ([String: JSON]) -> Bool)] = [
    ("postbacks without source-app-id", { isSKAN($0) ? $0["source-app-id"] != nil : true }),
    (
      "postbacks without source-app-id and source-domain",
      { isSKAN($0) ? $0["source-app-id"] != nil || $0["source-domain"] != nil : true }
    ),
    ("postbacks without conversion-value", { $0["conversion-value"] != nil }),
    ("source identifiers with fewer than four digits", { ($0["source-identifier"]?.text?.count ?? 4) == 4 }),
    ("postbacks with coarse-conversion-value", { $0["coarse-conversion-value"].map { $0 == .null } ?? true }),
    ("second and third postbacks", { $0["postback-sequence-index"].map { $0 == .integer(0) } ?? true }),
    ("postbacks of ads that did not win", { $0["did-win"] != .bool(false) }),
    (
      "postbacks of AdAttributionKit without publisher-item-identifier",
      { isSKAN($0) || $0["publisher-item-identifier"] != nil }
    ),
    ("postbacks of AdAttributionKit without country-code", { isSKAN($0) || $0["country-code"] != nil }),
    (
      "postbacks of AdAttributionKit without marketplace-identifier",
      { isSKAN($0) || $0["marketplace-identifier"] != nil }
    ),
  ]

  private static func isSKAN(_ fields: [String: JSON]) -> Bool { fields["postback-identifier"] == nil }

  @Test("A receiver that needs one thing is told this thing, for each that a postback may lack", arguments: 0..<10)
  func needs(index: Int) throws {
    #expect(Self.needs.count == 10)
    let need = Self.needs[index]
    let findings = try Self.plan().deliveries.map { delivery -> ReceiverFinding in
      // What is refused anyway, for another reason, does not matter here.
      guard delivery.right == .ok else { return ReceiverFinding(delivery, .right("400")) }
      let bodies: [[UInt8]] =
        switch delivery.sending {
        case .whole(_, _, _, let body), .chunked(let body), .brokenOff(let body): [body]
        case .slowly(let body, let beside): [body, beside]
        case .atOnce(let bodies): bodies
        }
      let isTaken = try bodies.allSatisfy { body in try Self.fields(body).map(need.isMet) ?? true }
      return ReceiverFinding(delivery, isTaken ? .right("200") : .wrong("500"))
    }
    let causes = ReceiverCause.all(of: findings)
    #expect(causes.map(\.text) == [need.name], "\(causes.map(\.text))")
  }

  @Test(
    "The key is named as the receiver knows it, and the deliveries about the name go with any",
    arguments: ["apple-cas-identifier/0", "plain", "unknown-key/7"])
  func keyIDs(name: String) throws {
    var plan = try ReceiverPlan(app: .sample, seed: 1, model: nil) { _ in nil }
    try plan.addAdAttributionKit(keyID: name) { _ in [UInt8](repeating: 7, count: 64) }
    plan.keepOnly(.adAttributionKit)
    var standard: String?
    for delivery in plan.deliveries {
      guard case .whole(_, _, _, let body) = delivery.sending, delivery.right == .ok || delivery.id.contains("altered"),
        let jws = try JSONReader.read(body).value["jws-string"]?.text, let header = jws.split(separator: ".").first
      else { continue }
      if delivery.id == "aak-tier-3" { standard = String(header) }
      let text = try #require(Base64URL.decode(header.utf8))
      let kid = try JSONReader.read(text).value["kid"]?.text
      switch delivery.id {
      case "aak-unknown-kid": #expect(kid != name)
      case "aak-development-key": #expect(kid == "apple-development-identifier/1")
      default: #expect(kid == name, "\(delivery.id)")
      }
      if delivery.id == "aak-escaped-slash" {
        #expect(String(decoding: text, as: UTF8.self).contains(#"\/"#) == name.contains("/"))
      }
      // What is about another text of the same header has one.
      if ["aak-escaped-slash", "aak-header-altered"].contains(delivery.id) {
        #expect(String(header) != standard, "\(delivery.id)")
      }
    }
  }

  @Test("No text about AdAttributionKit says that a phone sends again after anything but 500")
  func retries() throws {
    for delivery in try Self.plan().deliveries where delivery.framework == .adAttributionKit {
      #expect(!delivery.why.contains("until it is answered with 200"), "\(delivery.id)")
      if delivery.why.contains("again") && delivery.why.contains("phone sends") {
        #expect(delivery.why.contains("500"), "\(delivery.id): \(delivery.why)")
      }
    }
  }
}
