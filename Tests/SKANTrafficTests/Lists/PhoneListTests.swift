import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANRun
import TestSupport
import Testing

@testable import SKANTraffic

/// The steps that the clean life with a change comes to.
@Suite("The steps of a captured phone")
struct PhoneListTests {
  private func steps(_ plant: (inout PlantedLife) -> Void = { _ in }) throws -> [ListedStep] {
    var life = try PlantedLife()
    plant(&life)
    let requests = life.requests.compactMap { request in
      EndpointKind(path: request.request.path).flatMap { CheckedRequest(request, kind: $0, in: JSONDocument()) }
    }
    return PhoneList(requests).steps
  }

  /// `seconds amount currency label` of the steps of revenue.
  private func revenue(_ plant: (inout PlantedLife) -> Void) throws -> [String] {
    try steps(plant).compactMap { step in
      guard case .revenue(let revenue) = step.operation else { return nil }
      return "\(revenue.amount) \(revenue.currency ?? "")\(step.label.map { ": \($0)" } ?? "")"
    }
  }

  private static let clean = ["9.99 USD", "0.0123 USD", "4.99 EUR", "0.5 USD", "0.99 USD", "1.99 USD"]

  @Test("An update is at the time that the phone kept of it") func updateAt() throws {
    let times = try steps().filter { if case .session = $0.operation { true } else { false } }.map(\.at?.wholeSeconds)
    // One second after it was sent.
    #expect(times.prefix(2) == [1_767_229_201, 1_767_297_601])
  }

  @Test(
    "After an answer that leaves the lock held the app must have been restarted",
    arguments: [(63, 0), (64, 1)])
  func relaunch(value: Int, count: Int) throws {
    let steps = try steps {
      $0.answer(4, #"{"conversion_value":\#(value),"skan_updated_coarse_value":0,"status":"ok"}"#)
    }
    #expect(steps.count { $0.label == "the app must have been restarted" } == count)
  }

  @Test("Amounts are those of the totals, and an amount that no total has is said") func amountsThose() throws {
    #expect(try revenue { _ in } == Self.clean)
    let reported = try revenue { life in
      life.set("amt", [31], to: "1.5")
      life.set("cur", [31], to: "USD")
    }
    #expect(
      reported == Self.clean.dropLast() + [
        "1.5 USD: the app's server reported 1.5 USD, the total did not grow", "1.99 USD",
      ], "\(reported)")
  }

  @Test("The growth of another currency is not what the server reported") func growthAnother() throws {
    let other = try revenue { life in
      for name in ["skan_total_revenue_by_currency", "p1_total_iap_revenue"] {
        life.add(2, "GBP", to: name, Array(20...40))
      }
    }
    #expect(other == ["9.99 USD", "0.0123 USD", "4.99 EUR", "2.0 GBP", "0.5 USD", "0.99 USD", "1.99 USD"], "\(other)")
  }

  @Test(
    "The amount with the fewest decimals that explains a sum; without one the difference",
    arguments: [
      (0.5, 0.5), (0.015, 0.015), (0.123456, 0.123456), (1.0 / 3, Double(Float(1.0 / 3))),
      (1.0 / 143, Double(Float(1.0 / 143))),
    ] as [(Double, Double)])
  func amounts(sum: Double, amount: Double) {
    #expect(RevenueGrowth.amount(from: 0, to: Double(Float(sum)), by: .single) == amount)
  }

  /// The expectations of a list that a simulated phone does not meet, and how many there are.
  private func replayed(_ requests: [CapturedRequest]) throws -> (unmet: [String], count: Int) {
    let phones = ListPhones(StepRunner())
    let reader = ListReader("list", ByteSource(Array(CapturedList(requests).text.utf8)), ListReader.Options())
    var (step, unmet, count) = (Step(.details), [String](), 0)
    while let item = try reader.next(into: &step) {
      guard case .step = item else {
        unmet.append("\(item)")
        continue
      }
      let shown = ShownResult(try phones.run(step))
      for verdict in step.expectations.verdicts(on: shown, isInterrupted: { false }) ?? [] {
        count += 1
        if !verdict.isMet { unmet.append("\(reader.location.line) \(verdict.path)") }
      }
    }
    return (unmet, count)
  }

  @Test("A phone that ran its list meets what the list expects") func phoneRan() throws {
    let life = try PlantedLife()
    let (unmet, count) = try replayed(life.requests)
    #expect(unmet == [] && count > 20, "\(count)")
    let asks = try replayed(life.conversions.map { life.requests[$0 - 1] })
    #expect(asks.unmet == [] && asks.count > 10, "\(asks.count)")
  }

  @Test("A list as it is written") func listAs() throws {
    let folder = Checkout.root.appending(path: "Tests/EndToEnd/check-end")
    let requests = try Captured(Array(Data(contentsOf: folder.appending(path: "files/applied.ndjson")))).requests
    let expected = try String(contentsOf: folder.appending(path: "expected.files/applied.jsonl"), encoding: .utf8)
    #expect(CapturedList(requests).text.replacing("capture entry", with: "applied.ndjson entry") == expected)
  }
}
