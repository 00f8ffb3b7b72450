import SKANBase
import SKANSystem
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Sources of bytes, and their lines")
struct LineReaderPropertyTests {
  /// A source that gives as many bytes at a time as it likes.
  private static func source(_ bytes: [UInt8], _ sizes: [Int]) -> ByteSource {
    var (position, turn) = (0, 0)
    return ByteSource(isRegular: true) { buffer throws(SourceFailure) in
      let count = min(buffer.count, sizes[turn % sizes.count], bytes.count - position)
      turn += 1
      buffer.copyBytes(from: bytes[position..<position + count])
      position += count
      return count
    }
  }

  private struct Read: Equatable {
    var bytes: [UInt8]
    var isWhole: Bool
    var consumed: Int
  }

  private static func read(_ source: ByteSource, skipsMark: Bool) throws -> [Read] {
    let reader = LineReader(source, skipsByteOrderMark: skipsMark)
    var lines: [Read] = []
    while let line = try reader.next() {
      switch line {
      case .line(let bytes): lines.append(Read(bytes: Array(bytes), isWhole: true, consumed: reader.consumed))
      case .tooLong(let bytes): lines.append(Read(bytes: Array(bytes), isWhole: false, consumed: reader.consumed))
      }
    }
    return lines
  }

  /// The lines of a text that is split at once.
  private static func plain(_ bytes: [UInt8], skipsMark: Bool) -> [Read] {
    var lines: [Read] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
      var line = Array(rest[..<end])
      if skipsMark, lines.isEmpty, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
      rest = rest[min(end + 1, rest.endIndex)...]
      let isWhole = line.count <= 1_048_576
      lines.append(Read(bytes: isWhole ? line : Array(line.prefix(200)), isWhole: isWhole, consumed: rest.startIndex))
    }
    return lines
  }

  @Test func `Lines of any length, in pieces of any size`() throws {
    var generator = SplitMix64(seed: 6)
    let lengths = [0, 0, 1, 5, 199, 200, 201, 65_535, 65_536, 65_537]
    for round in Rounds.of(30) {
      var bytes: [UInt8] = round % 3 == 0 ? [0xEF, 0xBB, 0xBF] : []
      for number in 0..<Int.random(in: 0...6, using: &generator) {
        let length = lengths.randomElement(using: &generator) ?? 0
        bytes += [UInt8](repeating: UInt8(ascii: "a") + UInt8(number), count: length) + [0x0A]
      }
      if Bool.random(using: &generator) { bytes += Array("the end".utf8) }
      let sizes = (0..<3).map { _ in [1, 7, 4096, 65_536, 100_000].randomElement(using: &generator) ?? 1 }
      // Single bytes of long texts take long.
      let pieces = bytes.count > 5_000 ? sizes.map { max($0, 4096) } : sizes
      for skipsMark in [false, true] {
        let lines = try Self.read(Self.source(bytes, pieces), skipsMark: skipsMark)
        #expect(lines == Self.plain(bytes, skipsMark: skipsMark), "\(bytes.count) \(pieces)")
      }
    }
  }

  @Test(arguments: [-1, 0, 1, 65_535, 65_536])
  func `The longest line, one that is longer, and what follows`(more: Int) throws {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 1_048_576 + more)
    for bytes in [long, long + [0x0A], long + [0x0A] + Array("y\n".utf8), long + [0x0A] + long + Array("\nz".utf8)] {
      let lines = try Self.read(Self.source(bytes, [50_000]), skipsMark: false)
      #expect(lines == Self.plain(bytes, skipsMark: false), "\(lines.map(\.consumed))")
    }
  }

  @Test func `A source behind bytes that were read, watched, bounded, and its beginning`() throws {
    let bytes = (0..<100 as Range<UInt8>).map { $0 }
    func all(_ source: ByteSource, _ size: Int) throws(SourceFailure) -> [UInt8] {
      var result: [UInt8] = []
      while true {
        let piece = try source.beginning(size)
        if piece.isEmpty { return result }
        result += piece
      }
    }
    for size in [1, 7, 64, 1000] {
      for cut in [0, 1, 50, 100] {
        let source = Self.source(Array(bytes[cut...]), [13]).preceded(by: Array(bytes[..<cut]))
        #expect(try all(source, size) == bytes && !source.isRegular)
      }
      var seen = 0
      let watched = Self.source(bytes, [13]).watched { seen += $0 }
      let read = try all(watched, size)
      #expect(read == bytes && seen == 100)
      #expect(try all(Self.source(bytes, [13]).bounded(to: 100), size) == bytes)
      #expect(throws: SourceFailure.unpacksToMore(than: 99)) { try all(Self.source(bytes, [13]).bounded(to: 99), size) }
      #expect(try Self.source(bytes, [13]).beginning(size) == Array(bytes.prefix(size)))
    }
  }
}

