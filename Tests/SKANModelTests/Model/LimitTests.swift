import SKANBase
import SKANDevice
import TestSupport
import Testing

@testable import SKANModel

@Suite("Both sides of every limit")
struct LimitTests {
  @Test("What a message does not name it counts")
  func rest() throws {
    try expectRest(beyond: 5, "apps with a model") { count in
      EndpointError.noModel("x", known: (0..<count).map { "app\($0)" }).explanation
    }
    try expectRest(beyond: 4, "values of a model") { count in
      ConversionModel.list((0..<count).map { .fine(Int64($0)) })
    }
  }

  @Test("Problems of a file of rates")
  func rates() {
    expectLimit(100, "problems") { count in
      let rates = "{\((0..<count).map { "\"x\($0)\":1" }.joined(separator: ","))}"
      do throws(SourceProblems) { _ = try ExchangeRates(Array(rates.utf8)) } catch {
        return error.problems.count == count
      }
      return false
    }
  }

  @Test("Lengths of what a message shows")
  func lengths() {
    expectLimit(60, "a value") { !ParameterFlaw.notAUUID.message(String(repeating: "x", count: $0)).contains("…") }
    expectLimit(20, "a currency") { count in
      !ParameterFlaw.currencyOfTotal(String(repeating: "x", count: count)).message("").contains("…")
    }
    for letter in ["a", "ü"] {
      expectLimit(32, "an event's name") { count in
        ParameterForm.eventName.flaw(of: String(repeating: letter, count: count)) != .longName(count)
      }
    }
  }
}
