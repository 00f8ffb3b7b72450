import Testing

@testable import SKANDevice

/// The rows of the article "Operations", for `skan4` and `skan4-beta`, in their order.
@Suite("SKAN 4: the checks of an update, row by row")
struct UpdateTableTests {
  struct Row: Sendable {
    var answer: String
    var outcome: Outcome
    /// Nil when the handler is never called.
    var handler: HandlerCall?
    var isLockHeld = false
    var only: SnippetVersion?

    init(
      _ answer: String, _ outcome: Outcome, _ handler: HandlerCall? = nil, lockHeld: Bool = false,
      only: SnippetVersion? = nil
    ) {
      self.answer = answer
      self.outcome = outcome
      self.handler = handler
      isLockHeld = lockHeld
      self.only = only
    }
  }

  private static let parsing = HandlerCall.failed("Failed parsing server response")
  private static let illegal = HandlerCall.failed("Illegal values recieved")
  private static let unusable = ["null", "[]", "[5]", "{}", #"{"a":1}"#]

  /// Rows 5 to 14: all leave what is kept as it was.
  static let rows: [Row] =
    [
      "", " \n", "<html>", #"{"conversion_value":1"#, good("1") + "x", "\"\"", "5", "true", "null", "NaN",
      #"{"conversion_value":09}"#, "{'conversion_value':1}", #"{"conversion_value":1,,}"#, #"{"conversion_value":NaN}"#,
    ]
    .map { Row($0, .unparsable, parsing) }
    + ["[]", "[1]", "[{\"conversion_value\":1}]", "[1,]"].map { Row($0, .crashed) }
    + unusable.map { Row(good("1", lock: $0), .crashed) }
    + unusable.map { Row("{\"skan_updated_lock_window_value\":\($0),\"status\":\"ok\"}", .crashed) }
    + [#"{"status":"ok"}"#, #"{"status":"ok","reason":"r"}"#, #"{"status":"ok","skan_updated_coarse_value":null}"#]
    .map { Row($0, .noUpdate) }
    + ["null", "0", "true", "[]", "{}"].map { Row("{\"status\":\($0),\"reason\":\"r\"}", .crashed) }
    + [
      Row(#"{"status":"error","reason":"why"}"#, .serverError, .failed("why")),
      Row(#"{"status":"OK"}"#, .serverError, .failed("Got error from server")),
      Row("{}", .serverError, .failed("Got error from server")),
      Row(#"{"reason":""}"#, .serverError, .failed("")),
      Row(#"{"reason":null}"#, .serverError, .failed("null")),
      Row(#"{"reason":{"b":[1.0],"a":true}}"#, .serverError, .failed(#"{"a":true,"b":[1]}"#)),
      Row(#"{"Conversion_value":5}"#, .serverError, .failed("Got error from server")),
    ]
    + unusable.map { Row(good($0), .crashed) }
    + ["64", "-1", "64.0", "2147483648", "9223372036854775807", #""64""#, #""-1""#].map {
      Row(good($0), .illegalValues, illegal, lockHeld: true)
    }
    + unusable.map { Row(good("1", coarse: $0), .crashed) }
    + ["3", "-1", "3.0", #""3""#].map {
      Row(good("1", coarse: $0), .illegalValues, illegal, lockHeld: true, only: .skan4)
    }

  @Test("What an answer leads to", arguments: rows, [SnippetVersion.skan4, .skan4Beta])
  func row(_ row: Row, snippet: SnippetVersion) {
    guard row.only ?? snippet == snippet else { return }
    var device = Device.phone(snippet)
    _ = device.update(good("7", coarse: "1"), at: 10)
    let before = device.kept
    let report = device.update(row.answer, at: 60)
    #expect(report.outcome == row.outcome)
    #expect(report.handler == row.handler)
    #expect(report.framework == nil)
    #expect((report.crash != nil) == (row.outcome == .crashed))
    #expect(device.kept == before)
    #expect(device.process.isLockHeld == row.isLockHeld)
    #expect(device.process.launches == (row.outcome == .crashed ? 2 : 1))
    #expect(!report.changesKept)
    // The next update goes through unless the lock leaked.
    #expect(device.update(good("9"), at: 61).outcome == (row.isLockHeld ? .blocked : .updated))
  }

  @Test("An answer that is accepted, and what the framework gets", arguments: [SnippetVersion.skan4, .skan4Beta])
  func accepted(snippet: SnippetVersion) {
    let expected: [(answer: String, fine: Int64, coarse: CoarseValue?, lock: Bool)] = [
      (good("0"), 0, nil, false), (good("63", coarse: "0"), 63, .low, false),
      (good("5", coarse: "2", lock: "true"), 5, .high, true),
      (good("1.7", coarse: "1.9"), 1, .medium, false), (good("-0.5", coarse: "-0.5"), 0, .low, false),
      (good("true", coarse: "true", lock: "-1"), 1, .medium, true), (good("1e1", lock: "0.5"), 10, nil, true),
      (good("4294967297", coarse: "4294967296"), 4_294_967_297, nil, false),
      (good("-4294967296"), -4_294_967_296, nil, false),
      (good(#"" 8""#, coarse: #""high""#, lock: #""YES""#), 8, .low, true), (good("5", lock: #""no""#), 5, nil, false),
      ("\u{FEFF} {\"conversion_value\":4,\"conversion_value\":5,\"status\":\"error\",} \n", 5, nil, false),
      (#"{"conversion\u005fvalue":3}"#, 3, nil, false),
    ]
    for (answer, fine, coarse, lock) in expected {
      var device = Device.phone(snippet)
      let report = device.update(.response(status: 500, body: Array(answer.utf8)))
      #expect(report.outcome == .updated, "\(answer)")
      #expect(report.framework == .updatePostbackCoarse(fine: fine, coarse: coarse, lock: lock), "\(answer)")
      #expect((device.kept.windowLock[.p0] != nil) == lock)
      #expect(!device.process.isLockHeld)
    }
  }

  @Test("The beta takes every coarse number", arguments: ["3", "-1", "99", "2.9", "4294967296"])
  func beta(coarse: String) throws {
    var device = Device.phone(.skan4Beta)
    let report = device.update(good("5", coarse: coarse))
    #expect(report.outcome == .updated)
    let kept = try #require(device.kept.coarseValue[.p0])
    #expect(report.framework == .updatePostbackCoarse(fine: 5, coarse: coarse == "2.9" ? .high : nil, lock: false))
    #expect(report.handler == .values(fine: .integer(5), coarse: kept, lock: false))
    #expect(kept.decimalText == coarse)
  }
}