@Suite("Records and counts of steps, in halves")
struct RecordPropertyTests {
  private static func step(_ line: Int, _ generator: inout SplitMix64, filler: Int = 0) -> StepRecord {
    func chance() -> Bool { Bool.random(using: &generator) }
    let file = chance() ? "l" : ["a", "b"].randomElement(using: &generator) ?? "a"
    if Int.random(in: 0..<5, using: &generator) == 0 { return .skipped(line, "later") }
    let (isUnmet, hasFinding, hasFault, isStrict) = (chance(), chance(), chance(), chance())
    return .ran(line, in: file) {
      $0.isStrict = isStrict
      $0.label = String(repeating: "x", count: filler)
      $0.expectations = 3
      if isUnmet { $0.failures = [.unmet("a", .null, .bool(true)), .unmet("b", .null, .integer(1))] }
      if hasFinding { $0.findings = [.emptyName, .emptyName] }
      if hasFault { $0.fault = EndpointFault(failure: .badAnswer, reason: "bad") }
    }
  }

  private static func plain(_ steps: [StepRecord]) -> [Int] {
    [
      steps.count, steps.count { $0.outcome == nil }, steps.count { $0.outcome == .read },
      steps.map(\.expectations).reduce(0, +), steps.map(\.failures.count).reduce(0, +),
      steps.count { $0.fault != nil }, steps.count { !$0.findings.isEmpty },
      steps.count { !$0.failures.isEmpty || $0.fault != nil || $0.isStrict && !$0.findings.isEmpty },
    ]
  }

  private static func plain(_ counts: ReplayCounts) -> [Int] {
    [
      counts.allSteps, counts.skipped, counts[.read], counts.expectations, counts.failures, counts.endpointFailures,
      counts.findings, counts.failed,
    ]
  }

