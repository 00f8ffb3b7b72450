/// Everything that is wrong with a text.
package struct SourceProblems: Error, Equatable, Sendable, ExpressibleByArrayLiteral {
  package var problems: [SourceProblem]

  package init(_ problems: [SourceProblem]) { self.problems = problems }

  package init(arrayLiteral elements: SourceProblem...) { problems = elements }
}
