import Testing

@testable import SKANDevice

@Suite("What the snippet does not notice about an answer")
struct ContractBreachTests {
  static let value = #""conversion_value":5"#

  /// An answer, and the codes on each side of a boundary.
  struct Case: Sendable {
    let body: [UInt8]
    let status: Int
    let codes: [String]

    init(_ body: String, _ codes: String..., status: Int = 200) {
      self.init(bytes: Array(body.utf8), codes, status: status)
    }

    init(bytes: [UInt8], _ codes: [String], status: Int = 200) {
      (body, self.codes, self.status) = (bytes, codes, status)
    }

    var answer: EndpointAnswer { .response(status: status, body: body) }
  }

  private static let good =
    #"{"conversion_value":5,"skan_updated_coarse_value":0,"postback_sequence_index":0,"status":"ok"}"#

  static let cases: [Case] = [
    Case(good), Case(#"{\#(value),"skan_updated_lock_window_value":true,"status":"ok"}"#),
    Case(#"{"status":"error","reason":"x"}"#), Case(" {\"status\":\"ok\"}\n"),
    // The status
    Case(good, "status-not-200", status: 199), Case(good, status: 200), Case(good, "status-not-200", status: 201),
    Case(good, "status-not-200", status: 500), Case(#"{"status":"error"}"#, "status-not-200", status: 400),
    // Not an object: the outcome says enough
    Case("", status: 500), Case("<html>", status: 502), Case("[]", status: 500), Case("5", status: 500),
    Case(#"{\#(value)"#, status: 500),
    // The status in the body
    Case("{\(value)}", "status-not-ok"), Case(#"{\#(value),"status":"OK"}"#, "status-not-ok"),
    Case(#"{\#(value),"status":"ok "}"#, "status-not-ok"), Case(#"{\#(value),"status":"error"}"#, "status-not-ok"),
    Case(#"{\#(value),"status":null}"#, "status-not-ok"), Case(#"{\#(value),"status":1}"#, "status-not-ok"),
    Case(#"{"conversion_value":null}"#, "status-not-ok"), Case("{}"), Case(#"{"status":"OK"}"#),
    Case(#"{"skan_updated_coarse_value":1}"#),
    // JSON
    Case(#"{\#(value),"status":"ok",}"#, "answer-not-json"),
    Case(#"{\#(value),"status":"ok","status":"ok"}"#, "answer-not-json"),
    Case(#"{\#(value),"statu\u0073":"ok","status":"ok"}"#, "answer-not-json"),
    Case("\u{FEFF}\(good)", "answer-not-json"),
    Case(bytes: good.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, ["answer-not-json"]),
    Case(#"{\#(value),"statu\u0073":"ok"}"#),
    // Keys
    Case(#"{\#(value),"skan_updated_coarse":1,"status":"ok"}"#, "unknown-answer-key"),
    Case(#"{\#(value),"request_id":1,"status":"ok"}"#, "unknown-answer-key"),
    Case(
      #"{\#(value),"request_id":1,"conversionValue":1,"status":"ok"}"#, "unknown-answer-key", "unknown-answer-key"),
    Case(#"{\#(value),"Status":"ok"}"#, "unknown-answer-key", "status-not-ok"),
    // All at once
    Case(
      #"{\#(value),"conversionValue":5,}"#, "status-not-200", "answer-not-json", "unknown-answer-key",
      "status-not-ok", status: 500),
  ]

  @Test("Each breach and the answer next to it without one", arguments: cases)
  func breaches(example: Case) {
    let breaches = ContractBreach.all(in: example.answer)
    #expect(breaches.map(\.code.name) == example.codes)
    for breach in breaches { expectSentence(breach.message) }
  }

  @Test("No answer has no breach")
  func failure() {
    #expect(ContractBreach.all(in: .failure("timed out")).isEmpty)
    #expect(ContractBreach.inContentType("text/html", of: .failure("timed out")) == nil)
  }

  @Test(
    "Keys that resemble a documented one",
    arguments: [
      ("conversionValue", "conversion_value"), ("ConversionValue", "conversion_value"),
      ("conversion-value", "conversion_value"), ("conversionvalue", "conversion_value"),
      ("conversion_val", "conversion_value"), ("convertion_value", "conversion_value"), ("value", "conversion_value"),
      ("skan_conversion_value", "conversion_value"), ("conv_value", "conversion_value"),
      ("skan_updated_coarse", "skan_updated_coarse_value"), ("skanUpdatedCoarseValue", "skan_updated_coarse_value"),
      ("skan_update_coarse_value", "skan_updated_coarse_value"), ("coarse_value", "skan_updated_coarse_value"),
      ("skan_coarse_value", "skan_updated_coarse_value"), ("coarse", "skan_updated_coarse_value"),
      ("skan_updated_lock_window", "skan_updated_lock_window_value"), ("lock_window", "skan_updated_lock_window_value"),
      ("lockWindow", "skan_updated_lock_window_value"), ("postbackSequenceIndex", "postback_sequence_index"),
      ("postback_index", "postback_sequence_index"), ("sequence_index", "postback_sequence_index"),
      ("Status", "status"), ("STATUS", "status"), ("statuss", "status"), ("Reason", "reason"), ("reasn", "reason"),
    ])
  func near(key: String, meant: String) {
    #expect(ContractBreach.documentedKey(meantBy: key) == meant)
  }

  @Test(
    "Keys that resemble none",
    arguments: [
      "", "_", "a", "request_id", "id", "message", "error", "region", "session", "version", "state", "status_code",
      "time",
      "skan", "updated", "updated_at", "skan_version", "fine_value", "p0_coarse", "location", "loc", "data", "ok",
      String(repeating: "conversion_value", count: 20),
    ])
  func far(key: String) {
    #expect(ContractBreach.documentedKey(meantBy: key) == nil)
  }

  @Test("Every documented key resembles itself in camelCase and with a letter missing, and is none by itself")
  func documented() {
    for key in ContractBreach.documentedKeys {
      let words = key.split(separator: "_")
      let camel = "\(words[0])" + words.dropFirst().map { "\($0.prefix(1).uppercased())\($0.dropFirst())" }.joined()
      #expect(ContractBreach.documentedKey(meantBy: camel) == key)
      #expect(ContractBreach.documentedKey(meantBy: String(key.dropLast())) == key)
      #expect(
        ContractBreach.all(in: .response(status: 200, body: Array(#"{"\#(key)":"ok","status":"ok"}"#.utf8)))
          .allSatisfy { $0.code != .unknownAnswerKey })
    }
  }

  @Test("Content types of JSON, and others; only of an object")
  func contentTypes() {
    let answer = EndpointAnswer.response(status: 200, body: Array(Self.good.utf8))
    for type in [
      nil, "application/json", "Application/JSON;charset=utf-8", "application/json ; charset=utf-8",
      "application/problem+json", "a/b+JSON", " application/json",
    ] {
      #expect(ContractBreach.inContentType(type, of: answer) == nil)
    }
    for type in [
      "", "text/html; charset=utf-8", "text/json", "application/jsonl", "application/octet-stream", "json", "+jso",
    ] {
      #expect(ContractBreach.inContentType(type, of: answer) == .contentType(type))
      #expect(ContractBreach.inContentType(type, of: .response(status: 200, body: Array("<html>".utf8))) == nil)
      expectSentence(ContractBreach.contentType(type).message)
    }
  }

  @Test("The level is that of who answered: a note for a script, a finding for a server unless keys are only added")
  func levels() {
    let breaches: [(ContractBreach, WarningCode, Warning.Level)] = [
      (.status(500), .statusNot200, .finding), (.notJSON("x"), .answerNotJSON, .finding),
      (.misspelledKey("a", meant: "b"), .unknownAnswerKey, .finding),
      (.unknownKeys(["a"], more: 0), .unknownAnswerKey, .note), (.statusNotOK(nil), .statusNotOK, .finding),
      (.contentType("text/html"), .contentTypeNotJSON, .finding),
    ]
    for (breach, code, level) in breaches {
      #expect(breach.code == code && code.level == .finding)
      #expect(breach.level(by: .server) == level && breach.level(by: .script) == .note)
      for level in Warning.Level.allCases {
        let warning = Warning.contractBroken(breach, level)
        #expect(warning.level == level && warning.kind == code && warning.message == breach.message)
      }
    }
  }

  @Test("An answer with very many keys has few warnings of short messages")
  func manyKeys() {
    let near = (0..<200).map { String(repeating: "_", count: $0) + "conversionValue" }
    let far = (0..<300).map { "key\($0)" + String(repeating: "x\u{1B}", count: 100) }
    let members = (near + far).map { #""\#($0)":1"#.replacing("\u{1B}", with: #"\u001b"#) }
    let body = "{\(Self.value),\"status\":\"ok\",\(members.joined(separator: ","))}"
    let breaches = ContractBreach.all(in: .response(status: 200, body: Array(body.utf8)))
    #expect(breaches.count == 6)
    #expect(breaches.allSatisfy { $0.message.count < 1000 && !$0.message.contains("\u{1B}") })
    #expect(breaches.last?.message.hasSuffix(" and 295 more.") == true)
  }
}
