import SKANBase
import SKANDevice
import SKANRun
import SKANSystem
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
        "2:15-4 \"end\" must be Unix seconds of the years 1 to 9999, this is 1e15"
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

  @Test("A format that is none", arguments: [("0", "0"), ("\"1\"", "\"1\""), ("1.5", "1.5"), ("-1", "-1")])
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

  /// The problems of a file that is good but for this member, which is line 2.
  private func located(_ member: String) -> [String] {
    deviceFileProblems("{\"format\":2,\"profile\":{},\"kept\":{},\n\(member)}").map { "\($0.line):\($0.column) \($1)" }
  }

  private static let seconds = "must be Unix seconds of the years 1 to 9999, this is"

  @Test(
    "What Apple holds",
    arguments: [
      ("5", "2:13 what Apple holds must be an object, this is a number"),
      (#"{"first_lunch":1}"#, #"2:14 what Apple holds has no key "first_lunch"; did you mean "first_launch"?"#),
      (#"{"first_launch":"x"}"#, #"2:29 "first_launch" \#(seconds) "x""#),
      (#"{"first_update":true}"#, #"2:29 "first_update" \#(seconds) true"#),
      (#"{"latest_call":1e15}"#, #"2:28 "latest_call" \#(seconds) 1e15"#),
      (#"{"timer_start":[]}"#, #"2:28 "timer_start" \#(seconds) an array"#),
      (
        #"{"first_update":1,"version":"4"}"#,
        #"2:41 "version" must be one of "4.0", "3.0", "2.2", "2.1", "2.0", this is "4""#
      ),
      (#"{"first_update":1}"#, #"2:13 what Apple holds needs the key "version""#),
      (#"{"first_update":1,"version":"3.0"}"#, #"2:13 "timer_start" is missing"#),
      (#"{"first_update":1,"version":"4.0","timer_start":1}"#, #"2:61 "timer_start" belongs to versions up to 3"#),
      (#"{"version":"4.0"}"#, #"2:13 values without the key "first_update""#),
      (#"{"p0":{"updated":true}}"#, #"2:13 values without the key "first_update""#),
    ])
  func framework(content: String, problem: String) {
    #expect(located("\"framework\":\(content)") == [problem])
  }

  @Test(
    "A window of Apple's",
    arguments: [
      (#""p0":1"#, "2:52 a window of Apple's must be an object, this is a number"),
      (#""p0":{"fien":1}"#, #"2:53 a window of Apple's has no key "fien"; did you mean "fine"?"#),
      (
        #""p1":{"fine":1}"#,
        #"2:53 a window of Apple's has no key "fine"; known: updated, coarse, locked_at, fine_only"#
      ),
      (#""p0":{"fine":64}"#, #"2:60 "fine" must be a whole number from 0 to 63, this is 64"#),
      (#""p0":{"fine":1.5}"#, #"2:60 "fine" must be a whole number from 0 to 63, this is 1.5"#),
      (#""p0":{"updated":1}"#, #"2:63 "updated" must be true or false, this is 1"#),
      (
        #""p2":{"coarse":1}"#,
        #"2:62 "coarse" must be one of "low", "medium", "high", "none", this is 1"#
      ),
      (#""p2":{"locked_at":false}"#, #"2:65 "locked_at" \#(seconds) false"#),
      (#""p2":{"fine_only":"yes"}"#, #"2:65 "fine_only" must be true or false, this is "yes""#),
    ])
  func windows(content: String, problem: String) {
    #expect(located(#""framework":{"first_update":1,"version":"4.0",\#(content)}"#) == [problem])
  }

  private static let outcomes = Outcome.allCases.map(\.name).joined(separator: ", ")
  private static let fates = CallFate.Kind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")

  @Test(
    "The history",
    arguments: [
      ("5", "2:11 \"history\" must be an array, this is 5"),
      ("[5]", "2:12 an event of the history must be an object, this is a number"),
      (#"[{"at":1,"op":"session","outcome":"updated","whn":1}]"#, #"2:55 an event of the history has no key "whn""#),
      (#"[{"op":"session","outcome":"updated"}]"#, #"2:12 an event of the history needs the key "at""#),
      (#"[{"at":1,"op":"session","outcome":"updated","name":"a"}]"#, #"2:62 "name" goes with the op "event""#),
      (
        #"[{"at":1,"op":"event","name":"a","outcome":"updated","amount":1}]"#,
        #"2:73 "amount" goes with the op "revenue""#
      ),
      (#"[{"at":1,"op":"session","outcome":"updated","apple":"taken"}]"#, #"2:63 "apple" goes with "call""#),
      (
        #"[{"at":1,"op":"session","outcome":"updated","requested_at":1}]"#,
        #"2:70 "requested_at" goes with "called_at""#
      ),
      (
        #"[{"at":1,"op":"session","outcome":"updated","called_at":1,"answered_at":1}]"#,
        #"2:83 "answered_at" goes with "requested_at""#
      ),
      (
        #"[{"at":1,"op":"register","outcome":"registered","called_at":1}]"#,
        #"2:71 "called_at" goes with the ops "session" and "event""#
      ),
      (
        #"[{"at":1,"op":"session","outcome":"updated","answered_by":"list"}]"#,
        #"2:69 "answered_by" goes with "warnings", an array that may be empty"#
      ),
      (#"[{"at":"x","op":"session","outcome":"updated"}]"#, #"2:18 "at" \#(seconds) "x""#),
      (#"[{"at":1,"outcome":"updated"}]"#, #"2:12 an event of the history needs the key "op""#),
      (
        #"[{"at":1,"op":"details","outcome":"read"}]"#,
        #"2:25 "op" must be register, session, event, revenue, update, relaunch, s2s, aak-update, aak-reengage, aak-development, impression or download"#
      ),
      (#"[{"at":1,"op":5,"outcome":"read"}]"#, #"2:25 "op" must be a string, this is 5"#),
      (#"[{"at":1,"op":"event","outcome":"updated"}]"#, #"2:12 an event of the history needs the key "name""#),
      (#"[{"at":1,"op":"event","name":1,"outcome":"updated"}]"#, #"2:40 "name" must be a string, this is 1"#),
      (
        #"[{"at":1,"op":"revenue","amount":"1","currency":"","outcome":"added"}]"#,
        #"2:44 "amount" must be a number, this is "1""#
      ),
      (
        #"[{"at":1,"op":"revenue","amount":1,"outcome":"added"}]"#,
        #"2:12 an event of the history needs the key "currency""#
      ),
      (#"[{"at":1,"op":"session"}]"#, #"2:12 an event of the history needs the key "outcome""#),
      (
        #"[{"at":1,"op":"session","outcome":"update"}]"#,
        #"2:45 "outcome" must be one of \#(outcomes), this is "update""#
      ),
      (
        #"[{"at":1,"op":"session","outcome":"updated","apple":"took"}]"#,
        #"2:63 "apple" must be one of \#(fates), this is "took""#
      ),
      (
        #"[{"at":1,"op":"session","outcome":"updated","call":"registerAppForAdNetworkAttribution","fine":1}]"#,
        "2:12 no such call into Apple's framework"
      ),
      (
        #"[{"at":1,"op":"session","outcome":"updated","call":"updatePostbackConversionValue","fine":1,"coarse":"low"}]"#,
        "2:12 no such call into Apple's framework"
      ),
      (
        #"[{"at":1,"op":"session","outcome":"updated","call":"updateConversionValue","fine":"1"}]"#,
        #"2:93 "fine" must be a whole number, this is "1""#
      ),
      (
        #"[{"at":1,"op":"session","outcome":"updated","warnings":["lock-leakt"]}]"#,
        #"2:67 no warning has the code "lock-leakt"; did you mean "lock-leaked"?"#
      ),
      (#"[{"at":1,"op":"session","outcome":"updated","warnings":["zzz"]}]"#, #"2:67 no warning has the code "zzz""#),
      (
        #"[{"at":1,"op":"session","outcome":"updated","warnings":["blocked",7]}]"#,
        "2:77 a warning must be its code, a string, this is 7"
      ),
      (
        #"[{"at":1,"op":"session","outcome":"updated","warnings":"blocked"}]"#,
        #"2:66 "warnings" must be an array, this is "blocked""#
      ),
      (#"[{"at":1,"op":"session","outcome":"updated","warnings":null}]"#, #"2:66 "warnings" must be an array"#),
      (
        #"[{"at":1,"op":"session","outcome":"updated","answered_by":5,"warnings":[]}]"#,
        #"2:69 "answered_by" must be a string, this is 5"#
      ),
      (
        #"[{"at":1,"op":"session","outcome":"updated","answered_by":"list"}]"#,
        #"2:69 "answered_by" goes with "warnings", an array that may be empty"#
      ),
      (
        #"[{"at":1,"op":"session","outcome":"updated","answerd_by":"list","warnings":[]}]"#,
        #"2:55 an event of the history has no key "answerd_by"; did you mean "answered_by"?"#
      ),
    ])
  func history(content: String, problem: String) {
    let found = located("\"history\":\(content)")
    #expect(found.count == 1 && found.first?.hasPrefix(problem) ?? false, "\(found)")
  }

  private static func delivery(_ at: String, _ index: String, _ recipient: String, _ ending: String) -> String {
    #""deliveries":[{"at":\#(at),"transaction_id":"a","sequence_index":\#(index),"recipient":\#(recipient),"url":"b"\#(ending)}]"#
  }

  private static let status = #","status":200"#

  @Test(
    "The deliveries",
    arguments: [
      (#""deliveries":{}"#, "2:14 \"deliveries\" must be an array, this is an object"),
      (#""deliveries":[true]"#, "2:15 a delivery must be an object, this is a boolean"),
      (delivery("true", "0", #""network""#, status), #"2:21 "at" \#(seconds) true"#),
      (
        delivery("1", "3", #""network""#, status),
        #"2:61 "sequence_index" must be a whole number from 0 to 2, this is 3"#
      ),
      (
        delivery("1", "0", #""apple""#, status),
        #"2:75 "recipient" must be one of "network", "developer", this is "apple""#
      ),
      (
        delivery("1", "0", #""network""#, #","status":20"#),
        #"2:104 "status" must be a whole number from 100 to 999, this is 20"#
      ),
      (delivery("1", "0", #""network""#, #","error":5"#), #"2:103 "error" must be a string, this is 5"#),
      (delivery("1", "0", #""network""#, ""), #"2:15 a delivery needs "status" or "error""#),
      (delivery("1", "0", #""network""#, #","code":1"#), #"2:95 a delivery has no key "code""#),
    ])
  func deliveries(content: String, problem: String) {
    let found = located(content)
    #expect(found.first?.hasPrefix(problem) ?? false, "\(found)")
  }

  @Test("What a delivery needs", arguments: ["at", "transaction_id", "sequence_index", "recipient", "url"])
  func needed(key: String) {
    let members = [
      ("at", "1"), ("transaction_id", #""a""#), ("sequence_index", "0"), ("recipient", #""network""#), ("url", #""b""#),
      ("status", "200"),
    ]
    let text = members.filter { $0.0 != key }.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
    #expect(located("\"deliveries\":[{\(text)}]") == ["2:15 a delivery needs the key \"\(key)\""])
  }
}
