import SKANBase
import SKANDevice
import SKANHTTP
import TestSupport
import Testing

@testable import SKANTraffic

/// What is said of an answer in the clean life, whose entry 30 is a request for a value.
@Suite("What is said of an answer")
struct AnswerMessageTests {
  private func findings(_ plant: (inout PlantedLife) -> Void) throws -> [String] {
    var life = try PlantedLife()
    plant(&life)
    return try Checked(life.requests).text
  }

  @Test(
    "That cannot be used",
    arguments: [
      ("<html>", "conversion-error: the answer is not a JSON object."),
      ("[]", "conversion-error: the answer is not a JSON object."),
      (#"{"status":"error"}"#, "conversion-error: the answer is: an error without a reason."),
      (#"{"status":"error","reason":5}"#, "conversion-error: the answer is: 5."),
      ("{}", "conversion-error: the answer is: an error without a reason."),
      (#"{"conversion_value":64,"status":"ok"}"#, "answer-unusable: the value is 64."),
      (
        #"{"conversion_value":12,"skan_updated_coarse_value":5,"status":"ok"}"#,
        "answer-unusable: the value is 12, the coarse value 5."
      ),
      (
        #"{"conversion_value":"12","skan_updated_coarse_value":"2","status":"ok"}"#,
        "answer-unusable: the value is \"12\", the coarse value \"2\"."
      ), (#"{"status":"ok","skan_updated_lock_window_value":[]}"#, "answer-unusable: the lock is []."),
    ])
  func unusable(body: String, message: String) throws {
    #expect(try findings { $0.answer(30, body) }.filter { $0.hasPrefix("30 ") } == ["30 \(message)"])
  }

  @Test("Without an answer nothing changes, and one that is not known may change anything") func withoutAnswer() throws
  {
    let failed = try findings { $0.requests[11].answer = .failure("timed out") }
    #expect(failed.contains("13 value-never-answered: the value is 12, which no answer gave."), "\(failed)")
    let unknown = try findings { $0.requests[11].answer = .notCaptured }
    #expect(!unknown.contains { $0.contains("value-never-answered") }, "\(unknown)")
  }

  @Test("A coarse value that was shown without one") func coarseValue() throws {
    let found = try findings { $0.answer(12, #"{"conversion_value":12,"status":"ok"}"#) }
    #expect(
      found.contains { $0.contains("answer-not-shown: the answer at entry 12 gave no coarse value.") }, "\(found)")
  }

  @Test("Names that the two endpoints have otherwise") func namesTwo() throws {
    let session = try findings { $0.set("n", [13], to: "__SESSION__") }
    #expect(
      session.contains("13 session-name-misplaced: a session is reported to evt under __SESSION__."), "\(session)")
    let late = try findings { life in
      life.set("n", [13], to: "Level")
      life.requests.swapAt(11, 12)
      life.requests[11].at = life.requests[12].at
    }
    #expect(late.contains { $0.hasSuffix("event-name-case: n is level here and Level at evt.") }, "\(late)")
  }

  @Test("Another first call is of the same install when something was kept of it") func anotherFirst() throws {
    let first = "skan_first_call_to_skadnetwork_timestamp"
    let last = "skan_last_call_to_skadnetwork_timestamp"
    func planted(_ more: (inout PlantedLife) -> Void) throws -> [String] {
      try findings { life in
        life.set(first, Array(14...40), to: "1767225601")
        life.set(last, [14]) { $0.flatMap { Int64($0) }.map { "\($0 + 1)" } }
        more(&life)
      }.filter { $0.contains("first-call-changed") }
    }
    let message = "14 first-call-changed: the first call is 1767225601, it was 1767225600."
    // The values of the request before, or else sums that did not shrink.
    #expect(try planted { _ in } == [message])
    #expect(try planted { $0.set("prev_fine_value", [14], to: nil) } == [message])
  }
}
