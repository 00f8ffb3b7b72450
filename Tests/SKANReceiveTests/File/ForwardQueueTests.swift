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
