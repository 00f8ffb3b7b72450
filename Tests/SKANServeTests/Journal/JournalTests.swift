import SKANBase
import Testing

@testable import SKANServe

@Suite("The journal")
struct JournalTests {
  @Test("The last lines, oldest first", arguments: [0, 1, 9_999, 10_000, 10_001, 15_000, 20_000, 20_001])
  func ring(count: Int) {
    let journal = Journal { _ in }
    for number in 0..<count { journal.append { $0.append("\(number)\n") } }
    let expected = (max(0, count - 10_000)..<count).map { "\($0)\n" }.joined()
    #expect(journal.text == Array(expected.utf8))
  }

  @Test("Every line is given on once, in order, also beyond the limit")
  func keep() {
    nonisolated(unsafe) var kept: [String] = []
    let journal = Journal { kept.append(String(decoding: $0, as: UTF8.self)) }
    journal.flush()
    for number in 0..<10_005 {
      journal.append { $0.append("line \(number)\n") }
      if number % 3 == 2 { journal.flush() }
    }
    journal.flush()
    journal.flush()
    #expect(kept.count == 3335)
    #expect(kept.first == "line 0\nline 1\nline 2\n")
    #expect(kept.joined() == (0..<10_005).map { "line \($0)\n" }.joined())
  }

  @Test("Cleared in the middle of a round it begins anew")
  func clear() {
    let journal = Journal { _ in }
    for number in 0..<10_003 { journal.append { $0.append("\(number)\n") } }
    journal.clear()
    #expect(journal.text == [])
    for number in 0..<3 { journal.append { $0.append("\(number)\n") } }
    #expect(journal.text == Array("0\n1\n2\n".utf8))
  }

  @Test("However long the lines, this many bytes at most; the newest line always stays", arguments: [100_000, 9 << 20])
  func bytes(length: Int) {
    let journal = Journal { _ in }
    let count = Journal.byteLimit / length + 3
    for number in 0..<count { journal.append { $0.append(UInt8(number), times: length) } }
    #expect(journal.text.last == UInt8(count - 1))
    #expect(journal.text.count == max(length, Journal.byteLimit / length * length))
    for number in 0..<20_000 { journal.append { $0.append("\(number)\n") } }
    #expect(journal.text == Array((10_000..<20_000).map { "\($0)\n" }.joined().utf8))
  }
}
