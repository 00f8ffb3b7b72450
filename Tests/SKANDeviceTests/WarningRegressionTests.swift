import Testing

@testable import SKANDevice

/// Mistakes that were mended, so that they stay so.
@Suite("Mended: warnings and explanations")
struct WarningRegressionTests {
  @Test(
    "A field of an odd type is reported also when a later field crashes the app",
    arguments: [
      (good("null", lock: "1"), ["conversion_value", "skan_updated_lock_window_value"]),
      (good("true", coarse: "null"), ["conversion_value", "skan_updated_coarse_value"]),
    ])
  func oddTypeBeforeCrash(answer: String, fields: [String]) {
    var device = Device.phone()
    let report = device.update(answer)
    #expect(report.outcome == .crashed)
    let odd = report.warnings.compactMap { if case .oddType(let field, _, _) = $0 { field } else { nil } }
    #expect(odd.sorted() == fields)
  }

  @Test("An index is compared as a number: 0.0 is P0's", arguments: ["0.0", "0e0", "-0.0"])
  func wholeIndex(index: String) {
    var device = Device.phone()
    #expect(!device.update(good("5", index: index)).codes.contains("index-mismatch"))
  }

  @Test("A reason that is a sentence does not end the explanation with two periods")
  func periods() {
    var device = Device.phone()
    expectSentence(device.update(#"{"status":"error","reason":"Unknown platform error."}"#).explanation.description)
  }

  @Test("A reason, a transport error or a string value of two lines leaves the explanation one line")
  func lines() {
    var device = Device.phone()
    expectSentence(device.update(#"{"reason":"a\nb"}"#).explanation.description)
    expectSentence(device.update(.failure("a\nb")).explanation.description)
    expectSentence(device.update(good(#""5\n""#), at: 3 * day).explanation.description)
  }

  @Test("33 ASCII characters are more than 32, whichever they are")
  func length() {
    let name = String(repeating: "x", count: 31) + "\r\n"
    #expect(Warning.about(eventName: name) == [.nameTooLong(33)])
  }
}
