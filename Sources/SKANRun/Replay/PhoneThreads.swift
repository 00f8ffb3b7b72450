import SKANBase
import SKANDevice
import SKANSystem
import Synchronization

/// Schedules the lists of a run, by index, on several threads: which list is next, how each ended, and why the run
/// ended.
///
/// `Failure` is the reason why a run cannot continue, apart from mistakes in a list.
package final class RunSchedule<Failure: Error>: Sendable {
  private struct State {
    var outcomes: [ListOutcome?]
    var next = 0
    var failure: Failure?
    /// The first list that a failed expectation has stopped; later lists do not count.
    var last: Int?
    var refused: Set<Int> = []
    var records: [Int: ListRecord] = [:]
  }

  private let count: Int
  private let state: Mutex<State>

  package init(count: Int) {
    self.count = count
    state = Mutex(State(outcomes: Array(repeating: nil, count: count)))
  }

  /// Runs all lists, several at a time, and returns when all have ended.
  ///
  /// - Parameters:
  ///   - jobs: how many run at a time.
  ///   - startThread: runs a closure on a new thread; false when the system has no thread left.
  ///   - run: runs the list with this index, and calls ``end(_:_:_:)`` at its end.
  package func runAll(
    jobs: Int, startThread: ThreadGroup.Start, _ run: @escaping @Sendable (Int) -> Void
  ) {
    ThreadGroup.run(min(jobs, count), start: startThread) { [self] in while let index = nextIndex() { run(index) } }
  }

  private func nextIndex() -> Int? {
    state.withLock { state in
      guard state.failure == nil, state.last == nil, state.next < count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Records how a list ended.
  ///
  /// - Parameter failure: the reason, when it ends the whole run.
  package func end(_ index: Int, _ outcome: ListOutcome, _ failure: Failure?) {
    state.withLock { state in
      state.outcomes[index] = outcome
      state.failure = state.failure ?? failure
      if outcome.wasStopped { state.last = min(index, state.last ?? index) }
    }
  }

  /// Ends the run; only the first failure counts.
  package func fail(_ failure: Failure) { state.withLock { $0.failure = $0.failure ?? failure } }

  /// Why the run ended early, apart from mistakes in lists.
  package var failure: Failure? { state.withLock { $0.failure } }

  /// Whether an earlier list has ended the run, so that the rest of this list does not count.
  package func isObsolete(_ index: Int) -> Bool { state.withLock { $0.last.map { $0 < index } ?? false } }

  /// Whether a failed expectation ended the run.
  package var wasStopped: Bool { state.withLock { $0.last != nil } }

  /// The outcomes of the lists by index; nil for a list that did not run. Lists after one that ended the run are left
  /// out.
  package var outcomes: [ListOutcome?] {
    state.withLock { Array($0.outcomes.prefix($0.last.map { $0 + 1 } ?? count)) }
  }

  /// The lists that do not run because mistakes were found before the first step.
  package var refused: Set<Int> { state.withLock { $0.refused } }

  package func refuse(_ indices: Set<Int>) { state.withLock { $0.refused = indices } }

  /// The records of lists that began or cannot run, in list order.
  package var records: [ListRecord] {
    let (records, last) = state.withLock { ($0.records, $0.last ?? count) }
    return records.filter { $0.key <= last }.sorted { $0.key < $1.key }.map(\.value)
  }

  package func record(_ record: ListRecord, of index: Int) { state.withLock { $0.records[index] = record } }

  /// Adds the reasons why a list could not run to its record.
  ///
  /// - Parameter empty: the record to start from if the list has none.
  package func record(_ problems: [ListRecord.Problem], of index: Int, empty: ListRecord) {
    state.withLock { $0.records[index, default: empty].problems = problems }
  }
}

/// Runs one list on several threads. Each reads the whole list and runs the steps of some of its phones.
///
/// The result is byte for byte that of one thread; where that is not certain, there is no result.
package struct PhoneThreads: Sendable {
  /// The result of one thread.
  package struct Part<Failure: Error>: Sendable {
    private let outcome: ListOutcome
    private let records: StepRecords?
    private let isIndependent: Bool
    fileprivate let failure: Failure?

    /// - Parameters:
    ///   - isIndependent: whether every step was for a phone that the list had declared.
    ///   - failure: why the thread could not continue, apart from mistakes in the list.
    package init(_ outcome: ListOutcome, _ records: StepRecords?, isIndependent: Bool, _ failure: Failure?) {
      self.outcome = outcome
      self.records = records
      self.isIndependent = isIndependent
      self.failure = failure
    }

    fileprivate var isCertain: Bool { isIndependent && !outcome.hasProblems }

    fileprivate func add(to whole: inout Whole<Failure>) {
      whole.counts += outcome.counts
      if let records { whole.records.merge(records) }
      if let summary = outcome.summary {
        if whole.summary == nil { whole.summary = summary } else { whole.summary? += summary }
      }
    }
  }

  /// The combined result of all threads.
  package struct Whole<Failure: Error>: Sendable {
    package var counts = ReplayCounts()
    package var records: StepRecords
    /// Contains no groups of failures; ``records`` give those in list order.
    package var summary: ListSummary?
    package var failure: Failure?
  }

  /// The size in bytes below which a list is not divided.
  private static let leastSize = 1 << 18
  /// The bytes at the beginning of a list that are examined to decide.
  private static let sampleSize = 1 << 16

  private let jobs: Int

  /// - Parameter open: opens the list at its beginning.
  /// - Returns: nil where one thread is to run the list: it continues a phone, cannot be read twice, is short, or is
  ///   mostly about a few phones.
  package init?(
    _ settings: RunSettings, isRegular: Bool, size: Int?, open: () throws(SourceFailure) -> ByteSource
  ) {
    guard settings.jobs > 1, !settings.continuesPhone, isRegular, size ?? 0 >= Self.leastSize,
      let beginning = try? open().beginning(Self.sampleSize), PhonePartition.divides(beginning, into: settings.jobs)
    else { return nil }
    jobs = settings.jobs
  }

  /// Runs the list.
  ///
  /// - Parameters:
  ///   - records: receives the records of the steps; contains none yet.
  ///   - startThread: runs a closure on a new thread; false when the system has no thread left.
  ///   - body: runs the steps of some phones. Only the first thread counts the bytes read.
  /// - Returns: nil when the list has mistakes or its phones are not independent; one thread must then run it again.
  package func run<Failure>(
    into records: StepRecords, startThread: ThreadGroup.Start,
    _ body: @escaping @Sendable (PhonePartition, _ isFirst: Bool) -> Part<Failure>
  ) -> Whole<Failure>? {
    let parts = Parts<Failure>(count: jobs)
    ThreadGroup.run(jobs, start: startThread) {
      while let number = parts.next() { parts.add(body(PhonePartition(number, of: parts.count), number == 0)) }
    }
    let found = parts.all
    var whole = Whole(records: records, failure: found.lazy.compactMap(\.failure).first)
    for part in found { part.add(to: &whole) }
    // Each thread has counted the list.
    whole.counts.lists = 1
    let isWhole =
      found.allSatisfy(\.isCertain) && whole.counts.allSteps > 0
      // With too many texts, which of them are counted apart depends on the order of the steps.
      && whole.summary?.errors.others ?? 0 == 0
    return whole.failure != nil || isWhole ? whole : nil
  }

  /// Hands out the part numbers and collects the parts.
  private final class Parts<Failure: Error>: Sendable {
    let count: Int
    private let state = Mutex<(next: Int, parts: [Part<Failure>])>((0, []))

    init(count: Int) { self.count = count }

    func next() -> Int? {
      state.withLock { state in
        guard state.next < count else { return nil }
        defer { state.next += 1 }
        return state.next
      }
    }

    func add(_ part: Part<Failure>) { state.withLock { $0.parts.append(part) } }

    var all: [Part<Failure>] { state.withLock { $0.parts } }
  }
}

/// The phones of a list that one of several threads runs.
///
/// A hash of its name assigns a phone to a part, so that all its steps run in order on one thread.
package struct PhonePartition: Sendable, Equatable {
  /// The part's number, from 0.
  private let number: UInt64
  /// The number of parts.
  private let count: UInt64

  /// - Parameters:
  ///   - number: the part's number, from 0.
  ///   - count: the number of parts, more than `number`.
  package init(_ number: Int, of count: Int) {
    self.number = UInt64(number)
    self.count = UInt64(max(1, count))
  }

  /// Whether a phone belongs to this part.
  func contains(_ name: some Sequence<UInt8>) -> Bool { isNumber(of: fnv1a(name)) }

  // The multiplication spreads the similar hashes of names that differ only in their last digits.
  @inline(__always)
  private func isNumber(of hash: UInt64) -> Bool { ((hash &* 0x9E37_79B9_7F4A_7C15) >> 32) % count == number }

  /// Whether the step of a line belongs to one of the phones, without parsing the line as JSON.
  ///
  /// - Returns: nil where that is not certain: there is no name, the name has an escape or a variable, or an object
  ///   precedes it.
  @inline(__always)
  func containsPhone(ofLine line: UnsafeBufferPointer<UInt8>) -> Bool? {
    guard let name = unsafe Self.phone(ofLine: line) else { return nil }
    // Equals fnv1a, whose call across modules would take longer than all the rest.
    var hash = FNV1a.offset
    for index in name { unsafe hash = (hash ^ UInt64(line[index])) &* FNV1a.prime }
    return isNumber(of: hash)
  }

  /// The range of the phone's name in a line.
  ///
  /// Where neither an escape nor a nested value precedes it, a quote followed by `device":"` begins a key of the
  /// object: a letter after the end of a text would be a syntax error, which the reader of the line reports.
  @inline(__always)
  static func phone(ofLine line: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    guard line.count > key.utf8CodeUnitCount, unsafe line[0] == UInt8(ascii: "{") else { return nil }
    let last = line.count - key.utf8CodeUnitCount
    var index = 1
    while index < last {
      let byte = unsafe line[index]
      if byte == UInt8(ascii: "\"") {
        if unsafe isKey(line, at: index) { return unsafe name(in: line, from: index + key.utf8CodeUnitCount) }
      } else if byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        return nil
      }
      index += 1
    }
    return nil
  }

  private static let key: StaticString = "\"device\":\""

  @inline(__always)
  private static func isKey(_ line: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    // Checks the first letter separately, as it rules out nearly every quote.
    guard unsafe line[index + 1] == UInt8(ascii: "d") else { return false }
    for offset in 2..<key.utf8CodeUnitCount where unsafe line[index + offset] != key.utf8Start[offset] { return false }
    return true
  }

  /// The range up to the closing quote; nil where the name has an escape or a variable.
  @inline(__always)
  private static func name(in line: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
    var end = start
    while end < line.count {
      let byte = unsafe line[end]
      if byte == UInt8(ascii: "\"") { return start..<end }
      if byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "$") { return nil }
      end += 1
    }
    return nil
  }
}

extension PhonePartition {
  /// Whether several threads are likely to be faster than one, judging by the beginning of a list: most lines name
  /// their phones, and the lines are spread evenly enough over the parts.
  ///
  /// - Parameters:
  ///   - beginning: the beginning of the list; bytes after its last line end are ignored.
  ///   - count: the number of parts.
  package static func divides(_ beginning: [UInt8], into count: Int) -> Bool {
    var lines = 0
    var shares = [Int](repeating: 0, count: count)
    for line in beginning.split(separator: UInt8(ascii: "\n")).dropLast() where line.first == UInt8(ascii: "{") {
      lines += 1
      unsafe line.withUnsafeBufferPointer { line in
        for number in 0..<count where unsafe PhonePartition(number, of: count).containsPhone(ofLine: line) ?? false {
          shares[number] += 1
        }
      }
    }
    let named = shares.reduce(0, +)
    return named > 0 && named >= lines * 3 / 4 && (shares.max() ?? 0) * count <= named * 3 / 2
  }
}
