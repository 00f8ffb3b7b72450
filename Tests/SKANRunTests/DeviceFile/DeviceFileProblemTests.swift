import SKANDevice
import SKANBase
import SKANSystem
import SKANRun
import Testing

/// Everything that is wrong with a device file, with its location.
func deviceFileProblems(_ text: String) -> [(location: TextLocation, message: String)] {
  let bytes = Array(text.utf8)
  do throws(SourceProblems) {
    _ = try DeviceFile(bytes)
    return []
  } catch {
    return error.problems.map { (TextLocation(of: $0.range, in: bytes), $0.message) }
  }
}

@Suite("Problems of a device file")
struct DeviceFileProblemTests {
  /// Messages with their locations: `LINE:COLUMN-LENGTH message`.
  private func problems(_ text: String) -> [String] {
    deviceFileProblems(text).map { "\($0.line):\($0.column)-\($0.length) \($1)" }
  }

  /// The problems of a file that is good but for these members, which begin at column 1 of line 2.
  private func problems(with members: String) -> [String] {
    problems("{\"format\":1,\"profile\":{},\n\(members)\(members.contains("\"kept\"") ? "" : ",\"kept\":{}")}")
  }

  @Test(
    "Wrong types and unknown keys",
    arguments: [
      ("\"keppt\":1", "2:1-7 a device file has no key \"keppt\"; did you mean \"kept\"?"),
      (
        "\"kept\":{\"p3_coarse\":1}", "2:9-11 what the app keeps has no key \"p3_coarse\"; did you mean \"p0_coarse\"?"
      ),
      ("\"kept\":[]", "2:8-2 what the app keeps must be an object, this is an array"),
      (
        "\"kept\":{\"p0_coarse\":[1]}", "2:21-3 \"p0_coarse\" must be a number, a boolean or a string, this is an array"
      ),
      (
        "\"kept\":{\"p0_coarse\":{\"USD\":1}}",
        "2:21-9 \"p0_coarse\" must be a number, a boolean or a string, this is an object"
      ),
      ("\"kept\":{\"p0_window_lock\":true}", "2:26-4 \"p0_window_lock\" must be whole Unix seconds, this is true"),
      (
        "\"kept\":{\"skan_conversion_value\":\"1\"}",
        "2:33-3 \"skan_conversion_value\" must be a whole number, this is \"1\""
      ),
      (
        "\"kept\":{\"p0_total_iap_revenue\":5}",
        "2:32-1 \"p0_total_iap_revenue\" must be an object of currencies and sums, this is 5"
      ),
      ("\"kept\":{\"p0_total_iap_revenue\":{\"USD\":true}}", "2:39-4 a sum must be a number, this is true"),
      (
        "\"kept\":{\"p0_total_iap_revenue\":{\"USD\":3.5e38}}",
        "2:39-6 a sum must fit a single-precision number (up to 3.4e38)"
      ),
      (
        "\"kept\":{\"p0_total_iap_revenue\":{\"USD\":-1e300}}",
        "2:39-6 a sum must fit a single-precision number (up to 3.4e38)"
      ),
      (
        "\"process\":{\"launches\":0}",
        "2:23-1 \"launches\" must be a whole number from 1 to 9007199254740992, this is 0"
      ),
      ("\"process\":{\"lock_held\":null}", "2:24-4 \"lock_held\" must be true or false, this is null"),
      ("\"endpoint\":{\"event_counts\":{\"p0\":5}}", "2:34-1 \"p0\" must be an object of events and counts, this is 5"),
      (
        "\"endpoint\":{\"event_counts\":{\"p0\":{\"a\":-1}}}", "2:39-2 a count must be a whole number, 0 or more"
      ),
      (
        "\"endpoint\":{\"event_counts\":{\"p2\":{\"a\":\"1\"}}}", "2:39-3 a count must be a whole number, 0 or more"
      ),
      ("\"endpoint\":{\"answered_by\":5}", "2:27-1 who answered last must be an object, this is a number"),
      ("\"endpoint\":{\"answered_by\":{}}", "2:27-2 who answered last needs the key \"name\""),
      (
        "\"endpoint\":{\"test_calls\":-1}",
        "2:26-2 \"test_calls\" must be a whole number from 0 to 9007199254740992, this is -1"
      ),
      ("\"time\":{\"end\":\"now\"}", "2:15-5 \"end\" must be Unix seconds of the years 1 to 9999, this is \"now\""),
      (
        "\"time\":{\"end\":1e15}",
        "2:15-4 \"end\" must be Unix seconds of the years 1 to 9999, this is 1000000000000000"
      ),
      ("\"idempotency_keys\":[1]", "2:21-1 an idempotency key must be a string, this is 1"),
      ("\"idempotency_keys\":\"k\"", "2:20-3 \"idempotency_keys\" must be an array, this is \"k\""),
      ("\"framework_calls\":[5]", "2:20-1 a framework call must be an object, this is a number"),
      (
        "\"framework_calls\":[{\"call\":\"registerAppForAdNetworkAttribution\"}]",
        "2:20-45 a framework call needs the key \"at\""
      ),
      (
        "\"framework_calls\":[{\"at\":0,\"call\":\"update\",\"fine\":1}]", "2:20-33 no such call into Apple's framework"
      ),
    ])
  func members(members: String, problem: String) {
    #expect(problems(with: members).first == problem)
  }

  @Test("Sums that are not finite", arguments: ["1e999", "-1e999", "1e400"])
  func infinite(sum: String) {
    #expect(
      problems(with: "\"kept\":{\"p0_total_iap_revenue\":{\"USD\":\(sum)}}") == [
        "2:39-1 not JSON: the number is too large"
      ])
  }

  @Test("A sum beyond whole numbers of 63 bits is one all the same")
  func large() throws {
    let text = #"{"format":3,"profile":{},"kept":{"p0_total_iap_revenue":{"USD":9223372036854775808}}}"#
    let again = try DeviceFile(Array(try DeviceFile(Array(text.utf8)).text.utf8))
    #expect(again.text.contains(#""USD": 9.223372036854776e+18"#))
  }

  @Test("A newer format says just that", arguments: ["4", "99", "9223372036854775808"])
  func newer(format: String) {
    #expect(
      problems("{\"profile\":5,\"format\":\(format),\"x\":1}") == [
        "1:23-\(format.count) format \(format) is newer than this skan, which reads up to 3"
      ])
  }

  @Test("A format that is none", arguments: [("0", "0"), ("\"1\"", "\"1\""), ("1.0", "1"), ("-1", "-1")])
  func badFormat(format: String, shown: String) {
    #expect(
      problems("{\"format\":\(format),\"profile\":{},\"kept\":{}}") == [
        "1:11-\(format.count) \"format\" must be a whole number from 1 to 3, this is \(shown)"
      ])
  }

  @Test(
    "Not JSON",
    arguments: [
      ("", "1:1-1 not JSON: the text ends too early"), ("{", "1:2-1 not JSON: the text ends too early"),
      ("skan", "1:1-1 not JSON: expected a value: an object, array, string, number, true, false or null"),
      ("{\"format\":1,\n\"format\":1}", "2:1-1 not JSON: the key \"format\" is given twice"),
      ("{}\n{}", "2:1-1 not JSON: more text after the end of the value"),
      ("\u{FEFF}{}", "1:1-1 not JSON: a byte order mark does not belong here"),
      ("{\"é\": nul}", "1:7-1 not JSON: expected a value: an object, array, string, number, true, false or null"),
    ])
  func notJSON(text: String, problem: String) {
    #expect(problems(text) == [problem])
  }

  @Test("Several at once, in the order of their locations")
  func several() {
    #expect(
      problems(
        """
        {"profil": 1,
         "format": 1,
         "kept": {"p0_coarse": null, "p1_coarse": [],
          "skan_total_revenue_by_currency": {"é": 1e39, "b": "1"}},
         "time": {"virtual": 1, "later": 2}}
        """) == [
          "1:1-13 a device file needs the key \"profile\"",
          "1:2-8 a device file has no key \"profil\"; did you mean \"profile\"?",
          "3:24-4 \"p0_coarse\" must be a number, a boolean or a string, this is null",
          "3:43-2 \"p1_coarse\" must be a number, a boolean or a string, this is an array",
          "4:43-4 a sum must fit a single-precision number (up to 3.4e38)",
          "4:54-3 a sum must be a number, this is \"1\"",
          "5:22-1 \"virtual\" must be true or false, this is 1",
          "5:25-7 the time has no key \"later\"; known: virtual, first, first_given, end",
        ])
  }
}
