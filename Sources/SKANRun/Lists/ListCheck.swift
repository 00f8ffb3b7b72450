import SKANBase

/// Reads lists to their ends without living them, and collects what is wrong.
package struct ListCheck {
  /// How many problems are reported; the others are counted.
  package static let mostReported = SourceProblem.mostReported

  package private(set) var problems: [ListProblem] = []
  /// All of them.
  package private(set) var count = 0
  /// The number of the last line of the longest list.
  package private(set) var lines = 0
  /// The width of a step, or a greater one that is known already; nil where widths are not asked for.
  package var measure: ((Step, Int) -> Int)?
  /// The greatest of them.
  package private(set) var widest = 0

  package init() {}

  /// Adds the problems of a list, in the order of its lines.
  ///
  /// - Parameter open: begins the list anew each time.
  package mutating func add(
    _ name: String, _ options: ListReader.Options, open: () throws(SourceFailure) -> ByteSource
  ) throws(SourceFailure) {
    let (kept, before) = (problems, count)
    var options = options
    if try read(ListReader(name, try open(), options)) {
      // Now it is known that names are declared somewhere: steps before that have no phone.
      (problems, count) = (kept, before)
      options.declaresDevices = true
      _ = try read(ListReader(name, try open(), options))
    }
  }

  /// Adds problems that are known already.
  package mutating func add(_ more: [ListProblem]) {
    count += more.count
    problems += more.prefix(max(0, Self.mostReported - problems.count))
  }

  /// Adds what another check found.
  package mutating func add(_ other: ListCheck) {
    add(other.problems)
    count += other.count - other.problems.count
    lines = max(lines, other.lines)
    widest = max(widest, other.widest)
  }

  /// - Returns: whether phones are declared after the first step.
  private mutating func read(_ reader: ListReader) throws(SourceFailure) -> Bool {
    var step = Step(.details)
    while let item = try reader.next(into: &step) {
      switch item {
      case .step: if let measure { widest = measure(step, widest) }
      case .problems(let found): add(found)
      }
      lines = max(lines, reader.location.line)
    }
    return reader.declaresTooLate
  }
}

/// Something wrong with a line of a list.
package struct ListProblem: Error, Sendable, Equatable {
  /// The list, as it was named.
  package var file: String
  /// From 1.
  package var line: Int
  package var problem: SourceProblem
  /// The line itself.
  package var text: [UInt8]
  /// The `include` steps that led to the list, the innermost first.
  package var includedFrom: [(file: String, line: Int)] = []

  package init(
    file: String, line: Int, problem: SourceProblem, text: [UInt8], includedFrom: [(file: String, line: Int)] = []
  ) {
    self.file = file
    self.line = line
    self.problem = problem
    self.text = text
    self.includedFrom = includedFrom
  }

  package static func == (left: ListProblem, right: ListProblem) -> Bool {
    left.file == right.file && left.line == right.line && left.problem == right.problem && left.text == right.text
      && left.includedFrom.elementsEqual(right.includedFrom) { $0 == $1 }
  }
}
