import SKANBase
import SKANDevice
import SKANReceive
import SKANRun
import SKANSigning
import Testing

@Suite("The received file")
struct ReceivedFileTests {
  private static let first = Samples.record(Samples.text()).line
  private static let second = Samples.record(Samples.text(id: "2")).line

  @Test("Its lines count, and what was received is known again")
  func whole() throws {
    let bytes = Self.first + Self.second
    var lines: [Int] = []
    let file = try ReceivedFile(ByteSource(bytes)) { record, _, line in
      lines.append(line)
      #expect(record.body == Samples.text(id: line == 1 ? "17eea21e" : "2"))
    }
    #expect(lines == [1, 2] && file.lines == 2 && file.size == bytes.count && file.tornBytes == 0 && !file.lacksEnd)
    let (repetition, line) = file.memory.repetition(
      of: try Samples.document(Samples.text(id: "2")), ReceivedSignature(.valid, key: .apple))
    #expect(repetition == .duplicate && line == 2)
    let empty = try ReceivedFile(ByteSource([]))
    #expect(empty.lines == 0 && empty.size == 0)
  }

  @Test("A kill at any byte: the last line is cut, or counts when it is whole")
  func torn() throws {
    for length in 0..<Self.second.count {
      let file = try ReceivedFile(ByteSource(Self.first + Self.second[..<length]))
      if length == Self.second.count - 1 {
        #expect(file.lines == 2 && file.lacksEnd && file.tornBytes == 0)
        #expect(file.size == Self.first.count + length)
      } else {
        #expect(file.lines == 1 && !file.lacksEnd && file.tornBytes == length && file.size == Self.first.count)
        #expect(file.memory.count == 1)
      }
    }
  }

  @Test(
    "A file that is something else is not cut, but refused, and by one problem",
    arguments: ["notes", "notes\n", "{\"a\":1}", "{\n  \"a\":1\n}\n", "\n"])
  func other(text: String) {
    let line = Array(text.utf8.prefix { $0 != 0x0A })
    #expect(throws: ReceivedFileProblem.other(firstLine: line)) { try ReceivedFile(ByteSource(Array(text.utf8))) }
    let rest = Self.first + Array(text.utf8)
    let error = #expect(throws: ReceivedFileProblem.self) { try ReceivedFile(ByteSource(rest)) }
    guard case .content(let notes, 0)? = error else {
      Issue.record("no notes")
      return
    }
    #expect(notes.notes.map(\.location.line) == Array(2..<2 + notes.notes.count) && !notes.notes.isEmpty)
  }

  @Test("Of many problems the first hundred are reported, and the others counted")
  func problems() {
    let broken = Array("{\"received_at\":\"now\"}\n".utf8)
    let error = #expect(throws: ReceivedFileProblem.self) {
      try ReceivedFile(ByteSource(Array(repeatElement(broken, count: 60).joined())))
    }
    guard case .content(let notes, let more)? = error else {
      Issue.record("no notes")
      return
    }
    // A line that lacks its other keys, too.
    #expect(notes.notes.count == 100 && more == 60 * 4 - 100, "\(notes.notes.prefix(5).map(\.message)) \(more)")
  }

  @Test("A source that fails, and a body that is not JSON")
  func unreadable() {
    var isOver = false
    let source = ByteSource(isRegular: true) { buffer throws(SourceFailure) in
      if isOver { throw .unreadable("input/output error") }
      isOver = true
      buffer.copyBytes(from: Self.first)
      return Self.first.count
    }
    #expect(throws: ReceivedFileProblem.source(.unreadable("input/output error"))) { try ReceivedFile(source) }
    let error = #expect(throws: ReceivedFileProblem.self) {
      try ReceivedFile(ByteSource(Self.first + Samples.record("{").line))
    }
    guard case .content(let notes, 0)? = error else {
      Issue.record("no notes")
      return
    }
    #expect(notes.notes.map { "\($0.location.line): \($0.message)" } == ["2: its \"body\" is not JSON"])
  }
}

