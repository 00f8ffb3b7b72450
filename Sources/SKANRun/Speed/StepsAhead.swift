import SKANJSON

/// Steps that are read ahead of their turn, several at a time.
///
/// What a step is about lies somewhere in the memory of thousands of phones. To fetch it takes longer than to run the
/// step, and for several at once not much longer than for one.
@safe final class StepsAhead {
  private static let mostLines = 32

  private let source: EventListReader
  /// The parsed lines, the steps made of them, and the lines themselves, in memory that is used again and again.
  private let lines: UnsafeMutablePointer<JSONObjectReader>
  private let steps: UnsafeMutablePointer<Step>
  private let texts: UnsafeMutablePointer<UnsafeBufferPointer<UInt8>>
  private var names: [Int] = []
  private var phones: [Int] = []
  /// How many steps were read at a time.
  private(set) var count = 0
  /// How many of them are no longer ahead.
  private(set) var given = 0
  /// How many lines are parsed next: fewer after one that holds no step, as those behind it are parsed again.
  private var limit = mostLines
  /// How many lines are left to be read by themselves, as several before them held no step; and how many it will be when
  /// another one holds none.
  private var (alone, nextAlone) = (0, 1)
  /// Keeps the loads from being optimized away; never read.
  private var fetched: UInt64 = 0

  init(_ source: EventListReader) {
    self.source = source
    unsafe lines = .allocate(capacity: Self.mostLines)
    for index in 0..<Self.mostLines { unsafe (lines + index).initialize(to: source.steps.emptyLine()) }
    unsafe steps = .allocate(capacity: Self.mostLines)
    unsafe steps.initialize(repeating: Step(.details), count: Self.mostLines)
    unsafe texts = .allocate(capacity: Self.mostLines)
  }

  deinit {
    unsafe lines.deinitialize(count: Self.mostLines)
    unsafe lines.deallocate()
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
    given += 1
    return unsafe texts[given - 1]
  }

  /// Reads steps whose lines are at hand. Where that is none, the next line must be read by itself.
  ///
  /// - Parameter reader: nil when there is nothing to be read.
  func read(from reader: LineReader?) {
    count = 0
    given = 0
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
      guard unsafe source.read(&lines[count], texts[count], into: &steps[count]) else {
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

  /// - Returns: how many lines were parsed.
  private func parse(from reader: LineReader) -> Int {
    names.removeAll(keepingCapacity: true)
    while names.count < limit, let line = reader.nextAtHand() {
      let index = names.count
      switch line {
      case .line(let text):
        if unsafe !Variables.areMarked(in: text), unsafe source.parse(text, as: &lines[index]) {
          unsafe texts[index] = unsafe text
          unsafe names.append(lines[index].hash(at: StepKey.device.rawValue))
          continue
        }
        unsafe reader.takeBack(text)
      case .tooLong(let beginning): unsafe reader.takeBack(beginning)
      }
      break
    }
    return names.count
  }
}
