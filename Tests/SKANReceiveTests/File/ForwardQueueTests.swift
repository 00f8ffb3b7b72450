import SKANBase
import SKANReceive
import SKANRun
import Testing

@Suite("What is to be passed on of a file")
struct ForwardQueueTests {
  private static let lines: [[UInt8]] = [
    Samples.record(Samples.text(id: "1")), Samples.record(Samples.text(id: "1"), .duplicate),
    Samples.record(Samples.text(id: "2")), Samples.record(Samples.text(id: "2", value: 3), .conflict),
    Samples.record(Samples.text(id: "3")),
  ].map(\.line)

  private static let file = lines.flatMap { $0 }

  private func all(_ bytes: [UInt8], after offset: ForwardOffset) throws -> [(key: String, offset: ForwardOffset)] {
    let queue = try ForwardQueue(ByteSource(bytes), after: offset)
    var all: [(key: String, offset: ForwardOffset)] = []
    while let (postback, offset) = try queue.next() { all.append((postback.idempotencyKey, offset)) }
    return all
  }

  private static func keys(_ ids: Int...) -> [String] { ids.map { "apple/com.example/\($0)/0" } }

  @Test("The first copies in their order; and from each offset those behind it")
  func order() throws {
    let whole = try all(Self.file, after: .start)
    #expect(whole.map(\.key) == Self.keys(1, 2, 3))
    #expect(whole.map(\.offset.line) == [1, 3, 5] && whole.map(\.offset.bytes).last == Self.file.count)
    for index in whole.indices {
      #expect(try all(Self.file, after: whole[index].offset).map(\.key) == whole[(index + 1)...].map(\.key))
      #expect(try ForwardOffset(whole[index].offset.text) == whole[index].offset)
    }
    #expect(try all([], after: .start).isEmpty)
  }

  @Test("Another file: one that is shorter, one with another line there, and one with other lines before it")
  func otherFile() throws {
    let offset = try all(Self.file, after: .start)[1].offset
    let problem = ForwardProblem.differentFile(line: 3)
    #expect(throws: problem) { try all(Self.lines[0] + Self.lines[1], after: offset) }
    #expect(throws: problem) { try all([], after: offset) }
    #expect(throws: problem) { try all(Self.lines[0] + Self.lines[1] + Self.lines[4], after: offset) }
    #expect(throws: problem) { try all(Self.lines[2] + Self.lines[4] + Self.lines[2], after: offset) }
  }

  @Test("A line that is not of a received postback ends it, and is not passed over")
  func broken() throws {
    let queue = try ForwardQueue(ByteSource(Self.lines[0] + Array("{}\n".utf8) + Self.lines[2]), after: .start)
    #expect(try queue.next()?.0.idempotencyKey == Self.keys(1)[0])
    #expect(throws: ForwardProblem.notAPostback(line: 2)) { try queue.next() }
  }

  @Test(
    "Every mistake of an offset file is an error",
    arguments: [
      "", "[]", "{}", #"{"line":1,"bytes":2}"#, #"{"line":1,"bytes":2,"hash":"12"}"#,
      #"{"line":-1,"bytes":2,"hash":"0123456789abcdef"}"#, #"{"line":1,"bytes":2,"hash":"0123456789abcdef","x":1}"#,
      #"{"line":1,"bytes":2.5,"hash":"0123456789abcdef"}"#, #"{"line":1,"bytes":2,"hash":"0123456789abcdeg"}"#,
    ])
  func offsets(text: String) { #expect((try? ForwardOffset(Array(text.utf8))) == nil) }

  @Test("Again after 1, 5, 15, 30 and 60 minutes, and then every hour")
  func retries() {
    var retries = ForwardRetries()
    #expect((0..<7).map { _ in retries.fail() / 60 } == [1, 5, 15, 30, 60, 60, 60])
  }

  @Test("A line that is no postback is named, and a source that fails is that")
  func unreadable() throws {
    #expect(throws: ForwardProblem.notAPostback(line: 2)) { try all(Self.lines[0] + Array("{}\n".utf8), after: .start) }
    var isOver = false
    let source = ByteSource(isRegular: true) { buffer throws(SourceFailure) in
      if isOver { throw .unreadable("input/output error") }
      isOver = true
      buffer.copyBytes(from: Self.lines[0])
      return Self.lines[0].count
    }
    let queue = try ForwardQueue(source, after: .start)
    #expect(try queue.next()?.1.line == 1)
    #expect(throws: ForwardProblem.source(.unreadable("input/output error"))) { try queue.next() }
  }
}

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
