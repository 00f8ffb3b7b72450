import SKANBase

/// Reads whole lists without running them, and collects their problems.
package struct ListCheck {
  /// The most problems that are reported; the others are counted.
  package static let mostReported = SourceProblem.mostReported

  package private(set) var problems: [ListProblem] = []
  /// The number of problems, including unreported ones.
  package private(set) var count = 0
  /// The number of the last line of the longest list.
  package private(set) var lines = 0
  /// Returns the width of a step, or the width passed to it if that is greater; nil where widths are not needed.
  package var measure: ((Step, Int) -> Int)?
  /// The greatest width so far.
  package private(set) var widest = 0

  package init() {}

  /// Adds the problems of a list, in line order.
  ///
  /// - Parameter open: opens the list from its beginning at each call.
  package mutating func add(
    _ name: String, _ options: ListReader.Options, open: () throws(SourceFailure) -> ByteSource
  ) throws(SourceFailure) {
    let (kept, before) = (problems, count)
    var options = options
    if try read(ListReader(name, try open(), options)) {
      // A later line declares names, so earlier steps for undeclared phones are problems.
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

  /// Adds the results of another check.
  package mutating func add(_ other: ListCheck) {
    add(other.problems)
    count += other.count - other.problems.count
    lines = max(lines, other.lines)
    widest = max(widest, other.widest)
  }

  /// - Returns: whether a phone is declared after a step for an undeclared one.
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

/// A problem with a line of a list.
package struct ListProblem: Error, Sendable, Equatable {
  /// The list's name, as given.
  package var file: String
  /// The line number, from 1.
  package var line: Int
  package var problem: SourceProblem
  /// The bytes of the line.
  package var text: [UInt8]
  /// The `include` steps that led to the list, innermost first.
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
