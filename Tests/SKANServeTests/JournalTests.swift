import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANReceive
import SKANSigning
import TestSupport
import Testing

@testable import SKANServe

@Suite("The journal")
struct JournalTests {
  @Test("The last lines, oldest first, however often it goes round or is emptied", arguments: [1, 2, 5, 10_000])
  func ring(limit: Int) {
    var random = SplitMix64(seed: UInt64(limit))
    let journal = Journal(limit: limit, redactor: Redactor(key: nil)) { _ in }
    var (kept, next, copies): ([(number: Int, line: String)], Int, [(JournalLines, [String])]) = ([], 1, [])
    for _ in 0..<200 {
      for _ in 0..<Int.random(in: 0...limit * 3 / 2, using: &random) {
        let line = "\(next) \(String(repeating: "x", count: next % 7))\n"
        journal.append { $0.append(line) }
        kept.append((next, line))
        next += 1
      }
      kept.removeFirst(max(0, kept.count - limit))
      let isEmptied = Int.random(in: 0..<8, using: &random) == 0
      if isEmptied {
        journal.clear()
        kept = []
      }
      #expect(journal.text == Array(kept.map(\.line).joined().utf8))
      #expect(journal.firstNumber == kept.first?.number ?? next && journal.endNumber == next)
      #expect(kept.allSatisfy { journal.lines[$0.number] == Array($0.line.utf8) })
      #expect(journal.lines.size == kept.reduce(0) { $0 + $1.line.utf8.count })
      if limit < 10, copies.count < 20 { copies.append((journal.lines, kept.map(\.line))) }
      if limit > 10, next > 60_000 { break }
    }
    // A copy stays as it was.
    for (lines, texts) in copies { #expect(lines.numbers.map { lines[$0] } == texts.map { Array($0.utf8) }) }
  }

  @Test("Every line is given on once, in order, also beyond the limit")
  func keep() {
    nonisolated(unsafe) var kept: [String] = []
    let journal = Journal(redactor: Redactor(key: nil)) { kept.append(String(decoding: $0, as: UTF8.self)) }
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

  @Test("However long the lines, this many bytes at most; the newest line always stays", arguments: [100_000, 9 << 20])
  func bytes(length: Int) {
    let journal = Journal(redactor: Redactor(key: nil)) { _ in }
    let count = Journal.byteLimit / length + 3
    for number in 0..<count { journal.append { $0.append(UInt8(number), times: length) } }
    #expect(journal.text.last == UInt8(count - 1))
    #expect(journal.text.count == max(length, Journal.byteLimit / length * length))
    for number in 0..<20_000 { journal.append { $0.append("\(number)\n") } }
    #expect(journal.text == Array((10_000..<20_000).map { "\($0)\n" }.joined().utf8))
  }
}
