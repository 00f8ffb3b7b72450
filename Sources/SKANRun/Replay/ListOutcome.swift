/// What a list left when it ended.
package struct ListOutcome: Sendable {
  package var counts: ReplayCounts
  package var problems: [ListProblem]
  /// Whether only reading the list as a whole finds everything that is wrong with it.
  package var needsCheck: Bool
  /// The list with the answers that came; nil when it is not recorded, or not all of it ran.
  package var recording: [UInt8]?
  /// Whether a failed expectation ended it.
  package var wasStopped: Bool
  /// What its steps came to; nil where no summary is asked for.
  package var summary: ListSummary?

  package init(
    counts: ReplayCounts, problems: [ListProblem] = [], needsCheck: Bool = false, recording: [UInt8]? = nil,
    wasStopped: Bool = false
  ) {
    self.counts = counts
    self.problems = problems
    self.needsCheck = needsCheck
    self.recording = recording
    self.wasStopped = wasStopped
  }

  /// Whether there are mistakes in it.
  package var isWrong: Bool { needsCheck || !problems.isEmpty }
}
