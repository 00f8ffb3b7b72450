import SKANBase
import SKANReceive
import SKANRun
import Testing

@Suite("A postback as it is passed on")
struct ForwardedPostbackTests {
  private static func record(
    _ body: String = Samples.text(), key: ReceivedSignature.Key? = .apple,
    _ verdict: ReceivedSignature.Verdict = .valid,
    _ repetition: Repetition = .first
  ) -> ReceivedRecord {
    var record = Samples.record(body, repetition)
    record.signature = ReceivedSignature(verdict, key: key)
    return record
  }

  @Test("Apple's bytes, and behind them what was found out")
  func body() throws {
    let added = #""received_at":"2026-06-01T12:00:00.25Z","simulated":false,"decoded":null,"campaign":null}"#
    let pretty = Samples.text().replacing(",", with: " ,\n  ")
    for text in [Samples.text(), pretty, "\n \(Samples.text()) \n"] {
      let postback = try #require(ForwardedPostback(Self.record(text)))
      let trimmed = text == pretty ? pretty : Samples.text()
      #expect(String(decoding: postback.body, as: UTF8.self) == "\(trimmed.dropLast()),\(added)")
      _ = try JSONReader.read(postback.body)
    }
    let simulated = try #require(ForwardedPostback(Self.record(key: .simulated)))
    #expect(try JSONReader.read(simulated.body).value["simulated"] == .bool(true))
  }

  @Test("A member of ours that a network added gives way; its other additions stay")
  func collisions() throws {
    let text = Samples.text(more: #","ip":"192.0.2.1","campaign":"theirs","simulated":7"#)
    let postback = try #require(ForwardedPostback(Self.record(text)))
    guard case .object(let members) = try JSONReader.read(postback.body).value else {
      Issue.record("not an object")
      return
    }
    #expect(members.map(\.key).suffix(5) == ["ip"] + ForwardedPostback.addedKeys)
    #expect(Set(members.map(\.key)).count == members.count)
  }

  @Test("Only what is verified, the first of its kind, and not of a development key")
  func selection() {
    #expect(ForwardedPostback(Self.record()) != nil && ForwardedPostback(Self.record(key: .simulated)) != nil)
    for record in [
      Self.record(key: .development), Self.record(key: nil), Self.record(key: nil, .invalid),
      Self.record(.init(), .invalid),
      Self.record(key: .apple, .notChecked), Self.record(key: .apple, .valid, .duplicate),
      Self.record(key: .apple, .valid, .conflict),
    ] { #expect(ForwardedPostback(record) == nil) }
  }

  @Test("The idempotency key tells postbacks and keys apart, and fits into a header")
  func keys() throws {
    let key = { (text: String, key: ReceivedSignature.Key) in
      try #require(ForwardedPostback(Self.record(text, key: key))).idempotencyKey
    }
    #expect(try key(Samples.text(id: "17EEA21E"), .apple) == "apple/com.example/17eea21e/0")
    #expect(try key(Samples.text(id: "17eea21e", value: 63), .apple) == "apple/com.example/17eea21e/0")
    #expect(try key(Samples.text(index: 2), .simulated) == "simulated/com.example/17eea21e/2")
    #expect(try key(Samples.text(id: "a/b\\r\\né", network: "x y"), .apple) == "apple/x%20y/a%2Fb%0D%0A%C3%A9/0")
  }
}
