import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Reading a step")
struct StepReaderTests {
  @Test("Each op", arguments: OperationSpec.names.filter { $0 != "include" })
  func operations(op: String) throws {
    let own = [
      "event": #","name":"n""#, "revenue": #","amount":1,"currency":"USD""#, "update": #","ios":"18.0""#,
      "s2s": #","kind":"session""#,
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
}