@Suite("A line of the received file")
struct ReceivedRecordTests {
  @Test("It reads back as it was, with a body that is no ASCII and has line ends")
  func roundTrip() throws {
    var record = Samples.record("{\n  \"a\": \"\u{e9}\\u0000\u{2028}\"\r\n}", .conflict)
    record.findings = [ReceivedRecord.Finding(code: "null-field", message: "\"a\" is null.")]
    record.decoded = DecodedValue(model: "a.json", window: .p0, value: .fine(12), undecoded: "not in it")
    record.campaign = CampaignMatch(id: "7", name: "spring", country: "DE")
    #expect(record.line.last == UInt8(ascii: "\n") && record.line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
    #expect(try ReceivedRecord(record.line.dropLast()) == record)
    let unchecked = ReceivedRecord(
      receivedAt: Instant(microseconds: 0), sourceAddress: nil,
      signature: ReceivedSignature(.notChecked, why: "it has no signature"), repetition: .first, findings: [],
      body: "{}")
    #expect(try ReceivedRecord(unchecked.line.dropLast()) == unchecked)
    #expect(
      String(decoding: unchecked.line, as: UTF8.self)
        == #"{"received_at":"1970-01-01T00:00:00Z","source_address":null,"signature":"not-checked","key":null,"#
        + #""why":"it has no signature","repetition":"first","findings":[],"decoded":null,"campaign":null,"body":"{}"}"#
        + "\n")
  }

  @Test(
    "What is wrong with one",
    arguments: [
      (
        #""repetition":"first""#, #""repetition":"second""#,
        #""repetition" must be one of "first", "duplicate", "conflict""#
      ),
      (#""repetition":"first","#, "", #"needs the key "repetition""#),
      (#""key":"apple""#, #""key":"pear""#, #""key" must be one of "apple", "development", "simulated""#),
      (#""why":null"#, #""wyh":null"#, #"did you mean "why""#),
      ("2026-06-01T", "yesterday", #""received_at" must be an ISO 8601 instant"#),
      (#""findings":[]"#, #""findings":[{"code":"x"}]"#, #"needs the key "message""#),
      (#""body":"{}""#, #""body":{}"#, #""body" must be a string"#),
      (#""decoded":null"#, #""decoded":{"model":"a.json"}"#, #"a decoded value needs the key "window""#),
      (#""campaign":null"#, #""campaign":{"id":7}"#, #""id" must be a string"#),
    ])
  func problems(old: String, new: String, message: String) throws {
    let text = String(decoding: Samples.record("{}").line.dropLast(), as: UTF8.self)
    #expect(text.contains(old))
    let error = #expect(throws: SourceProblems.self) {
      try ReceivedRecord(Array(text.replacing(old, with: new).utf8))
    }
    #expect(error?.problems.first?.message.contains(message) == true, "\(error?.problems.first?.message ?? "")")
  }
}

@Suite("Postbacks that are taken in")
struct PostbackIntakeTests {
  private static let time = Instant(microseconds: 1_780_315_200_000_000)

  private static func take(_ text: String, _ intake: inout PostbackIntake) throws -> Repetition {
    let document = try Samples.document(text)
    let record = intake.record(document, unchecked: .toolMissing, at: time, from: nil)
    intake.add(document, record)
    return record.repetition
  }

  @Test("What is not kept after all counts neither as a line nor as received")
  func rollBack() throws {
    var intake = PostbackIntake(testKey: nil, tool: .missing, lines: 7)
    #expect(try Self.take(Samples.text(id: "a"), &intake) == .first && intake.lines == 8)
    intake.settle()
    #expect(try Self.take(Samples.text(id: "a"), &intake) == .duplicate)
    #expect(try Self.take(Samples.text(id: "b"), &intake) == .first)
    #expect(intake.lines == 10 && intake.memory.count == 2)
    intake.rollBack()
    #expect(intake.lines == 8 && intake.memory.count == 1)
    #expect(try Self.take(Samples.text(id: "b"), &intake) == .first && intake.lines == 9)
    #expect(try Self.take(Samples.text(id: "a", value: 3), &intake) == .conflict && intake.lines == 10)
  }
}

@Suite("Which postbacks were received before")
struct PostbackMemoryTests {
  private static let apple = ReceivedSignature(.valid, key: .apple)
  private static let simulated = ReceivedSignature(.valid, key: .simulated)
  private static let development = ReceivedSignature(.valid, key: .development)
  private static let forged = ReceivedSignature(.invalid, why: "it does not fit")

  /// Adds postbacks in turn; gives what each is, and the line that it repeats or contradicts.
  private func results(_ postbacks: [(String, ReceivedSignature)]) throws -> [String] {
    var memory = PostbackMemory()
    return try postbacks.enumerated().map { index, postback in
      let document = try Samples.document(postback.0)
      let (repetition, line) = memory.repetition(of: document, postback.1)
      memory.add(document, postback.1, line: index + 1)
      return line.map { "\(repetition) of \($0)" } ?? "\(repetition)"
    }
  }

  @Test("The same again is a duplicate, whatever was added on the way and however its id is written")
  func duplicates() throws {
    let text = Samples.text()
    let added = Samples.text(more: #","ip":"192.0.2.1","attribution-signature":"MEUC""#)
    #expect(
      try results([
        (text, Self.apple), (text, Self.apple), (added, Self.apple), (Samples.text(id: "17EEA21E"), Self.apple),
      ]) == ["first", "duplicate of 1", "duplicate of 1", "conflict of 1"])
  }

  @Test("Another value on a known postback is a conflict also when it verifies; what differs in its key is another")
  func conflicts() throws {
    #expect(
      try results([
        (Samples.text(), Self.apple), (Samples.text(value: 63), Self.apple), (Samples.text(value: nil), Self.apple),
        (Samples.text(index: 1), Self.apple), (Samples.text(network: "b.example"), Self.apple),
        (Samples.text(id: "2"), Self.apple), (Samples.text(value: 63), Self.apple),
      ]) == ["first", "conflict of 1", "conflict of 1", "first", "first", "first", "conflict of 1"])
  }

  @Test("A forgery does not take the genuine one's place, before it or after it")
  func forgeries() throws {
    let forgery = Samples.text(value: 63)
    #expect(
      try results([
        (forgery, Self.forged), (Samples.text(), Self.forged), (Samples.text(), Self.apple), (forgery, Self.forged),
        (Samples.text(), Self.forged), (Samples.text(), Self.apple),
      ]) == ["first", "conflict of 1", "first", "conflict of 3", "duplicate of 3", "duplicate of 3"])
  }

  @Test("What was not kept after all is forgotten, and nothing else")
  func forgotten() throws {
    var memory = PostbackMemory()
    let (first, second) = (try Samples.document(Samples.text()), try Samples.document(Samples.text(id: "2")))
    memory.add(first, Self.forged, line: 1)
    memory.settle()
    memory.add(first, Self.apple, line: 2)
    memory.add(first, Self.apple, line: 3)
    memory.add(second, Self.apple, line: 4)
    #expect(memory.repetition(of: first, Self.apple) == (.duplicate, 2) && memory.count == 2)
    memory.forgetLatest(after: 1)
    #expect(memory.repetition(of: first, Self.apple) == (.first, nil) && memory.count == 1)
    #expect(memory.repetition(of: first, Self.forged) == (.duplicate, 1))
    #expect(memory.repetition(of: second, Self.apple) == (.first, nil))
  }

  @Test("Apple's, development and simulated ones are apart")
  func keys() throws {
    #expect(
      try results([
        (Samples.text(value: 63), Self.simulated), (Samples.text(value: 5), Self.development),
        (Samples.text(), Self.apple), (Samples.text(), Self.simulated), (Samples.text(), Self.development),
      ]) == ["first", "first", "first", "conflict of 1", "conflict of 2"])
  }

  @Test("What tells no transaction is known by its text")
  func withoutTransaction() throws {
    #expect(
      try results([
        ("{}", Self.forged), (#"{"a":1}"#, Self.forged), ("{}", Self.forged),
        (#"{"version":"4.0"}"#, Self.forged), (#"{"version":"4.0"}"#, Self.forged),
      ]) == ["first", "first", "duplicate of 1", "first", "duplicate of 4"])
  }
}

/// Postbacks whose signature nothing looks at.
enum Samples {
  static func text(
    id: String = "17eea21e", network: String = "com.example", index: Int = 0, value: Int? = 12, more: String = ""
  ) -> String {
    let value = value.map { #","conversion-value":\#($0)"# } ?? ""
    return #"{"version":"4.0","ad-network-id":"\#(network)","source-identifier":"5239","app-id":525463029,"#
      + #""transaction-id":"\#(id)","redownload":false,"fidelity-type":1,"did-win":true"#
      + #","postback-sequence-index":\#(index)\#(value)\#(more)}"#
  }

  static func document(_ text: String) throws -> PostbackDocument { try PostbackDocument(Array(text.utf8)) }

  static func record(_ body: String, _ repetition: Repetition = .first) -> ReceivedRecord {
    ReceivedRecord(
      receivedAt: Instant(microseconds: 1_780_315_200_250_000), sourceAddress: "192.0.2.1",
      signature: ReceivedSignature(.valid, key: .apple), repetition: repetition, findings: [], body: body)
  }
}
