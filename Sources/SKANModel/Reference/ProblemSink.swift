/// Takes the problems of a request as a check finds them.
protocol ProblemSink {
  /// Takes one problem. Throws it to end the check.
  mutating func report(_ problem: RequestProblem) throws(RequestProblem)
}

/// Ends the check at its first problem, as the endpoint does.
struct FirstProblem: ProblemSink {
  @inline(__always)
  func report(_ problem: RequestProblem) throws(RequestProblem) { throw problem }
}

/// Collects all problems.
struct AllProblems: ProblemSink {
  private(set) var problems: [RequestProblem] = []

  mutating func report(_ problem: RequestProblem) { problems.append(problem) }
}
