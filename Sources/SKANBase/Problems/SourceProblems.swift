/// Everything that is wrong with a text, in the order of its locations.
package struct SourceProblems: Error, Equatable, Sendable, ExpressibleByArrayLiteral {
  package let problems: [SourceProblem]

  package init(_ problems: [SourceProblem]) {
    self.problems = problems.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  package init(arrayLiteral elements: SourceProblem...) { problems = elements }
}
