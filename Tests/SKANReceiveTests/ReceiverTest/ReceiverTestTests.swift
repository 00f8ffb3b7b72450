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

@Suite("A receiver's own counts beside what it was sent")
struct ReceiverCountsTests {
  private static let time = Instant(microseconds: 1_780_315_200_000_000)

  /// The plan, with the answers of a receiver that is right but at these deliveries.
  private static func findings(
    wrong: [String] = [], limited: [String] = [], missing: [String] = []
  ) throws -> (ReceiverPlan, [ReceiverFinding]) {
    let plan = try ReceiverPlan(app: .sample, seed: 1, model: nil) { "\($0.count)" }
    return (
      plan,
      plan.deliveries.map { delivery in
        let id = delivery.id
        return ReceiverFinding(
          delivery,
          wrong.contains(id)
            ? .wrong("500")
            : limited.contains(id) ? .limited("429") : missing.contains(id) ? .notEvaluated("https") : .right("200"))
      }
    )
  }

  /// The counts of a receiver that is right.
  private static let right = Result { counts(try findings()) }

  private static func counts(_ findings: (ReceiverPlan, [ReceiverFinding])) -> ReceiverCounts {
    findings.0.expectedCounts(findings.1, by: DecodingModels(), at: time)
  }

  /// The report of a receiver that keeps all, as `skan report --json` has it.
  private static func report(_ findings: (ReceiverPlan, [ReceiverFinding])) -> JSON {
    findings.0.expectedReport(findings.1, by: DecodingModels(), at: time)
  }

