import SKANBase

/// Steps that are read ahead of their turn, several at a time.
///
/// What a step is about lies somewhere in the memory of thousands of phones. To fetch it takes longer than to run the
/// step, and for several at once not much longer than for one.
@safe final class StepsAhead {
  private static let mostLines = 32

  private let source: EventListReader
  /// The parsed lines, the steps made of them, and the lines themselves, in memory that is used again and again.
  private let parsed: UnsafeMutablePointer<JSONObjectReader>
  private let steps: UnsafeMutablePointer<Step>
  private let texts: UnsafeMutablePointer<UnsafeBufferPointer<UInt8>>
  /// Which lines they are, from 1 for the first that was read at this time.
  private let numbers: UnsafeMutablePointer<Int>
  private let partition: PhonePartition?
  private var names: [Int] = []
  private var phones: [Int] = []
  /// How many steps were read at a time.
  private(set) var count = 0
  /// How many of them are no longer ahead.
  private(set) var given = 0
  /// How many lines were read at a time, those of other phones among them.
  private(set) var lineCount = 0
  /// How many of them there are up to that of the step that was given last.
  private(set) var lines = 0
  /// How many lines are parsed next: fewer after one that holds no step, as those behind it are parsed again.
  private var limit = mostLines
  /// How many lines are left to be read by themselves, as several before them held no step; and how many it will be when
  /// another one holds none.
  private var (alone, nextAlone) = (0, 1)
  /// Keeps the loads from being optimized away; never read.
  private var fetched: UInt64 = 0

  init(_ source: EventListReader, partition: PhonePartition?) {
    self.source = source
    self.partition = partition
    unsafe numbers = .allocate(capacity: Self.mostLines)
    unsafe numbers.initialize(repeating: 0, count: Self.mostLines)
    unsafe parsed = .allocate(capacity: Self.mostLines)
    for index in 0..<Self.mostLines { unsafe (parsed + index).initialize(to: source.steps.emptyLine()) }
    unsafe steps = .allocate(capacity: Self.mostLines)
    unsafe steps.initialize(repeating: Step(.details), count: Self.mostLines)
    unsafe texts = .allocate(capacity: Self.mostLines)
  }

  deinit {
    unsafe parsed.deinitialize(count: Self.mostLines)
    unsafe parsed.deallocate()
    unsafe numbers.deallocate()
    unsafe steps.deinitialize(count: Self.mostLines)
    unsafe steps.deallocate()
    unsafe texts.deallocate()
  }

  /// The phones of all steps, when the first of them was given just now.
  var freshPhones: [Int]? { given == 1 ? phones : nil }

  /// The next of the steps that were read, and its line; nil when there is none left.
  ///
  /// - Parameter step: is made the step.
  @inline(__always)
  func next(into step: inout Step) -> UnsafeBufferPointer<UInt8>? {
    guard given < count else { return nil }
    unsafe swap(&step, &steps[given])
    unsafe lines = numbers[given]
    given += 1
    return unsafe texts[given - 1]
  }

  /// Reads steps whose lines are at hand. Where that is none, the next line must be read by itself.
  ///
  /// - Parameter reader: nil when there is nothing to be read.
  func read(from reader: LineReader?) {
    count = 0
    given = 0
    (lines, lineCount) = (0, 0)
    guard let reader else { return }
    if alone > 0 {
      alone -= 1
      return
    }
    let taken = parse(from: reader)
    if taken == 0 { return }
    fetched &+= source.names.fetch(names)
    phones.removeAll(keepingCapacity: true)
    while count < taken {
      guard unsafe source.read(&parsed[count], texts[count], into: &steps[count]) else {
        unsafe lineCount = numbers[count] - 1
        if limit == 1 { (alone, nextAlone) = (nextAlone, min(2 * nextAlone, Self.mostLines)) }
        limit = 1
        return unsafe reader.takeBack(texts[count])
      }
      unsafe phones.append(steps[count].phone)
      count += 1
    }
    limit = min(2 * limit, Self.mostLines)
    nextAlone = 1
  }

  /// The lines that were read at a time, where there was no step in them.
  func takeLines() -> Int {
    defer { lineCount = 0 }
    return lineCount
  }

  /// Whether a line is known to hold a step of another phone.
  @inline(__always)
  private func isOther(_ text: UnsafeBufferPointer<UInt8>, than phones: PhonePartition) -> Bool {
    if let isContained = unsafe phones.containsPhone(ofLine: text) { return !isContained }
    return unsafe !Variables.areMarked(in: text) && source.isOther(text, than: phones)
  }

  /// - Returns: how many lines were parsed.
  private func parse(from reader: LineReader) -> Int {
    names.removeAll(keepingCapacity: true)
    while names.count < limit, let line = reader.nextAtHand() {
      let index = names.count
      switch line {
      case .line(let text):
        lineCount += 1
        if let partition, unsafe isOther(text, than: partition) { continue }
        if unsafe !Variables.areMarked(in: text), unsafe source.parse(text, as: &parsed[index]) {
          unsafe texts[index] = unsafe text
          unsafe numbers[index] = lineCount
          unsafe names.append(parsed[index].hash(at: StepKey.device.rawValue))
          continue
        }
        lineCount -= 1
        unsafe reader.takeBack(text)
      case .tooLong(let beginning): unsafe reader.takeBack(beginning)
      }
      break
    }
    return names.count
  }
}
