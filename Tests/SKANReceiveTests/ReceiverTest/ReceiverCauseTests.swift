import SKANBase
import SKANDevice
import SKANModel
import SKANSigning
import Testing

@testable import SKANReceive

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
