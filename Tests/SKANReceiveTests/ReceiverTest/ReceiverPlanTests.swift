import SKANBase
import SKANDevice
import SKANModel
import SKANSigning
import Testing

@testable import SKANReceive

@Suite("The deliveries of a receiver's test")
struct ReceiverPlanTests {
  private static func plan(
    seed: UInt64 = 1, model: ConversionModel? = nil, isSigned: Bool = true
  ) throws(SigningError) -> ReceiverPlan {
    try ReceiverPlan(app: .sample, seed: seed, model: model) { isSigned ? "\(1000 + $0.count)" : nil }
  }

  /// The bodies of a delivery.
  private static func bodies(_ delivery: ReceiverDelivery) -> [[UInt8]] {
    switch delivery.sending {
    case .whole(_, _, _, let body), .chunked(let body): [body]
    case .slowly(let body, let beside): [body, beside]
    case .brokenOff(let body): [body]
    case .atOnce(let bodies): bodies
    }
  }

  @Test("Each has a name of its own, and the tables' rows say what and why")
  func names() throws {
    let deliveries = try Self.plan().deliveries
    #expect(deliveries.count > 40 && Set(deliveries.map(\.id)).count == deliveries.count)
    #expect(deliveries.allSatisfy { !$0.request.isEmpty && !$0.why.isEmpty && !$0.why.hasSuffix(".") })
    #expect(deliveries.first?.id == "v4-tier-3" && deliveries.last?.id == "alive")
  }

  @Test("The standard postback has all that Apple's have, so that a field that a receiver needs is missing in few")
  func standard() throws {
    let plan = try Self.plan()
    let fields = [PostbackField.sourceAppID, .conversionValue, .fidelityType, .sourceIdentifier]
    for field in fields {
      let without = plan.deliveries.filter { delivery in
        delivery.right == .ok
          && Self.bodies(delivery).contains { (try? PostbackDocument($0))?.postback?.text(of: field) == nil }
      }
      #expect(without.count < 18, "\(field.rawValue): \(without.map(\.id))")
    }
  }

  @Test("What must be taken by its fields is as Apple's are: nothing is odd about it, but for what its row is about")
  func forms() throws {
    let odd: Set = ["unknown-fields", "nulls", "unknown-version"]
    for delivery in try Self.plan().deliveries where delivery.right == .ok && !odd.contains(delivery.id) {
      for body in Self.bodies(delivery) {
        let postback = try #require(try PostbackDocument(body).postback, "\(delivery.id)")
        #expect(postback.findings.isEmpty, "\(delivery.id): \(postback.findings.map(\.message))")
        #expect(postback.obstacle == nil, "\(delivery.id)")
      }
    }
  }

