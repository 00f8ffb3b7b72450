import SKANBase
import SKANDevice
import SKANModel
import SKANSigning
import Testing

@testable import SKANReceive

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
