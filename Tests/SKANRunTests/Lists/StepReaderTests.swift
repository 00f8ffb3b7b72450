import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANRun

private let tiers = "\"tiers\" must be \(DevelopmentConversion.tiersForm)"

@Suite("Reading a step")
struct StepReaderTests {
  @Test("Each op", arguments: OperationSpec.names.filter { $0 != "include" })
  func operations(op: String) throws {
    let own = [
      "event": #","name":"n""#, "revenue": #","amount":1,"currency":"USD""#, "update": #","ios":"18.0""#,
      "s2s": #","kind":"session""#, "aak-update": #","fine":5"#, "aak-reengage": #","url":"https://example.com/""#,
    ]
    let step = try step("{\"op\":\"\(op)\"\(own[op] ?? "")}")
    #expect(step.operation.name == op)
    #expect(step.device.isEmpty && step.label == nil && step.time == nil && step.expectations.isEmpty)
    #expect(step.operation.takesTime == (op != "device"))
  }

  @Test("The keys of every step")
  func common() throws {
    let step = try step(
      #" {"op":"details","after":"1h","device":"Ann","label":"first","expect":{"outcome":"read","details.p0_coarse":null,"at":1.0}} "#
    )
    #expect(step.device == "Ann")
    #expect(step.label == "first")
    #expect(step.time == .after(TimeSpan(seconds: 3600 as Int64)))
    #expect(
      step.expectations == [
        Expected(path: "outcome", expected: .string("read")), Expected(path: "details.p0_coarse", expected: .null),
        Expected(path: "at", expected: .integer(1)),
      ])
  }

  @Test(
    "Times",
    arguments: [
      (#""at":1767225600"#, .at(moment(0))), (#""at":1767225600.25"#, .at(moment(0.25))),
      (#""at":-1"#, .at(Instant(microseconds: -1_000_000))),
      (#""at":1.767225601e9"#, .at(moment(1))), (#""at":"2026-01-01T00:00:00Z""#, .at(moment(0))),
      (#""at":"2026-01-01T01:00:00.5+01:00""#, .at(moment(0.5))),
      (#""at":"+2d3h""#, .sinceFirst(TimeSpan(seconds: 183_600 as Int64))),
      (#""at":"+0s""#, .sinceFirst(.zero)), (#""after":"250ms""#, .after(TimeSpan(microseconds: 250_000))),
      (#""after":"0s""#, .after(.zero)),
      (#""label":"none""#, nil),
    ] as [(String, TimeSpec?)])
  func times(key: String, expected: TimeSpec?) throws {
    #expect(try step("{\"op\":\"details\",\(key)}").time == expected)
  }

  @Test("What a session or an event can be given", arguments: [#""session""#, #""event","name":"buy""#])
  func update(op: String) throws {
    let text = #"{"op":\#(op),"answer":{"status":500,"text":"x"},"took":1.5,"framework_error":10,"no_handler":true}"#
    let operation = try step(text).operation
    let update: Step.Update
    switch operation {
    case .session(let given): update = given
    case .event("buy", let given): update = given
    default: throw Unexpected()
    }
    #expect(update.answer == .response(status: 500, body: Array("x".utf8)))
    #expect(update.took == TimeSpan(seconds: 1.5))
    #expect(update.options == UpdateOptions(hasHandler: false, frameworkError: 10))
  }

  @Test("Unless they are given")
  func updateDefaults() throws {
    guard case .event("", let update) = try step(#"{"op":"event","name":"","no_handler":false,"took":0}"#).operation
    else { throw Unexpected() }
    #expect(update.answer == nil)
    #expect(update.took == .zero)
    #expect(update.options == UpdateOptions())
    guard case .register(nil) = try step(#"{"op":"register"}"#).operation else { throw Unexpected() }
    guard case .register(10) = try step(#"{"op":"register","framework_error":10}"#).operation else {
      throw Unexpected()
    }
  }

  @Test("Seconds that an answer takes", arguments: [("0", 0), ("0.0", 0), ("1e-3", 0.001), ("86400", 86_400)])
  func took(text: String, seconds: Double) throws {
    guard case .session(let update) = try step("{\"op\":\"session\",\"took\":\(text)}").operation else {
      throw Unexpected()
    }
    #expect(update.took == TimeSpan(seconds: seconds))
  }

  @Test(
    "Revenue",
    arguments: [
      (#""amount":9.99,"currency":"EUR","ad_monetization":true"#, 9.99, "EUR", true),
      (#""amount":5,"currency":"""#, 5, "", false),
      (#""amount":-1e2,"currency":null"#, -100, nil, false),
      (#""amount":0,"currency":"usd","ad_monetization":false"#, 0, "usd", false),
    ] as [(String, Double, String?, Bool)])
  func revenue(keys: String, amount: Double, currency: String?, isAd: Bool) throws {
    guard case .revenue(let revenue) = try step("{\"op\":\"revenue\",\(keys)}").operation else { throw Unexpected() }
    #expect(revenue.amount == amount)
    #expect(revenue.currency == currency)
    #expect(revenue.isAdMonetization == isAd)
  }

  @Test("An update of the phone has any of three keys")
  func phoneUpdate() throws {
    guard case .update(let ios, nil, nil) = try step(#"{"op":"update","ios":"18.1"}"#).operation else {
      throw Unexpected()
    }
    #expect(ios?.text == "18.1")
    guard
      case .update(nil, "2.0", .skan3) = try step(#"{"op":"update","app_version":"2.0","snippet":"skan3"}"#).operation
    else { throw Unexpected() }
  }

  @Test("A phone without an idfv has its name's")
  func phone() throws {
    guard case .device(let named) = try step(#"{"op":"device","device":"Ann","snippet":"skan3","ad":false}"#).operation,
      case .device(let unnamed) = try step(#"{"op":"device","idfv":null}"#).operation,
      case .device(let plain) = try step(#"{"op":"device"}"#).operation
    else { throw Unexpected() }
    #expect(named.idfv == DeviceProfile.derivedIDFV(phone: "Ann"))
    #expect(named.snippet == .skan3 && named.ad == nil)
    #expect(unnamed.idfv == nil)
    #expect(plain.idfv == DeviceProfile.derivedIDFV(phone: ""))
  }

  private struct Unexpected: Error {}

  private static let answer = EndpointAnswer.failure("none")

  @Test(
    "Only a step that asks gets an answer, and a report of its own",
    arguments: [
      (.session(Step.Update()), true), (.event(name: "e", Step.Update()), true), (.details, false), (.relaunch, false),
      (.register(frameworkError: nil), false), (.adAttributionKit(DirectUpdate(fine: 5)), false),
      (.reEngagement(OpenedAd(nil, url: "https://example.com/")), false),
    ] as [(Step.Operation, Bool)])
  func forms(operation: Step.Operation, asks: Bool) {
    let step = Step(operation)
    #expect(!step.hasAnswer && step.answered(Self.answer).hasAnswer == asks)
    #expect((step.operation.eventName != nil) == asks)
    let forwarded = operation.forwarded(ForwardOptions())
    #expect((forwarded.forward != nil) == asks)
    #expect(Step(forwarded).reportAnswered(Self.answer).operation.forward?.answer == (asks ? Self.answer : nil))
    #expect(forwarded.name == operation.name)
  }
}

@Suite("What is wrong with a step")
struct StepReaderProblemTests {
  @Test(
    "The op",
    arguments: [
      ("[]", "a step must be an object, this is an array"), ("5", "a step must be an object, this is a number"),
      (
        "{}",
        "a step needs the key \"op\": one of \(OperationSpec.names.joined(separator: ", "))"
      ),
      (
        #"{"Op":"details"}"#,
        "a step needs the key \"op\": one of \(OperationSpec.names.joined(separator: ", "))"
      ),
      (#"{"op":5}"#, "\"op\" must be a string, this is 5"), (#"{"op":null}"#, "\"op\" must be a string, this is null"),
      (#"{"op":"sesion"}"#, "there is no op \"sesion\"; did you mean \"session\"?"),
      (#"{"op":"SESSION"}"#, "there is no op \"SESSION\"; did you mean \"session\"?"),
      (
        #"{"op":"zzz"}"#,
        "there is no op \"zzz\"; known: device, register, session, event, revenue, details, relaunch, update, postbacks, s2s, aak-update, aak-reengage, aak-development, impression, download, include"
      ),
      (#"{"op":"details"} x"#, "not JSON: more text after the end of the value"),
      (#"{"op":"details","op":"session"}"#, "not JSON: the key \"op\" is given twice"),
      (#"{"op":"details",}"#, "not JSON: a comma before the closing bracket"),
      ("\u{FEFF}{\"op\":\"details\"}", "not JSON: a byte order mark does not belong here"),
    ])
  func op(line: String, message: String) {
    #expect(problems(line) == [message])
  }

  @Test(
    "A key, with the nearest known one",
    arguments: [
      (#"{"op":"session","anwser":{}}"#, "a step with op \"session\" has no key \"anwser\"; did you mean \"answer\"?"),
      (
        #"{"op":"session","nohandler":true}"#,
        "a step with op \"session\" has no key \"nohandler\"; did you mean \"no_handler\"?"
      ),
      (#"{"op":"event","name":"n","At":1}"#, "a step with op \"event\" has no key \"At\"; did you mean \"at\"?"),
      (
        #"{"op":"details","answer":{"text":""}}"#,
        "a step with op \"details\" has no key \"answer\"; known: op, at, after, device, label, expect, skip"
      ),
      (
        #"{"op":"register","name":"n"}"#,
        "a step with op \"register\" has no key \"name\"; known: op, at, after, device, label, expect, skip, framework_error"
      ),
      (
        #"{"op":"device","bundel_id":"x"}"#,
        "a step with op \"device\" has no key \"bundel_id\"; did you mean \"bundle_id\"?"
      ),
      (
        #"{"op":"revenue","amount":1,"currency":"USD","admonetization":true}"#,
        "a step with op \"revenue\" has no key \"admonetization\"; did you mean \"ad_monetization\"?"
      ),
      (
        #"{"op":"update","ios":"18.0","idfa":"x"}"#,
        "a step with op \"update\" has no key \"idfa\"; known: op, at, after, device, label, expect, skip, snippet, ios, app_version"
      ),
    ])
  func unknownKey(line: String, message: String) {
    #expect(problems(line) == [message])
  }

  @Test(
    "A value",
    arguments: [
      (#"{"op":"details","label":5}"#, "\"label\" must be a string, this is 5"),
      (#"{"op":"details","device":null}"#, "\"device\" must be a string, this is null"),
      (
        #"{"op":"details","at":true}"#,
        "\"at\" must be Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\", this is true"
      ),
      (
        #"{"op":"details","at":"2026-01-01"}"#,
        "\"at\" must be Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\", this is \"2026-01-01\"; a time zone is missing: 2026-01-01T00:00:00Z is UTC"
      ),
      (
        #"{"op":"details","at":"2d"}"#,
        "\"at\" must be Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\", this is \"2d\""
      ),
      (
        #"{"op":"details","at":1e300}"#,
        "\"at\" must be Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\", this is 1e300"
      ),
      (
        #"{"op":"details","after":-5}"#,
        "\"after\" must be seconds, 0 or more, or a duration such as \"2d3h\" (units ms s m h d), this is -5"
      ),
      (
        #"{"op":"details","after":"-5s"}"#,
        "\"after\" must be seconds, 0 or more, or a duration such as \"2d3h\" (units ms s m h d), this is \"-5s\""
      ),
      (#"{"op":"details","at":1,"after":"1s"}"#, "a step has \"at\" or \"after\", not both"),
      (#"{"op":"details","expect":[]}"#, "\"expect\" is an empty list"),
      (#"{"op":"aak-development","tiers":3}"#, "\(tiers), this is 3"),
      (#"{"op":"aak-development","tiers":[]}"#, "\(tiers), this is an array"),
      (#"{"op":"aak-development","tiers":[3,3]}"#, "\(tiers), this is an array"),
      (#"{"op":"aak-development","tiers":[4]}"#, "\(tiers), this is an array"),
      (#"{"op":"aak-development","tiers":[-1]}"#, "\(tiers), this is an array"),
      (#"{"op":"aak-development","tiers":["3"]}"#, "\(tiers), this is an array"),
      (#"{"op":"aak-development","tiers":[1.5]}"#, "\(tiers), this is an array"),
      (
        #"{"op":"aak-development","interaction":"tap"}"#,
        "\"interaction\" must be one of \"click\", \"view\", this is \"tap\""
      ),
      (
        #"{"op":"aak-development","conversion":"reengagement"}"#,
        "\"conversion\" must be one of \"download\", \"redownload\", \"re-engagement\", this is \"reengagement\""
      ),
      (
        #"{"op":"aak-development","country":"usa"}"#,
        "\"country\" must be two capital letters such as \"US\", this is \"usa\""
      ),
      (
        #"{"op":"aak-development","tag":"a b"}"#,
        "\"tag\" must be a conversion tag of letters, digits and - . _ ~, this is \"a b\""
      ),
      (
        #"{"op":"aak-development","tier":3}"#,
        "a step with op \"aak-development\" has no key \"tier\"; did you mean \"tiers\"?"
      ),
      (#"{"op":"details","expect":{"outcom":1}}"#, "a result has no key \"outcom\"; did you mean \"outcome\"?"),
      (
        #"{"op":"session","took":-1}"#,
        "\"took\" must be seconds, 0 or more, or a duration such as \"2.5s\" (units ms s m h d), this is -1"
      ),
      (
        #"{"op":"session","took":"1x"}"#,
        "\"took\" must be seconds, 0 or more, or a duration such as \"2.5s\" (units ms s m h d), this is \"1x\""
      ),
      (
        #"{"op":"session","at":1767225600000}"#,
        "\"at\" must be Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\", this is "
          + "1767225600000; are these milliseconds? In seconds it is 1767225600"
      ),
      (
        #"{"op":"session","at":"2026-01-03 10:00:00"}"#,
        "\"at\" must be Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\", this is "
          + "\"2026-01-03 10:00:00\"; did you mean 2026-01-03T10:00:00Z?"
      ),
      (
        #"[{"op":"session"},{"op":"session"}]"#,
        "this is an array of steps; a list has one step per line; jq -c '.[]' FILE converts it"
      ),
      (
        #"{"op":"session","took":1e300}"#,
        "\"took\" must be seconds, 0 or more, or a duration such as \"2.5s\" (units ms s m h d), this is 1e300"
      ),
      (#"{"op":"session","framework_error":1.5}"#, "\"framework_error\" must be a whole number, this is 1.5"),
      (#"{"op":"session","no_handler":1}"#, "\"no_handler\" must be true or false, this is 1"),
      (#"{"op":"event"}"#, "a step with op \"event\" needs the key \"name\""),
      (#"{"op":"event","name":5}"#, "\"name\" must be a string, this is 5"),
      (#"{"op":"revenue","currency":"USD"}"#, "a step with op \"revenue\" needs the key \"amount\""),
      (#"{"op":"revenue","amount":"1","currency":"USD"}"#, "\"amount\" must be a number, this is \"1\""),
      (#"{"op":"revenue","amount":1}"#, "a revenue step needs the key \"currency\" (null for none)"),
      (#"{"op":"revenue","amount":1,"currency":5}"#, "\"currency\" must be a string, this is 5"),
      (#"{"op":"update"}"#, "an update needs at least one of \"ios\", \"app_version\", \"snippet\""),
      (#"{"op":"update","ios":"x"}"#, "\"ios\" must be an iOS version such as \"17.4\", this is \"x\""),
      (
        #"{"op":"device","snippet":"skan5"}"#,
        "\"snippet\" must be one of \"skan4\", \"skan4-beta\", \"skan3\", this is \"skan5\""
      ),
    ])
  func value(line: String, message: String) {
    #expect(problems(line) == [message])
  }

  private static let link = "\"url\" must be a universal link, beginning with https://, this is"

  @Test(
    "A step of AdAttributionKit",
    arguments: [
      (#"{"op":"aak-update"}"#, "a step with op \"aak-update\" needs the key \"fine\""),
      (#"{"op":"aak-update","fine":"5"}"#, "\"fine\" must be a whole number, this is \"5\""),
      (#"{"op":"aak-update","fine":5.5}"#, "\"fine\" must be a whole number, this is 5.5"),
      (
        #"{"op":"aak-update","fine":5,"coarse":2}"#,
        "\"coarse\" must be one of \"low\", \"medium\", \"high\", this is 2"
      ),
      (#"{"op":"aak-update","fine":5,"lock":1}"#, "\"lock\" must be true or false, this is 1"),
      (#"{"op":"aak-update","fine":5,"types":"install"}"#, "\"types\" must be an array, this is \"install\""),
      (
        #"{"op":"aak-update","fine":5,"types":[]}"#,
        "\"types\" must name at least one type; without the key the call is for all"
      ),
      (
        #"{"op":"aak-update","fine":5,"types":["re-engagement"]}"#,
        "a type must be \"install\" or \"reengagement\", this is \"re-engagement\""
      ),
      (
        #"{"op":"aak-update","fine":5,"types":[5]}"#, "a type must be \"install\" or \"reengagement\", this is 5"
      ),
      (
        #"{"op":"aak-update","fine":5,"tag":"a b"}"#,
        "\"tag\" must be a conversion tag of letters, digits and - . _ ~, this is \"a b\""
      ),
      (
        #"{"op":"aak-update","fine":5,"tag":""}"#,
        "\"tag\" must be a conversion tag of letters, digits and - . _ ~, this is \"\""
      ),
      (
        #"{"op":"aak-update","fine":5,"coarce":"low"}"#,
        "a step with op \"aak-update\" has no key \"coarce\"; did you mean \"coarse\"?"
      ),
      (#"{"op":"aak-reengage"}"#, "a step with op \"aak-reengage\" needs the key \"url\""),
      (#"{"op":"aak-reengage","url":5}"#, "\(link) 5"),
      (#"{"op":"aak-reengage","url":"http://a.b/"}"#, "\(link) \"http://a.b/\""),
      (#"{"op":"aak-reengage","url":"https://"}"#, "\(link) \"https://\""),
      (#"{"op":"aak-reengage","url":"https://a.b/#c"}"#, "\(link) \"https://a.b/#c\""),
      (#"{"op":"aak-reengage","url":"https://a.b/ c"}"#, "\(link) \"https://a.b/ c\""),
      (
        #"{"op":"aak-reengage","url":"https://a.b/","eligible":"yes"}"#,
        "\"eligible\" must be true or false, this is \"yes\""
      ),
      (
        #"{"op":"aak-reengage","url":"https://a.b/","tier":4}"#,
        "\"tier\" must be a whole number from 0 to 3, this is 4"
      ),
      (
        #"{"op":"aak-reengage","url":"https://a.b/","source_identifier":"12"}"#,
        "\"source_identifier\" must be a string of four digits, this is \"12\""
      ),
      (#"{"op":"aak-reengage","url":"https://a.b/","network":""}"#, "\"network\" must not be empty"),
      (
        #"{"op":"aak-reengage","url":"https://a.b/","country":"usa"}"#,
        "\"country\" must be two capital letters such as \"US\", this is \"usa\""
      ),
      (
        #"{"op":"aak-reengage","url":"https://a.b/","eligibel":true}"#,
        "a step with op \"aak-reengage\" has no key \"eligibel\"; did you mean \"eligible\"?"
      ),
    ])
  func adAttributionKit(line: String, message: String) {
    #expect(problems(line) == [message])
  }

  @Test(
    "A problem points at its bytes",
    arguments: [
      (#"{"op":"details","label":55}"#, 24..<26), (#"{"op":"details","lable":"é"}"#, 16..<23),
      (#"{"op":"xyzzy"}"#, 6..<13), ("{\"op\":\"details\",\"expect\":{\"é\":1}}", 26..<30),
    ])
  func range(line: String, expected: Range<Int>) throws {
    let error = try #require(#expect(throws: SourceProblems.self) { try step(line) })
    #expect(error.problems.map(\.range) == [expected])
  }

  @Test("All problems of a line at once")
  func all() {
    let line =
      #"{"op":"session","answer":{"stauts":200,"text":5},"took":-1,"no_handler":0,"label":1,"at":"x","after":"y","lable":2,"expect":{"zzz":1,"windo":0}}"#
    #expect(problems(line).count == 11, "\(problems(line))")
  }

  @Test(
    "All problems of a line at once, also when the op's own key is missing or wrong",
    arguments: [
      (#"{"op":"event","label":5,"at":"x","expect":{"outcom":1}}"#, 4), (#"{"op":"event","name":5,"label":5}"#, 2),
      (#"{"op":"event","answer":{},"took":-1}"#, 3), (#"{"op":"revenue","currency":"USD","device":5,"after":"x"}"#, 3),
      (#"{"op":"revenue","amount":"1","currency":5,"at":1,"after":"1s"}"#, 3),
      (#"{"op":"session","answer":{"status":"200"}}"#, 2),
    ])
  func allProblems(line: String, count: Int) {
    #expect(problems(line).count == count, "\(problems(line))")
  }

  @Test("A device line with a slip still declares its phone: only the slip is reported")
  func cascade() throws {
    let list =
      #"{"op":"device","device":"a","ios":17.4}"# + "\n" + #"{"op":"register","device":"a"}"# + "\n"
      + #"{"op":"session","device":"a"}"#
    #expect(try check(list).map(\.line) == [1])
  }

  @Test("A device line with white space before it declares its phone like any other")
  func leadingSpace() throws {
    let list = #"{"op":"register","device":"b"}"# + "\n" + #" {"op":"device","device":"a"}"#
    #expect(try check(list).map(\.line) == [1])
  }

  @Test("A path with an empty part leads nowhere, and is refused", arguments: [".outcome", "..outcome"])
  func emptyPart(path: String) {
    #expect(throws: SourceProblems.self) { try Expected(path: path, text: "null") }
  }

  @Test("An expectation can name the entry of the empty currency")
  func emptyKey() {
    let table: JSON = .object([("details", .object([("", .integer(1)), ("USD", .integer(2))]))])
    #expect(Expected(path: "details.", expected: .integer(1)).verdict(on: table).isMet)
  }

  @Test("After a fresh install `+1h` does not lead back to where the list began")
  func freshInstall() throws {
    let results = try runList([
      #"{"op":"register","at":"2026-03-01T00:00:00Z"}"#, #"{"op":"device"}"#, #"{"op":"register","at":"+1h"}"#,
    ])
    #expect(results[2].at.description == "2026-03-01T01:00:00Z")
  }
}