  @Test("Transaction ids are UUIDs of version 4, others with another seed; only copies share one")
  func transactions() throws {
    func ids(_ seed: UInt64) throws -> [String: [String]] {
      var ids: [String: [String]] = [:]
      for delivery in try Self.plan(seed: seed).deliveries {
        for body in Self.bodies(delivery) {
          guard let id = (try? PostbackDocument(body))?.postback?.text(of: .transactionID) else { continue }
          ids[id.lowercased(), default: []].append(delivery.id)
        }
      }
      return ids
    }
    let (first, again, other) = (try ids(1), try ids(1), try ids(2))
    #expect(Set(first.keys).isDisjoint(with: other.keys) && first == again)
    let form = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
    #expect(first.keys.allSatisfy { $0.wholeMatch(of: form) != nil }, "\(first.keys.first ?? "")")
    #expect(
      Set(first.values.filter { $0.count > 1 }) == [
        ["original", "duplicate", "duplicate-signed-anew", "forged-value", "conflict"],
        ["v3.0-original", "v3.0-duplicate"], ["one-id-0", "one-id-1", "one-id-2"],
        ["forged-before", "genuine-after"], ["forged-value-before", "genuine-value-after"],
        Array(repeating: "parallel-copies", count: 10),
      ])
  }

  @Test("Signatures are of the fields; wrong ones fit none")
  func signatures() throws {
    for delivery in try Self.plan().deliveries {
      for body in Self.bodies(delivery) {
        guard let postback = (try? PostbackDocument(body))?.postback, let signature = postback.signature else {
          continue
        }
        let fits = signature == "\(1000 + postback.signedText.count)"
        #expect(fits || delivery.id == "forged-before" || delivery.id == "wrong-signature", "\(delivery.id)")
      }
    }
    let unsigned = try Self.plan(isSigned: false).deliveries.filter { delivery in
      Self.bodies(delivery).contains { String(decoding: $0, as: UTF8.self).contains("attribution-signature") }
    }
    #expect(unsigned.map(\.id) == ["wrong-signature", "forged-before"])
  }

  /// What a receiver that does all right answers.
  private static func findings(_ plan: ReceiverPlan) -> [ReceiverFinding] {
    plan.deliveries.map { ReceiverFinding($0, .right("200")) }
  }

  private static let time = Instant(microseconds: 1_780_315_200_000_000)

  private static func number(_ json: JSON, _ path: String...) -> Int64? {
    let value = path.reduce(Optional(json)) { $0?[$1] }
    if case .integer(let number)? = value { return number }
    return nil
  }

  @Test("What the receiver's report must show: copies and forgeries count once, or beside")
  func expected() throws {
    let plan = try Self.plan()
    let report = plan.expectedReport(Self.findings(plan), by: DecodingModels(), at: Self.time)
    #expect(report["from"] == .null && report["to"] == .null)
    #expect(Self.number(report, "simulated", "total", "conflicts") == 3)
    #expect(Self.number(report, "simulated", "total", "duplicates") == 12)
    #expect(Self.number(report, "simulated", "total", "redownloads") == 1)
    #expect(Self.number(report, "simulated", "total", "not_won") == 2)
    #expect(Self.number(report, "simulated", "total", "windows", "p1") == 3)
    #expect(Self.number(report, "unverified", "total", "invalid") == 2)
    #expect(Self.number(report, "unverified", "total", "not_checked") == 3)
    #expect(report["apple"] == .null && report["development"] == .null)
  }

  @Test("Unsigned ones do not count; deliveries that were not made are not expected")
  func unsigned() throws {
    let plan = try Self.plan(isSigned: false)
    let unsigned = plan.expectedReport(Self.findings(plan), by: DecodingModels(), at: Self.time)
    #expect(unsigned["simulated"] == .null)
    let signed = try Self.plan()
    var findings = signed.deliveries.map { ReceiverFinding($0, .notEvaluated("over https")) }
    findings[0] = ReceiverFinding(signed.deliveries[0], .right("200"))
    let few = signed.expectedReport(findings, by: DecodingModels(), at: Self.time)
    #expect(Self.number(few, "received") == 1 && Self.number(few, "simulated", "total", "installs") == 1)
  }

  @Test("With a model the values are its own, and one that it lacks")
  func model() throws {
    let model = try ConversionModel(
      Array(
        #"""
        {"fine_grained_conversion_value_mappings":[
          {"fine_grained_conversion_value":7,"conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"a"}]}},
          {"fine_grained_conversion_value":62,"conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"b"}]}}]}
        """#.utf8))
    var models = DecodingModels()
    try models.add(model, file: "m.json", for: nil, from: nil)
    let plan = try Self.plan(model: model)
    let report = plan.expectedReport(Self.findings(plan), by: models, at: Self.time)
    guard case .array(let values)? = report["simulated"]?["total"]?["fine_values"] else {
      Issue.record("no values")
      return
    }
    #expect(values.compactMap { Self.number($0, "value") } == [0, 7, 61, 62])
    // Two fine values (0 and 61) and seven coarse ones.
    #expect(Self.number(report, "simulated", "total", "undecoded") == 9)
    #expect(Self.number(report, "simulated", "total", "without_model") == 0)
  }
}