  /// Some members of a report's totals.
  private static func total(_ text: String, rest: String = "") throws -> ReportNumbers {
    ReportNumbers(try JSONReader.read(Array(#"{"simulated":{"total":{\#(text)}}\#(rest)}"#.utf8)).value)
  }

  @Test("Each number of the report of a receiver that is right agrees")
  func right() throws {
    let findings = try Self.findings()
    let right = try Self.right.get()
    let comparison = right.compared(with: ReportNumbers(Self.report(findings)))
    #expect(comparison.differences.isEmpty && comparison.unknown.isEmpty && comparison.agreed > 80)
    #expect(
      right.summary
        == "84 to 85 installs, 1 redownload, 12 to 14 duplicates, 3 to 5 conflicts; 2 forgeries, which must not count")
  }

  @Test(
    "Counts that are right, and such that are not",
    arguments: [
      (#""installs":85,"duplicates":15"#, []), (#""installs":85,"duplicates":12,"conflicts":3"#, []),
      // Version 2.0 by a P-192 key.
      (#""installs":84,"duplicates":12,"conflicts":3"#, []),
      // One id for three windows.
      (#""installs":85,"duplicates":14,"conflicts":3,"windows":{"p0":88,"p1":2,"p2":2}"#, []),
      (#""installs":85,"duplicates":12,"conflicts":5,"windows":{"p0":88,"p1":2,"p2":2}"#, []),
      (#""installs":85,"duplicates":12,"conflicts":5,"windows":{"p0":88,"p1":3,"p2":3}"#, ["conflicts"]),
      (#""installs":85,"duplicates":17"#, []), (#""installs":85,"duplicates":18"#, ["duplicates"]),
      // A unique index with a null.
      (#""installs":86,"duplicates":14"#, ["installs"]),
      (#""installs":86,"duplicates":11,"conflicts":3"#, ["installs", "duplicates"]),
      // A forgery that took the genuine one's place; forgeries that count.
      (#""installs":83"#, ["installs"]), (#""installs":87"#, ["installs"]),
      (#""redownloads":0,"not_won":3"#, ["redownloads", "not_won"]),
      (
        #""fine_values":[{"value":12,"postbacks":1}]"#,
        [
          "fine_values[12].postbacks", "fine_values[0].postbacks", "fine_values[33].postbacks",
          "fine_values[62].postbacks",
        ]
      ),
      (
        #""revenue":[{"currency":"EUR","postbacks":1,"min":1,"below":2,"open_ended":0}]"#,
        ["revenue[EUR].postbacks", "revenue[EUR].min", "revenue[EUR].below"]
      ),
    ] as [(String, Set<String>)])
  func cases(members: String, differing: Set<String>) throws {
    let comparison = try Self.right.get().compared(with: try Self.total(members))
    #expect(Set(comparison.differences.map { String($0.path.dropFirst("simulated.total.".count)) }) == differing)
    #expect(comparison.unknown.isEmpty)
  }

  @Test("What was not acknowledged may count or not; what was not sent does not")
  func answers() throws {
    let installs = { (counts: ReceiverCounts, count: Int) in
      counts.compared(with: try Self.total("\"installs\":\(count)")).differences.isEmpty
    }
    for findings in [try Self.findings(wrong: ["web-ad"]), try Self.findings(limited: ["web-ad"])] {
      let counts = Self.counts(findings)
      #expect(try [83, 84, 85, 86].map { try installs(counts, $0) } == [true, true, true, false])
    }
    let missing = Self.counts(try Self.findings(missing: ["web-ad"]))
    #expect(try [82, 83, 84, 85].map { try installs(missing, $0) } == [false, true, true, false])
    // Advice that was refused is in no report.
    let advised = Self.report(try Self.findings(wrong: ["chunked"]))
    let must = Self.report(try Self.findings(wrong: ["web-ad"]))
    #expect(advised["simulated"]?["total"]?["installs"] == .integer(84))
    #expect(must["simulated"]?["total"]?["installs"] == .integer(85))
  }

  @Test("Forgeries, and what may be refused, may be kept apart or not")
  func unverified() throws {
    for count in 0...3 {
      let numbers = ReportNumbers(
        .object([("unverified", .object([("total", .object([("invalid", .integer(Int64(count)))]))]))]))
      let comparison = try Self.right.get().compared(with: numbers)
      // 3 with version 2.0, which a receiver may not be able to check.
      #expect(comparison.differences.isEmpty)
    }
    #expect(
      try Self.right.get().compared(with: Self.total("", rest: #","apple":{"total":{"installs":2}}"#))
        .differences.map(\.path) == ["apple.total.installs"])
  }

  @Test("Keys that no report has are said, and no number is passed over")
  func unknown() throws {
    let unknown = { (report: String) in
      try Self.right.get().compared(with: ReportNumbers(try JSONReader.read(Array(report.utf8)).value))
        .unknown
    }
    #expect(try unknown(#"{"simulated":{"total":{"instals":81}}}"#) == ["simulated.total.instals"])
    #expect(try unknown(#"{"simulated":{"total":{"installs":"81"}}}"#) == ["simulated.total.installs"])
    #expect(try unknown(#"{"simulated":{"installs":81},"own":{"x":1},"status":"ok"}"#) == ["simulated.installs"])
    #expect(try unknown(#"{"group":["app"],"simulated":{"groups":[{"group":{"app":"1"},"installs":9}]}}"#) == [])
    #expect(
      try unknown(#"{"simulated":{"groups":[{"group":{"app":"1"},"instals":9}]}}"#) == ["simulated.groups[1].instals"])
  }

  @Test("A number that is null counts as 0 with its table; what a URL said before does not count")
  func since() throws {
    let right = try Self.right.get()
    let none = ReportNumbers(try JSONReader.read(Array(#"{"simulated":null}"#.utf8)).value)
    let differences = right.compared(with: none).differences
    #expect(
      differences.contains {
        $0.path == "simulated.total.installs" && $0.actualText == "0" && ["84", "85"].contains($0.expectedText)
      })
    let (before, after) = (
      try Self.total("\"installs\":5,\"duplicates\":1"), try Self.total("\"installs\":90,\"duplicates\":16")
    )
    let change = try #require(after.since(before))
    #expect(right.compared(with: change).differences.isEmpty)
    #expect(after.since(after) == nil)
  }

  @Test("The hint of a number names the deliveries that it depends on")
  func hints() throws {
    let comparison = try Self.right.get().compared(
      with: try Self.total(#""installs":86,"duplicates":11,"conflicts":3"#))
    #expect(comparison.differences.map { $0.hint?.contains("v3.0-duplicate") } == [true, true])
    let fewer = try Self.right.get().compared(with: try Self.total("\"installs\":7"))
    #expect(fewer.differences.first?.hint?.contains("genuine-after") == true)
  }
}

@Suite("Causes of a receiver's wrong answers")
struct ReceiverCauseTests {
  /// The causes when these deliveries are answered with 500 and all others as they must be.
  private static func causes(_ isWrong: (ReceiverDelivery) -> Bool) throws -> [ReceiverCause] {
    var plan = try ReceiverPlan(app: .sample, seed: 1, model: nil) { "\($0.count)" }
    try plan.addAdAttributionKit { _ in nil }
    return ReceiverCause.all(
      of: plan.deliveries.map { ReceiverFinding($0, isWrong($0) ? .wrong("500") : .right("200")) })
  }

  @Test(
    "One cause of each: what all of its deliveries have, and no delivery that was answered rightly",
    arguments: ReceiverTrait.allCases)
  func traits(trait: ReceiverTrait) throws {
    let causes = try Self.causes { $0.traits.contains(trait) }
    #expect(causes.map(\.text) == [trait.rawValue], "\(causes.map(\.text))")
    #expect(causes.first?.findings.count ?? 0 > 1)
  }

  @Test("What one delivery alone has is its own cause, and so is what others with its trait are not wrong at")
  func alone() throws {
    let causes = try Self.causes { ["nulls", "late-1", "in-order-1", "get"].contains($0.id) }
    // What must be comes before what should be.
    #expect(causes.map { $0.findings.map(\.delivery.id) } == [["in-order-1"], ["late-1"], ["nulls"], ["get"]])
    #expect(causes.map(\.level) == [.must, .must, .should, .should])
    #expect(causes[2].text == "a postback with null for each field that is absent" && causes[2].answer == "500")
    #expect(try Self.causes { _ in false }.isEmpty)
  }

  @Test("Copies are one cause, whether or not an id of another window makes one")
  func open() throws {
    let causes = try Self.causes { $0.traits.contains(.knownTransaction) && $0.open == nil }
    #expect(causes.map(\.trait) == [.knownTransaction] && causes.first?.findings.count == 13)
  }

  @Test("Each answer has its own causes, the greater first")
  func several() throws {
    let plan = try ReceiverPlan(app: .sample, seed: 1, model: nil) { "\($0.count)" }
    let causes = ReceiverCause.all(
      of: plan.deliveries.map { delivery in
        if delivery.traits.contains(.knownTransaction) { return ReceiverFinding(delivery, .wrong("409")) }
        if delivery.traits.contains(.withoutSource) {
          return ReceiverFinding(delivery, .wrong(delivery.id == "web-ad" ? "500" : "422"))
        }
        return ReceiverFinding(delivery, .right("200"))
      })
    #expect(causes.map(\.trait) == [.withoutSource, .knownTransaction, nil])
    #expect(causes.map(\.answer) == ["422", "409", "500"] && causes.map(\.findings.count) == [12, 10, 1])
    #expect(causes[0].example.id == "v4-tier-2" && causes[0].level == .must)
  }

  @Test("Networks' and strangers' requests are advice, phones' are not")
  func levels() throws {
    let plan = try ReceiverPlan(app: .sample, seed: 1, model: nil) { "\($0.count)" }
    let advised = Set(plan.deliveries.filter { $0.level == .should }.map(\.id))
    #expect(
      advised == [
        "v1.0", "forged-value", "conflict", "wrong-signature", "forged-before", "unknown-fields", "nulls",
        "unknown-version", "empty", "array", "text", "empty-object", "half-surrogate", "huge", "charset",
        "without-slash", "get", "put", "chunked", "slow",
      ])
    let other = try ReceiverPlan(app: .sample, seed: 1, model: nil, lacksSlash: true) { "\($0.count)" }
    #expect(other.deliveries.contains { $0.id == "with-slash" && $0.level == .must })
    #expect(plan.deliveries.filter { $0.open != nil }.map(\.id) == ["v2.0", "one-id-1", "one-id-2"])
  }
}

@Suite("Right and wrong answers of a receiver")
struct ReceiverFindingTests {
  private static func delivery(_ right: ReceiverDelivery.RightAnswer) throws -> ReceiverDelivery {
    let plan = try ReceiverPlan(app: .sample, seed: 1, model: nil) { _ in nil }
    return try #require(plan.deliveries.first { $0.right == right })
  }

  @Test("Of several answers a wrong one is shown, and how many there are")
  func several() throws {
    let delivery = try Self.delivery(.ok)
    let finding = { (answers: [ReceiverFinding.Answer]) in
      let finding = ReceiverFinding(delivery, answers: answers)
      return "\(finding.name) \(finding.answer)"
    }
    #expect(finding([.status(200)]) == "ok 200" && finding([.status(200), .status(200)]) == "ok 2 times 200")
    #expect(finding([.status(200), .status(500), .closed]) == "wrong 2 of 3: 500")
    #expect(finding([.closed]) == "wrong closed without an answer")
    #expect(finding([.status(200), .late(status: 200, why: "but late")]) == "wrong 1 of 2: 200, but late")
    #expect(finding([.none("no answer within 10 s")]) == "wrong no answer within 10 s")
    #expect(finding([]) == "ok no answer")
  }

  @Test("JUnit's form")
  func junit() throws {
    let delivery = try Self.delivery(.ok)
    let findings = [
      ReceiverFinding(delivery, .right("200")), ReceiverFinding(delivery, .wrong("500")),
      ReceiverFinding(delivery, .notEvaluated("over https")),
    ]
    let text = String(
      decoding: findings.junit(receiver: "http://a/", at: Instant(microseconds: 1_780_315_200_000_000)), as: UTF8.self)
    #expect(text.contains(#"tests="3" failures="1" errors="0" skipped="1""#))
    #expect(text.contains(#"<failure message="answered 500, must be 200" type="must">"#))
    #expect(text.contains(#"<skipped message="not evaluated: over https"/>"#))
  }
}
