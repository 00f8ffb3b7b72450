import Foundation
import SKANDevice
import Synchronization
import TestSupport
import Testing

@testable import SKANRun

@Suite("One list of a run")
struct ListJobTests {
  private final class Counter: StepObserver {
    var steps = 0
    func wantsResult(of step: Step) -> Bool { true }
    func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool {
      steps += 1
      return true
    }
  }

  private static let twoPhones = """
    {"op":"device","device":"a"}
    {"op":"device","device":"b"}
    {"op":"register","device":"a"}
    {"op":"session","device":"a"}

    # The end.

    """

  private struct Ran {
    var list: ListJob
    var end: ListRun.End
    var steps: Int
  }

  private func run(
    _ text: String, _ settings: RunSettings? = nil, phones: PhonePartition? = nil, isRecorded: Bool = false
  )
    -> Ran
  {
    let settings = settings ?? RunSettings(includes: IncludePermission(folders: [], target: { $0 }))
    let all = ListPhones(StepRunner(), keepsNames: true)
    let list = ListJob(settings, "l", on: all, partition: phones, isRecorded: isRecorded)
    let counter = Counter()
    let missing: @Sendable (String) throws(SourceFailure) -> ByteSource = { _ throws(SourceFailure) in throw .missing }
    let end = list.run(
      ByteSource(Array(text.utf8)), settings.readerOptions(of: "list", open: missing, openFile: missing),
      settings.runOptions(isInterrupted: { false }, isObsolete: { false }, sleep: { _ in }), observer: counter
    ) { step in
      do throws(StepError) { return .ran(try all.run(step)) } catch { return .failed(error) }
    }
    return Ran(list: list, end: end, steps: counter.steps)
  }

  @Test("It is read to its end, and leaves no recording unless asked")
  func whole() {
    let ran = run(Self.twoPhones)
    guard case .finished = ran.end else {
      Issue.record("\(ran.end)")
      return
    }
    let outcome = ran.list.outcome(ReplayCounts(), wasStopped: false)
    #expect(ran.steps == 4 && ran.list.consumed == Self.twoPhones.utf8.count)
    #expect(!outcome.hasProblems && outcome.recording == nil && !ran.list.hasUndeclaredSteps)
  }

