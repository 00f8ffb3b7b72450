import SKANBase
import SKANHTTP

/// Reads a list to its end: its own lines, and in the place of an `include` those of another list.
@safe package final class ListReader {
  /// What came next.
  package enum Item {
    /// It was put where the caller wanted it.
    case step
    /// Everything that is wrong with a line.
    case problems([ListProblem])
  }

  final class Frame {
    let name: String
    let identity: ByteSource.Identity?
    let lines: LineReader
    /// How many lines were read, those read ahead among them.
    var number = 0
    /// What follows is not read.
    var isOver = false

    init(_ name: String, _ source: ByteSource) {
      self.name = name
      identity = source.identity
      lines = LineReader(source)
    }
  }

  var frames: [Frame]
  /// The lines of included lists that were read to their ends.
  private var finishedLines = 0
  /// How many lists were included so far.
  var included = 0
  private let reader: EventListReader
  let options: Options
  /// Whether a step or a problem came.
  private var hasItems = false
  private var ahead = StepsAhead()
  /// The number of the last item's line in its list, from 1.
  private var number = 0
  /// The line of the last item, as it stands in its file: good until the next line is read.
  private var currentLine = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  package init(_ name: String, _ source: ByteSource, _ options: Options = Options()) {
    frames = [Frame(name, source)]
    self.options = options
    reader = EventListReader(declaresDevices: options.declaresDevices, allowsDevices: options.allowsDevices)
  }

  /// The list of the last item, and its line, from 1.
  package var location: (file: String, line: Int) { (frames.last?.name ?? "", number) }

  /// The index of the last item's line among all lines of the list, those of included lists among them.
  package var index: Int { finishedLines + frames.dropLast().reduce(number) { $0 + $1.number } }

  /// Bytes of the outermost list that were read, those of steps ahead too.
  package var consumed: Int { frames.first?.lines.consumed ?? 0 }

  /// A step was for a phone before any was declared, and then one was: were the whole list known, that is a problem.
  package var declaresTooLate: Bool { reader.declaresTooLate }

  /// Whether a step was for a phone that no step had declared, as it is where a list declares none.
  package var hasUndeclaredSteps: Bool { reader.hasUndeclaredSteps }

  /// The phones of the step that was read last and of those behind it, at the moment when all of them were read ahead
  /// of their turn; otherwise nil.
  package var phonesAhead: [Int]? { ahead.freshPhones }

  /// Gives the line of the last item, as it stands in its file, to `body`, and nothing behind the end of the list. It is in
  /// memory that the next line reuses: the caller copies what it keeps.
  package func withCurrentLine<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    unsafe body(currentLine)
  }

  /// Reads on to the next step; nil at the end.
  ///
  /// - Parameter step: is made the step.
  package func next(into step: inout Step) throws(SourceFailure) -> Item? {
    while true {
      if let line = unsafe ahead.next(into: &step, number: &number) {
        unsafe currentLine = unsafe line
        hasItems = true
        return .step
      }
      unsafe currentLine = unsafe UnsafeBufferPointer(start: nil, count: 0)
      guard let frame = frames.last else { return nil }
      if ahead.rest == nil {
        let isAtEnd: Bool
        do throws(SourceFailure) {
          // Not with ||, which throws any error.
          isAtEnd =
            frame.isOver
            ? true : try !ahead.read(from: frame.lines, number: &frame.number, by: reader, partition: options.partition)
        } catch {
          // The caller reports that of the outermost list.
          guard frames.count > 1, case .unreadable(let reason) = error else { throw error }
          (frame.isOver, hasItems) = (true, true)
          frame.number += 1
          number = frame.number
          return unsafe problems(
            [SourceProblem("cannot read on: \(reason)", at: 0..<0)], UnsafeBufferPointer(start: nil, count: 0))
        }
        if isAtEnd {
          // The outermost stays, so that its location is known to the last.
          number = frame.number
          if frames.count == 1 { return end() }
          frames.removeLast()
          finishedLines += frame.number
          continue
        }
        if !ahead.isEmpty { continue }
      }
      guard let line = ahead.takeRest() else { continue }
      number = frame.number
      switch line {
      case .tooLong(let beginning):
        let message = "the line is longer than \(LineReader.longest >> 20) MiB; one step is one line"
        hasItems = true
        return unsafe problems([SourceProblem(message, at: 0..<1)], beginning)
      case .line(let text):
        unsafe currentLine = unsafe text
        if frame.number == 1, let message = unsafe Self.noList(text) {
          return unsafe noList(options.otherContent?(frame.name, Array(text)) ?? message, frame)
        }
        if let item = unsafe item(text, &step) {
          hasItems = true
          if frame.number == 1, case .problems = item,
            let message = unsafe options.otherContent?(frame.name, Array(text))
          {
            return noList(message, frame)
          }
          return item
        }
      }
    }
  }

  /// Says what a file is that is no list; the rest of it is not read.
  private func noList(_ message: String, _ frame: Frame) -> Item {
    (frame.isOver, hasItems) = (true, true)
    return unsafe problems([SourceProblem(message, at: 0..<1)], UnsafeBufferPointer(start: nil, count: 0))
  }

  /// What comes behind the last line: a problem, where there should have been a step.
  private func end() -> Item? {
    guard options.requiresSteps, !hasItems, let frame = frames.last, !frame.isOver else { return nil }
    frame.isOver = true
    hasItems = true
    let message = "the list holds no step\(options.adviceWithoutSteps)"
    return .problems([
      ListProblem(file: frame.name, line: max(1, frame.number), problem: SourceProblem(message, at: 0..<0), text: [])
    ])
  }

  /// What a line holds; nil when it is blank, a comment, or leads into another list.
  private func item(_ text: UnsafeBufferPointer<UInt8>, _ step: inout Step) -> Item? {
    do throws(SourceProblems) {
      if let replaced = try unsafe options.variables.replaced(in: text) {
        var result: Result<Item?, SourceProblems> = .success(nil)
        unsafe replaced.withUnsafeBufferPointer { line in
          do throws(SourceProblems) { result = unsafe .success(try entry(line, &step)) } catch {
            // Locations are those of the line with its values, which is then what is shown.
            result = unsafe .success(problems(error.problems, line))
          }
        }
        return try result.get()
      }
      return try unsafe entry(text, &step)
    } catch {
      return unsafe problems(error.problems, text)
    }
  }

  private func entry(_ line: UnsafeBufferPointer<UInt8>, _ step: inout Step) throws(SourceProblems) -> Item? {
    if let partition = options.partition, unsafe reader.isOther(line, than: partition) { return nil }
    switch try unsafe reader.read(line, into: &step) {
    case .step: return .step
    case .nothing: unsafe options.seesOtherLine?(currentLine)
    case .include(let name, let range): try include(name, range)
    }
    return nil
  }
}

extension ListReader {
  /// A problem with the step that was read last, found when it ran.
  package func problem(_ message: String) -> ListProblem {
    let (file, line) = location
    let chain = frames.dropLast().reversed().map { ($0.name, $0.number) }
    return unsafe ListProblem(
      file: file, line: line, problem: SourceProblem(message, at: 0..<currentLine.count), text: Array(currentLine),
      includedFrom: chain)
  }

  /// The problems of the last line.
  ///
  /// - Parameter text: the line with the values of its variables, to which the locations in it belong.
  private func problems(_ problems: [SourceProblem], _ text: UnsafeBufferPointer<UInt8>) -> Item {
    let (file, line) = location
    let chain = frames.dropLast().reversed().map { ($0.name, $0.number) }
    // One copy for all of them.
    let bytes = unsafe Array(text)
    return .problems(
      problems.map { ListProblem(file: file, line: line, problem: $0, text: bytes, includedFrom: chain) })
  }
}