  @Test(arguments: [true, false])
  func `Every record is kept, or those of the steps that failed`(isEvery: Bool) throws {
    let results = try runList([#"{"op":"details"}"#, #"{"op":"details"}"#, #"{"op":"details"}"#])
    var settings = RunSettings(includes: IncludePermission(folders: [], target: { $0 }))
    settings.keepsRecords = isEvery
    var tally = ListTally(settings, records: StepRecords(of: "l", in: RecordSpool()))
    for (index, result) in results.enumerated() {
      let verdicts = index == 1 ? [Expected.Verdict.unmet("a", .null, .bool(true))] : []
      let record = try tally.count(result, verdicts, at: ("l", index + 1), index: index, took: .zero)
      #expect((record != nil) == (index == 1))
    }
    #expect(tally.records?.counts.steps == (isEvery ? 3 : 1) && tally.counts.failures == 1)
    #expect(tally.counts.expectations == 1)
  }

  @Test(arguments: [0, 1, 40])
  func `The records of several threads are those of one, in order, with its totals`(count: Int) throws {
    var generator = SplitMix64(seed: UInt64(count))
    for filler in [0, 30_000] {
      let steps = (0..<count).map { index in
        var step = Self.step(index + 1, &generator, filler: filler)
        step.index = index
        return step
      }
      let spool = RecordSpool()
      var parts = (0..<3).map { _ in StepRecords(of: "l", in: spool) }
      var owners: [[StepRecord]] = [[], [], []]
      for step in steps {
        let part = Int.random(in: 0..<3, using: &generator)
        try parts[part].append(step)
        owners[part].append(step)
      }
      for part in parts.indices {
        #expect(Self.plain(parts[part].counts) == Self.plain(owners[part]))
        if Bool.random(using: &generator) { try parts[part].finish() }
      }
      var whole = parts[0]
      whole.merge(parts[1])
      whole.merge(parts[2])
      #expect(Self.plain(whole.counts) == Self.plain(steps))
      #expect(whole.lastLine == steps.filter { $0.file == "l" }.map(\.line).max() ?? 0)
      var read: [StepRecord] = []
      try whole.forEach({ $0 }) { (step) throws(FileError) in read.append(step) }
      #expect(read == steps)
    }
  }

  @Test func `Whether a list is worth two threads, by how many lines name phones of which part`() throws {
    let names = try (0..<2).map { part in
      try #require((0..<50).map { "p\($0)" }.first { PhonePartition(part, of: 2).contains($0.utf8) })
    }
    for first in 0...8 {
      for second in 0...8 {
        for unnamed in 0...6 {
          let lines =
            [String](repeating: #"{"op":"session","device":"\#(names[0])"}"#, count: first)
            + [String](repeating: #"{"op":"session","device":"\#(names[1])"}"#, count: second)
            + [String](repeating: #"{"op":"session"}"#, count: unnamed)
          let named = first + second
          let isWorth = named > 0 && named >= (named + unnamed) * 3 / 4 && max(first, second) * 2 <= named * 3 / 2
          // The last line may be cut.
          let bytes = Array((lines + ["{"]).joined(separator: "\n").utf8)
          #expect(PhonePartition.divides(bytes, into: 2) == isWorth, "\(first) \(second) \(unnamed)")
        }
      }
    }
  }
}

@Suite("What a summary shows, by its limits")
struct SummaryReportTests {
  private func parts(_ change: (inout ReplayCounts, inout ListSummary) -> Void) -> [String: ReportPart] {
    var (counts, summary) = (ReplayCounts(), ListSummary())
    counts.lists = 1
    change(&counts, &summary)
    let report = SummaryReport(counts, summary)
    return Dictionary(report.parts.map { ($0.title, $0) }) { first, _ in first }
  }

  @Test(arguments: [0, 1, 49, 50, 51, 60])
  func `Errors and failures, fifty rows of each`(count: Int) {
    let parts = parts { _, summary in
      for number in 0..<count {
        let report = StepReport(.serverError, .refused("text \(number)"))
        for _ in 0...(number % 3) { summary.count(report, Redactor(key: nil)) }
        summary.failures.add(.failed(number, .unmet("a", .integer(Int64(number)), .null)), of: "l")
      }
    }
    let (errors, failures) = (parts["Errors of answers"], parts["Failures that are alike"])
    #expect(errors?.rows.count ?? 0 == min(count, 50) && failures?.rows.count ?? 0 == min(count, 50))
    // The most frequent are shown, so those with a single step are left out first.
    let left = max(0, count - 50)
    #expect(errors?.notes ?? [] == (left == 0 ? [] : ["\(left.counted("step")) more with other texts."]))
    #expect(failures?.notes ?? [] == (left == 0 ? [] : ["\(left.counted("failure")) more of other kinds."]))
    #expect(errors?.rows.first?[1] == (count == 0 ? nil : count < 2 ? "1" : count < 3 ? "2" : "3"))
  }

  @Test func `Outcomes with their shares and bars`() throws {
    let parts = parts { counts, _ in
      for _ in 0..<3 { counts.count(StepReport(.updated, .nothingToUpdate)) }
      counts.count(StepReport(.serverError, .refused("")))
      counts.skipped = 4
    }
    let part = try #require(parts["Outcomes"])
    #expect(Set(part.rows.map { "\($0[0]) \($0[1])" }) == ["updated 3", "server-error 1", "skipped 4"])
    #expect(part.bars.map { "\($0)" } == part.rows.map { $0[1] } && part.barName == "steps" && parts.count == 1)
    #expect(part.rows.map { $0[2] } == part.bars.map { $0.percent(of: 8) })
  }
}

@Suite("The lines in which two texts differ")
struct LineDifferenceTests {
  @Test(arguments: [
    ("a\nb\nc", "a\nb\nc", []), ("a", "b", ["- a", "+ b"]),
    ("a\nb\nc\nd\ne", "a\nb\nx\nd\ne", ["  b", "- c", "+ x", "  d"]),
    ("b", "a\nb\nc", ["+ a", "  b", "+ c"]), ("a\nb\nc", "b", ["- a", "  b", "- c"]),
    ("a\nb\nc\nd\ne\nf", "x\nb\nc\nd\ne\ny", ["- a", "+ x", "  b", "  e", "- f", "+ y"]), ("", "", []),
  ])
  func lines(old: String, new: String, lines: [String]) { #expect(LineDifference.lines(from: old, to: new) == lines) }
}

/// A dictionary as a log has it, made of a value, and read again.
@Suite("A logged dictionary")
struct LoggedDictionaryTests {
  private static let texts = ["", "a b", "0x1", "é", "a\"b\\c", "line\nend\t", "1.5.2", "{;}", "true", "-"]

  /// The text of a value, with keys that are all different.
  private static func logged(
    _ depth: Int, _ next: inout Int, _ generator: inout SplitMix64
  ) -> (text: String, value: JSON) {
    func space(_ generator: inout SplitMix64) -> String { ["", " ", "\n\t"].randomElement(using: &generator) ?? "" }
    let kind = depth == 0 ? 0 : Int.random(in: depth > 3 ? 2...5 : 0...5, using: &generator)
    switch kind {
    case 0:
      var (text, members) = ("{\(space(&generator))", [(key: String, value: JSON)]())
      for _ in 0..<Int.random(in: depth == 0 ? 1...4 : 0...3, using: &generator) {
        let key = "key\(next)"
        next += 1
        let inner = logged(depth + 1, &next, &generator)
        let quoted = Bool.random(using: &generator) ? key : "\"\(key)\""
        text +=
          "\(quoted)\(space(&generator))=\(space(&generator))\(inner.text)\(space(&generator));\(space(&generator))"
        members.append((key, inner.value))
      }
      return (text + "}", .object(members))
    case 1:
      let items = (0..<Int.random(in: 0...3, using: &generator)).map { _ in logged(depth + 1, &next, &generator) }
      let inner = items.map { "\(space(&generator))\($0.text)\(space(&generator))" }.joined(separator: ",")
      return ("(\(items.isEmpty ? "" : inner))", .array(items.map(\.value)))
    case 2: return ("\"<null>\"", .null)
    case 3:
      let number = Int64.random(in: -9...99, using: &generator)
      return (Bool.random(using: &generator) ? "\(number)" : "\"\(number)\"", .integer(number))
    default:
      let text = texts.randomElement(using: &generator) ?? ""
      let escaped = text.unicodeScalars.map { scalar in
        switch scalar {
        case "\"", "\\": "\\\(scalar)"
        case "\n": "\\n"
        case "\t": "\\t"
        case "é": "\\U00e9"
        default: String(scalar)
        }
      }.joined()
      return ("\"\(escaped)\"", .string(text))
    }
  }

  @Test func `Any value reads back, and each key has its place`() throws {
    var generator = SplitMix64(seed: 13)
    for _ in Rounds.of(80) {
      var keys = 0
      let (text, value) = Self.logged(0, &keys, &generator)
      let whole = "2026-01-01 app[1:2] \(text)"
      let read = try LoggedDictionary(Array(whole.utf8))
      let logged = try #require(read, "\(text)")
      #expect(try JSONReader.read(logged.json).value == value, "\(text)")
      let (json, bytes) = (String(decoding: logged.json, as: UTF8.self), Array(whole.utf8))
      for key in 0..<keys {
        let range = try #require(json.firstRange(of: "\"key\(key)\""))
        let offset = json.utf8.distance(from: json.startIndex, to: range.lowerBound)
        let place = logged.located(SourceProblem("", at: offset..<offset + "\"key\(key)\"".utf8.count)).range
        let shown = String(decoding: bytes[place], as: UTF8.self)
        #expect(shown == "key\(key)" || shown == "\"key\(key)\"", "\(shown) in \(text)")
      }
      // What breaks off has no end, wherever it does.
      for length in stride(from: text.utf8.count - 1, to: 2, by: -max(1, text.utf8.count / 40)) {
        let part = Array(text.utf8.prefix(length))
        #expect((try? LoggedDictionary(part)) == nil, "\(String(decoding: part, as: UTF8.self))")
      }
    }
  }

  @Test func `Sixteen dictionaries in one another, and no more`() throws {
    for (depth, isRead) in [(15, true), (16, false)] {
      // A value within as many, and its own is one more.
      let text = String(repeating: "{a=", count: depth + 1) + "1" + String(repeating: ";}", count: depth + 1)
      let read = try? LoggedDictionary(Array(text.utf8))
      #expect((read != nil) == isRead, "\(depth)")
    }
  }
}