  @Test("A recording has every line, and is none of a list that was stopped or has mistakes")
  func recording() throws {
    let text = Self.twoPhones
    let list = run(text, isRecorded: true).list
    let recording = try #require(list.outcome(ReplayCounts(), wasStopped: false).recording)
    let lines = String(decoding: recording, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 7 && lines[5] == "# The end." && lines[3].contains(#""answer""#))
    #expect(list.outcome(ReplayCounts(), wasStopped: true).recording == nil && list.tooLong == nil)
    let wrong = run(text + "{\"op\":\"nothing\"}\n", isRecorded: true).list
    #expect(wrong.outcome(ReplayCounts(), wasStopped: false).recording == nil)
  }

  @Test(
    "A mistake, and a phone that is declared too late, need a look at the whole list",
    arguments: [
      ("{\"op\":\"nothing\"}\n", 1, true), ("{\"op\":\"session\"}\n{\"op\":\"device\",\"device\":\"a\"}\n", 0, true),
      ("{\"op\":\"session\"}\n", 0, false),
    ])
  func mistakes(text: String, problems: Int, needsCheck: Bool) {
    let outcome = run(text).list.outcome(ReplayCounts(), wasStopped: false)
    #expect(outcome.problems.count == problems && outcome.needsCheck == needsCheck)
  }

  @Test("Of a part only the steps of its phones run; a part without a step is not a mistake")
  func parts() {
    var settings = RunSettings(includes: IncludePermission(folders: [], target: { $0 }))
    settings.allowsEmpty = false
    let parts = (0..<2).map { run(Self.twoPhones, settings, phones: PhonePartition($0, of: 2)) }
    #expect(parts[0].steps + parts[1].steps == 4)
    let none = (0..<2).map {
      run("{\"op\":\"register\",\"device\":\"a\"}\n", settings, phones: PhonePartition($0, of: 2))
    }
    #expect(none.map(\.steps).sorted() == [0, 1])
    #expect(none.allSatisfy { !$0.list.outcome(ReplayCounts(), wasStopped: false).hasProblems })
    #expect(none.contains { $0.list.hasUndeclaredSteps })
  }

  @Test("What leaves the phones, of those from which something does")
  func departures() {
    let departures = run(Self.twoPhones).list.departures
    #expect(departures.map(\.device) == ["a"] && departures.map(\.list) == ["l"])
    #expect(departures.first?.postbacks.allSatisfy { $0.state == .sent } ?? false)
  }
}

@Suite("The lists of a run and the threads that run them", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct RunScheduleTests {
  private struct Broken: Error, Equatable {}

  private static func schedule(_ count: Int) -> RunSchedule<Broken> { RunSchedule(count: count) }

  private static let thread: @Sendable (@escaping @Sendable () -> Void) -> Bool = { body in
    DispatchQueue.global().async(execute: body)
    return true
  }

  @Test("Each list runs once, on as many threads as are asked for or there are", arguments: [0, 1, 2, 7, 100])
  func all(jobs: Int) {
    for (hasThreads, count) in [(true, 20), (false, 20), (true, 0), (true, 1)] {
      let schedule = Self.schedule(count)
      let runs = Mutex([Int](repeating: 0, count: count))
      let started = Mutex(0)
      schedule.runAll(
        jobs: jobs,
        startThread: { body in
          started.withLock { $0 += 1 }
          return hasThreads && Self.thread(body)
        }
      ) { index in
        runs.withLock { $0[index] += 1 }
        schedule.end(index, ListOutcome(counts: ReplayCounts()), nil)
      }
      #expect(runs.withLock { $0 } == [Int](repeating: 1, count: count))
      #expect(schedule.outcomes.count { $0 != nil } == count)
      // The calling thread is one of them; after one that does not start no other is asked for.
      let others = max(0, min(jobs, count) - 1)
      #expect(started.withLock { $0 } == (hasThreads ? others : min(1, others)))
    }
  }

  @Test("A failure ends the run: no list begins after it, and the first one counts")
  func failure() {
    let schedule = Self.schedule(5)
    schedule.runAll(jobs: 1, startThread: Self.thread) { index in
      schedule.end(index, ListOutcome(counts: ReplayCounts()), index == 2 ? Broken() : nil)
    }
    #expect(schedule.failure == Broken() && !schedule.wasStopped)
    #expect(schedule.outcomes.map { $0 != nil } == [true, true, true, false, false])
  }

  @Test("Of several failures the first counts, wherever it comes from")
  func firstFailure() {
    struct Numbered: Error, Equatable { let number: Int }
    let schedule = RunSchedule<Numbered>(count: 3)
    for index in 0..<3 {
      schedule.end(index, ListOutcome(counts: ReplayCounts()), index == 0 ? nil : Numbered(number: index))
    }
    schedule.fail(Numbered(number: 7))
    #expect(schedule.failure == Numbered(number: 1))
    let failed = RunSchedule<Numbered>(count: 1)
    failed.fail(Numbered(number: 7))
    failed.end(0, ListOutcome(counts: ReplayCounts()), Numbered(number: 0))
    #expect(failed.failure == Numbered(number: 7))
  }

  @Test(
    "The first list that a failed expectation stops ends the run, whichever ends first",
    arguments: [[3, 1, 2], [1, 3, 2]])
  func stopped(order: [Int]) {
    let schedule = Self.schedule(4)
    for index in order {
      schedule.end(index, ListOutcome(counts: ReplayCounts(), wasStopped: index != 2), nil)
      schedule.record(ListRecord(file: "\(index)", start: .listStart), of: index)
    }
    #expect(schedule.wasStopped && schedule.failure == nil)
    #expect((0..<4).map { schedule.isObsolete($0) } == [false, false, true, true])
    #expect(schedule.outcomes.map { $0 != nil } == [false, true])
    #expect(schedule.records.map(\.file) == ["1"])
  }

  @Test("A list that cannot run has a record, too; lists that are refused are known")
  func records() {
    let schedule = Self.schedule(3)
    schedule.record([ListRecord.Problem("no such file")], of: 2, empty: ListRecord(file: "c", start: .listStart))
    schedule.record(ListRecord(file: "a", start: .listStart), of: 0)
    schedule.record([ListRecord.Problem("line 3")], of: 0, empty: ListRecord(file: "other", start: .listStart))
    #expect(schedule.records.map(\.file) == ["a", "c"])
    #expect(schedule.records.map { $0.problems.map(\.text) } == [["line 3"], ["no such file"]])
    #expect(schedule.refused.isEmpty)
    schedule.refuse([1])
    #expect(schedule.refused == [1])
  }
}

@Suite("One list on several threads")
struct PhoneThreadsTests {
  private struct Broken: Error, Equatable {}

  private static let settings: RunSettings = {
    var settings = RunSettings(includes: IncludePermission(folders: [], target: { $0 }))
    settings.jobs = 3
    return settings
  }()

  /// Lines of sixty phones, long enough to be worth the threads.
  private static let bytes = Array(
    (0..<4000).map {
      "{\"op\":\"session\",\"device\":\"p\($0 % 60)\",\"label\":\"\(String(repeating: "x", count: 40))\"}\n"
    }
    .joined().utf8)

  private func threads(
    _ settings: RunSettings = settings, isRegular: Bool = true, size: Int? = bytes.count, of bytes: [UInt8] = bytes
  ) -> PhoneThreads? {
    PhoneThreads(settings, isRegular: isRegular, size: size) { () throws(SourceFailure) in ByteSource(bytes) }
  }

  @Test("Not worth it, or not possible")
  func nothing() {
    #expect(threads() != nil)
    var (alone, continued) = (Self.settings, Self.settings)
    alone.jobs = 1
    continued.continuesPhone = true
    #expect(threads(alone) == nil && threads(continued) == nil)
    #expect(threads(isRegular: false) == nil && threads(size: nil) == nil && threads(size: 1000) == nil)
    #expect(threads(of: Array(String(repeating: "{\"op\":\"session\"}\n", count: 9000).utf8)) == nil)
    let unreadable = PhoneThreads(Self.settings, isRegular: true, size: 1 << 20) { () throws(SourceFailure) in
      throw .unreadable("no")
    }
    #expect(unreadable == nil)
  }

  private func run(
    _ part: @escaping @Sendable (Int) -> PhoneThreads.Part<Broken>
  ) throws -> PhoneThreads.Whole<Broken>? {
    let records = StepRecords(of: "l", in: RecordSpool())
    return try #require(threads()).run(
      into: records,
      startThread: { body in
        DispatchQueue.global().async(execute: body)
        return true
      }
    ) { partition, isFirst in
      let number = (0..<3).first { partition == PhonePartition($0, of: 3) } ?? -1
      return isFirst == (number == 0) ? part(number) : .wrong
    }
  }

  @Test("The counts of all parts are added; the list counts once")
  func sum() throws {
    let whole = try #require(try run { .part(steps: $0 + 1) })
    #expect(whole.counts.steps == 6 && whole.counts.lists == 1 && whole.failure == nil)
  }

  @Test("Nothing comes of a list with a mistake, of phones that are not independent, and of no step")
  func uncertain() throws {
    #expect(try run { $0 == 1 ? .wrong : .part(steps: 1) } == nil)
    #expect(try run { .part(steps: 1, isIndependent: $0 != 2) } == nil)
    #expect(try run { _ in .part(steps: 0) } == nil)
  }

  @Test("A failure of one part is the whole's")
  func failure() throws {
    let whole = try #require(try run { .part(steps: 1, $0 == 2 ? Broken() : nil) })
    #expect(whole.failure == Broken())
  }
}

extension PhoneThreads.Part where Failure: Error {
  fileprivate static func part(steps: Int, isIndependent: Bool = true, _ failure: Failure? = nil) -> Self {
    var counts = ReplayCounts()
    counts.lists = 1
    counts.steps = steps
    return Self(ListOutcome(counts: counts), nil, isIndependent: isIndependent, failure)
  }

  fileprivate static var wrong: Self {
    Self(ListOutcome(counts: ReplayCounts(), needsCheck: true), nil, isIndependent: true, nil)
  }
}

@Suite("Parts of a list's phones")
struct PhonePartitionTests {
  private func phone(_ line: String) -> String? {
    let bytes = Array(line.utf8)
    return bytes.withUnsafeBufferPointer { PhonePartition.phone(ofLine: $0) }.map {
      String(decoding: bytes[$0], as: UTF8.self)
    }
  }

  @Test(
    "The name that a line shows",
    arguments: [
      (#"{"op":"session","device":"a"}"#, "a"), (#"{"device":"","op":"session"}"#, ""),
      (#"{"name":"device","device":"é","at":1}"#, "é"), (#"{"name":"device:","device":"b"}"#, "b"),
      (#"{"op":"session","device":"c","label":"\"device\":\"d\"","expect":{"device":"e"}}"#, "c"),
    ])
  func name(line: String, name: String) {
    #expect(phone(line) == name)
  }

  @Test(
    "A line that does not show it",
    arguments: [
      "", "{", #"{"op":"session"}"#, #"{"device": "a"}"#, #"{"device":"a"#, #"{"device":"a\n"}"#, #"{"device":"${A}"}"#,
      #"{"label":"\"device\":\"d\"","device":"c"}"#, #"{"expect":{"device":"e"},"device":"c"}"#, #"["device":"c"]"#,
      #"{"name":"\\","device":"c"}"#, #" {"device":"a"}"#, #"{"device":"#,
    ])
  func hidden(line: String) {
    #expect(phone(line) == nil)
  }

  @Test("Each phone belongs to one part, and the line says the same as the name", arguments: 1...7)
  func parts(count: Int) {
    var sizes = [Int](repeating: 0, count: count)
    for number in 0..<1000 {
      let name = "phone-\(number)"
      let owners = (0..<count).filter { PhonePartition($0, of: count).contains(name.utf8) }
      #expect(owners.count == 1)
      let line = Array(#"{"device":"\#(name)"}"#.utf8)
      for part in 0..<count {
        let isContained = line.withUnsafeBufferPointer {
          PhonePartition(part, of: count).containsPhone(ofLine: $0)
        }
        #expect(isContained == owners.contains(part))
      }
      for owner in owners { sizes[owner] += 1 }
    }
    #expect(sizes.allSatisfy { $0 * count > 700 })
  }

  @Test("Whether a list is worth the threads")
  func divides() {
    let many = (0..<100).map { #"{"op":"session","device":"p\#($0)"}"# + "\n" }
    let texts: [(String, Bool)] = [
      (many.joined(), true), ("# comment\n\n" + many.joined(), true), ("", false),
      (String(repeating: many[0], count: 100), false),
      (many.joined() + String(repeating: "{\"op\":\"session\"}\n", count: 40), false),
      // The last line may be cut anywhere.
      (many.joined() + #"{"op":"#, true),
    ]
    for (text, isDivided) in texts { #expect(PhonePartition.divides(Array(text.utf8), into: 2) == isDivided) }
  }
}

@Suite("The lists of a directory")
struct ListDirectoryTests {
  private static let tree: [String: [DirectoryEntry]] = [
    "d": [
      DirectoryEntry(name: "b.jsonl", isDirectory: false), DirectoryEntry(name: "B.jsonl", isDirectory: false),
      DirectoryEntry(name: "_start.jsonl", isDirectory: false), DirectoryEntry(name: ".x.jsonl", isDirectory: false),
      DirectoryEntry(name: "model.json", isDirectory: false), DirectoryEntry(name: "a", isDirectory: true),
      DirectoryEntry(name: "_parts", isDirectory: true), DirectoryEntry(name: ".git", isDirectory: true),
      DirectoryEntry(name: "locked", isDirectory: true),
    ],
    "d/": [DirectoryEntry(name: "c.jsonl", isDirectory: false)],
    "d/a": [DirectoryEntry(name: "z.jsonl", isDirectory: false)],
    "d/_parts": [DirectoryEntry(name: "p.jsonl", isDirectory: false)],
    "d/.git": [DirectoryEntry(name: "p.jsonl", isDirectory: false)],
    "empty": [],
  ]

  private func lists(
    _ path: String, locked: [DirectoryEntry]? = nil
  ) throws(ListDirectory.Failure) -> [String]? {
    try ListDirectory { (path) throws(SourceFailure) in
      guard path.hasSuffix("locked") else { return Self.tree[path] }
      guard let locked else { throw .unreadable("Permission denied") }
      return locked
    }.lists(under: path)
  }

  @Test("In the order of their paths; hidden ones, and those that are there to be included, are passed over")
  func order() throws {
    #expect(try lists("d", locked: []) == ["d/B.jsonl", "d/a/z.jsonl", "d/b.jsonl"])
    #expect(try lists("d/") == ["d/c.jsonl"])
    #expect(try lists("empty") == [])
  }

  @Test("A path that is not a directory has none")
  func file() throws { #expect(try lists("d/b.jsonl") == nil) }

  @Test("A list or a directory whose name is not UTF-8 is named, escaped; other files are passed over")
  func notUTF8() throws {
    let entry = { (name: String, isDirectory: Bool) in
      DirectoryEntry(name: [0x6C, 0xFF] + Array(name.utf8), isDirectory: isDirectory)
    }
    #expect(try lists("locked", locked: [entry(".json", false)]) == [])
    for (found, path) in [(entry(".jsonl", false), "locked/l\\xFF.jsonl"), (entry("", true), "locked/l\\xFF")] {
      #expect(throws: ListDirectory.Failure(path: path, reason: .notUTF8)) { try lists("locked", locked: [found]) }
    }
  }

  @Test("A directory below that cannot be read is named")
  func failure() {
    #expect(throws: ListDirectory.Failure(path: "d/locked", reason: .unreadable("Permission denied"))) {
      try lists("d")
    }
  }
}
