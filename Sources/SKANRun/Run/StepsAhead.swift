import SKANDevice

/// A batch of steps that are read ahead.
///
/// A step needs the memory of one of thousands of phones. Fetching it takes as long as running the step; fetching it
/// for several steps at once takes little longer than for one.
@safe struct StepsAhead {
  private static let most = 16

  /// A step and its line.
  @safe private struct Line {
    var step = Step(.details)
    var text = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    var number = 0
  }

  /// Lines whose memory is reused.
  private var lines = [Line](repeating: Line(), count: most)
  /// The phone of each step.
  private var phones: [Int] = []
  /// The number of steps that were already returned.
  private var given = 0
  /// The line after the steps, where it does not have the common form.
  private(set) var rest: LineReader.Line?

  /// Whether no step is left.
  var isEmpty: Bool { given == phones.count }

  /// The phones of all steps, right after the first step was returned; otherwise nil.
  var freshPhones: [Int]? { given == 1 ? phones : nil }

  /// Returns the next step.
  ///
  /// - Parameters:
  ///   - step: receives the step.
  ///   - number: receives its line number.
  /// - Returns: the step's line; nil where no step is left.
  @inline(__always)
  mutating func next(into step: inout Step, number: inout Int) -> UnsafeBufferPointer<UInt8>? {
    guard given < phones.count else { return nil }
    swap(&step, &lines[given].step)
    number = lines[given].number
    given += 1
    return unsafe lines[given - 1].text
  }

  /// Reads the next line, and further buffered lines as long as they have the common form. Requires that all steps and
  /// ``rest`` were taken.
  ///
  /// - Parameters:
  ///   - number: the number of the previous line; receives that of the last line read.
  ///   - partition: the phones whose lines are wanted; nil for all.
  /// - Returns: false at the end of the list.
  mutating func read(
    from reader: LineReader, number: inout Int, by events: EventListReader, partition: PhonePartition?
  ) throws(SourceFailure) -> Bool {
    given = 0
    phones.removeAll(keepingCapacity: true)
    guard var line = try reader.next() else { return false }
    while true {
      number += 1
      guard case .line(let text) = line, unsafe take(text, number: number, by: events, partition) else {
        rest = line
        return true
      }
      guard phones.count < Self.most, let next = reader.nextAtHand() else { return true }
      line = next
    }
  }

  /// Returns ``rest`` and removes it.
  mutating func takeRest() -> LineReader.Line? {
    defer { rest = nil }
    return rest
  }

  /// - Returns: false where the line does not have the common form.
  @inline(__always)
  private mutating func take(
    _ text: UnsafeBufferPointer<UInt8>, number: Int, by events: EventListReader, _ partition: PhonePartition?
  ) -> Bool {
    if let partition {
      guard let isContained = unsafe partition.containsPhone(ofLine: text) else { return false }
      if !isContained { return true }
    }
    let index = phones.count
    guard unsafe events.scan(text, into: &lines[index].step) else { return false }
    unsafe lines[index].text = unsafe text
    lines[index].number = number
    phones.append(lines[index].step.phone)
    return true
  }
}

/// The phones of a list by index, in blocks so that adding one does not move the others.
@safe final class PhoneTable {
  private static let blockSize = 256
  private var blocks: [UnsafeMutablePointer<Phone>] = unsafe []
  private(set) var count = 0
  /// Keeps the loads of ``touch(_:)`` from being optimized away; never read.
  private var touched: UInt64 = 0

  deinit {
    for number in unsafe blocks.indices {
      let block = unsafe blocks[number]
      unsafe block.deinitialize(count: min(Self.blockSize, count - number * Self.blockSize))
      unsafe block.deallocate()
    }
  }

  subscript(index: Int) -> Phone {
    @inline(__always) _read { yield unsafe pointer(index).pointee }
    @inline(__always) _modify { yield unsafe &pointer(index).pointee }
  }

  @inline(__always)
  private func pointer(_ index: Int) -> UnsafeMutablePointer<Phone> {
    precondition(index < count)
    return unsafe blocks[index / Self.blockSize] + index % Self.blockSize
  }

  func append(_ phone: Phone) {
    if count % Self.blockSize == 0 { unsafe blocks.append(.allocate(capacity: Self.blockSize)) }
    count += 1
    unsafe pointer(count - 1).initialize(to: phone)
  }

  /// Loads one word of every cache line that steps on these phones may need, so that the waits for memory overlap. The
  /// values do not matter, even if they are padding.
  func touch(_ indices: [Int]) {
    var found: UInt64 = 0
    for index in indices where index < count {
      let phone = unsafe UnsafeRawPointer(pointer(index))
      for offset in stride(from: 0, to: Self.lastWord, by: Self.cacheLine) {
        unsafe found &+= phone.load(fromByteOffset: offset, as: UInt64.self)
      }
      unsafe found &+= phone.load(fromByteOffset: Self.lastWord, as: UInt64.self)
    }
    // The phones are now cached, so the objects that they refer to can be loaded.
    for index in indices where index < count { unsafe found &+= pointer(index).pointee.touch() }
    touched &+= found
  }

  /// The sizes in bytes.
  private static let cacheLine = 64
  private static let lastWord = MemoryLayout<Phone>.stride - MemoryLayout<UInt64>.size
}

// With thousands of phones, the memory of a step is not in the processor's caches. Loading it for several steps
// together takes little longer than for one: without it, 1,000,000 events of 20,000 phones take 15 % longer (best of 7
// alternating runs, 2 cores, Debian 12).

extension Phone {
  /// Loads the event counts that the phone refers to.
  ///
  /// Mutating, so that the phone is not copied.
  ///
  /// - Returns: a sum of the loaded values, so that the optimizer keeps the loads.
  @inline(__always)
  mutating func touch() -> UInt64 { memory.counts.touch() }
}

extension EventCounts {
  @inline(__always)
  fileprivate mutating func touch() -> UInt64 {
    unsafe withUnsafeCounts { counts in
      var found: UInt64 = 0
      // One count in each cache line.
      for index in stride(from: 0, to: counts.count, by: 8) {
        unsafe found &+= UInt64(truncatingIfNeeded: counts[index])
      }
      return found
    }
  }
}
