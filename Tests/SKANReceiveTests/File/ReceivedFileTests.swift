import SKANReceive
import SKANRun
import SKANBase
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
