import SKANBase
import SKANSystem
import Synchronization

/// One list, run by several threads, each of which reads all of it and runs the steps of some of its phones.
///
/// What comes of it is what one thread would give, byte for byte: where that is not certain, nothing comes of it.
package struct ListDivision: Sendable {
  /// The findings of one thread.
  package struct Part<Failure: Error>: Sendable {
    private let outcome: ListOutcome
    private let records: StepRecords?
    private let isIndependent: Bool
    fileprivate let failure: Failure?

    /// - Parameters:
    ///   - isIndependent: whether each of its steps was for a phone that the list had declared.
    ///   - failure: why the thread could not go on, apart from mistakes in the list.
    package init(_ outcome: ListOutcome, _ records: StepRecords?, isIndependent: Bool, _ failure: Failure?) {
      self.outcome = outcome
      self.records = records
      self.isIndependent = isIndependent
      self.failure = failure
    }

    fileprivate var isCertain: Bool { isIndependent && !outcome.isWrong }

    fileprivate func add(to whole: inout Whole<Failure>) {
      whole.counts += outcome.counts
      if let records { whole.records.merge(records) }
      if let summary = outcome.summary {
        if whole.summary == nil { whole.summary = summary } else { whole.summary? += summary }
      }
    }
  }

  /// The findings of all threads.
  package struct Whole<Failure: Error>: Sendable {
    package var counts = ReplayCounts()
    package var records: StepRecords
    /// Without groups of failures, which ``records`` have in the order of the list.
    package var summary: ListSummary?
    package var failure: Failure?
  }

  /// Bytes of a list below which it is not worth the threads.
  private static let leastSize = 1 << 18
  /// Bytes of its beginning that show how its steps are divided.
  private static let sampleSize = 1 << 16

  private let jobs: Int

  /// - Parameter open: the list from its beginning.
  /// - Returns: nil where one thread is to run the list: it goes on with one phone, cannot be read twice, is short, or is
  ///   mostly about a few phones.
  package init?(
    _ plan: ListPlan, isRegular: Bool, size: Int?, open: () throws(SourceFailure) -> ByteSource
  ) {
    guard plan.jobs > 1, !plan.continuesPhone, isRegular, size ?? 0 >= Self.leastSize,
      let beginning = try? open().beginning(Self.sampleSize), PhonePartition.divides(beginning, into: plan.jobs)
    else { return nil }
    jobs = plan.jobs
  }

  /// Runs the list.
  ///
  /// - Parameters:
  ///   - records: without a step; those of the steps are added.
  ///   - startThread: runs something on a thread of its own; false when the system has no thread left.
  ///   - body: runs the steps of some phones. Of one of the threads, the first, the bytes that were read count.
  /// - Returns: nil when the list has mistakes, or its phones are not independent: then one thread is to run it again.
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
    // Each has counted the list.
    whole.counts.lists = 1
    let isWhole =
      found.allSatisfy(\.isCertain) && whole.counts.steps + whole.counts.skipped > 0
      // With too many texts those that are told apart depend on the order of the steps.
      && whole.summary?.errors.others ?? 0 == 0
    return whole.failure != nil || isWhole ? whole : nil
  }

  /// The parts by the threads that take them.
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

/// Some of the phones of a list: those that one of several threads runs, each of which reads the whole list.
///
/// A phone belongs to a part by the hash of its name, so that all of its steps run on one thread, in their order.
package struct PhonePartition: Sendable, Equatable {
  /// Which of the parts it is, from 0.
  private let number: UInt64
  /// How many parts there are.
  private let count: UInt64

  /// - Parameters:
  ///   - number: from 0.
  ///   - count: of the parts, more than `number`.
  package init(_ number: Int, of count: Int) {
    self.number = UInt64(number)
    self.count = UInt64(max(1, count))
  }

  /// Whether a phone is among them.
  func contains(_ name: some Sequence<UInt8>) -> Bool { isNumber(of: fnv1a(name)) }

  // Names that differ in their last digits only have hashes that are alike.
  @inline(__always)
  private func isNumber(of hash: UInt64) -> Bool { ((hash &* 0x9E37_79B9_7F4A_7C15) >> 32) % count == number }

  /// Whether the step of a line is for one of the phones, found without reading the line as JSON.
  ///
  /// - Returns: nil where that does not tell: no name, one with escapes or a variable in it, an object before it.
  @inline(__always)
  func containsPhone(ofLine line: UnsafeBufferPointer<UInt8>) -> Bool? {
    guard let name = unsafe Self.phone(ofLine: line) else { return nil }
    // As fnv1a does, which across modules takes longer than all of the rest.
    var hash = FNV1a.offset
    for index in name { unsafe hash = (hash ^ UInt64(line[index])) &* FNV1a.prime }
    return isNumber(of: hash)
  }

  /// Where the name of the phone stands in a line.
  ///
  /// In an object with neither an escape nor another object before it, a quote that is followed by `device":"` begins a key
  /// of the object: behind the end of a text a letter is a mistake, which the reader of the line reports.
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
    // The first letter apart: nearly every quote is followed by another one.
    guard unsafe line[index + 1] == UInt8(ascii: "d") else { return false }
    for offset in 2..<key.utf8CodeUnitCount where unsafe line[index + offset] != key.utf8Start[offset] { return false }
    return true
  }

  /// From its first byte to its last; nil where bytes of it stand for others.
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
  /// Whether the beginning of a list lets expect that several threads are faster than one: most lines name their
  /// phones, and no part has most of the lines.
  ///
  /// - Parameters:
  ///   - beginning: of the list; what stands behind its last line end is not looked at.
  ///   - count: of the parts.
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
