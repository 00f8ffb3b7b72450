import SKANDevice

/// Steps that are read ahead of their turn, several at a time.
///
/// A step needs memory of one of thousands of phones. Fetching it takes as long as running the step, and for several steps at
/// once not much longer than for one.
@safe struct StepsAhead {
  private static let most = 16

  /// A step and its line.
  @safe private struct Line {
    var step = Step(.details)
    var text = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    var number = 0
  }

  /// In memory that is used again and again.
  private var lines = [Line](repeating: Line(), count: most)
  /// The phones of all of them.
  private var phones: [Int] = []
  /// How many of the steps are no longer ahead.
  private var given = 0
  /// The line behind the steps, where it is not a usual one.
  private(set) var rest: LineReader.Line?

  /// Whether no step is ahead.
  var isEmpty: Bool { given == phones.count }

  /// The phones of all steps, when the first of them was given just now.
  var freshPhones: [Int]? { given == 1 ? phones : nil }

  /// Gives the next step.
  ///
  /// - Parameters:
  ///   - step: is made the step.
  ///   - number: is made the number of its line.
  /// - Returns: its line; nil where no step is ahead.
  @inline(__always)
  mutating func next(into step: inout Step, number: inout Int) -> UnsafeBufferPointer<UInt8>? {
    guard given < phones.count else { return nil }
    swap(&step, &lines[given].step)
    number = lines[given].number
    given += 1
    return unsafe lines[given - 1].text
  }

  /// Reads the next line, and while lines are usual ones those behind it that are at hand. All steps were given, and the
  /// line behind them was taken.
  ///
  /// - Parameters:
  ///   - number: of the line before, and then of the last one that was read.
  ///   - partition: the phones whose lines are wanted; nil for all.
  /// - Returns: false where there is no further line.
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

  /// The line behind the steps, which is taken with this.
  mutating func takeRest() -> LineReader.Line? {
    defer { rest = nil }
    return rest
  }

  /// - Returns: false where the line is not a usual one.
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

/// The phones of a list by their index, in blocks, so that a new one does not move the others.
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
  /// values do not matter, padding included.
  func touch(_ indices: [Int]) {
    var found: UInt64 = 0
    for index in indices where index < count {
      let phone = unsafe UnsafeRawPointer(pointer(index))
      for offset in stride(from: 0, to: Self.lastWord, by: Self.cacheLine) {
        unsafe found &+= phone.load(fromByteOffset: offset, as: UInt64.self)
      }
      unsafe found &+= phone.load(fromByteOffset: Self.lastWord, as: UInt64.self)
    }
    // The phones are here now, and so are the references in them.
    for index in indices where index < count { unsafe found &+= pointer(index).pointee.touch() }
    touched &+= found
  }

  /// Bytes.
  private static let cacheLine = 64
  private static let lastWord = MemoryLayout<Phone>.stride - MemoryLayout<UInt64>.size
}

// With thousands of phones the memory that a step needs is not in the processor's caches. Touched for several steps together
// it arrives for all of them in little more than the time of one: without that, 1,000,000 events of 20,000 phones take 15 %
// longer (best of 7 runs in turn, 2 cores, Debian 12).

extension Phone {
  /// Touches the counts that the phone refers to.
  ///
  /// Mutating, so that no copy of the phone is made.
  ///
  /// - Returns: something of what is there, so that the optimizer keeps the loads.
  @inline(__always)
  mutating func touch() -> UInt64 { memory.counts.touch() }
}

extension EventCounts {
  @inline(__always)
  fileprivate mutating func touch() -> UInt64 {
    unsafe withUnsafeCounts { counts in
      var found: UInt64 = 0
      // One of each cache line.
      for index in stride(from: 0, to: counts.count, by: 8) {
        unsafe found &+= UInt64(truncatingIfNeeded: counts[index])
      }
      return found
    }
  }
}
