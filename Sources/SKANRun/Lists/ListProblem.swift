import SKANBase

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
