import SKANDevice
import SKANBase
import SKANRun

/// What comes after the last step.
extension ReplayRun {
  /// The mistakes of the lists, all of them.
  func problems() throws(CommandError) -> ListCheck {
    var whole = ListCheck()
    for (index, outcome) in schedule.outcomes.enumerated() {
      guard let outcome else { continue }
      var check = outcome.needsCheck ? try self.check(index) : ListCheck()
      if check.count == 0 { check.add(outcome.problems) }
      keep(check, of: index)
      whole.add(check)
    }
    return whole
  }

  /// Prints what was held and the counts, writes what was asked for, and gives the exit code.
  func end() throws(CommandError) -> ExitCode {
    progress?.end()
    var failure = schedule.failure
    let check = try problems()
    let (outcomes, refused) = (schedule.outcomes, schedule.refused)
    let isHeldBack = zip(sources, outcomes).allSatisfy { $0.isRegular && $1?.isWrong ?? false }
    let right = outcomes.compactMap(\.self).filter { !$0.isWrong }
    let counts = right.reduce(into: ReplayCounts()) { $0 += $1.counts }
    do throws(CommandError) {
      // A pipe has run up to its mistake, and its output so far is printed.
      if !isHeldBack { try output.release() }
      let wrong = refused.count + outcomes.count { $0?.isWrong ?? false }
      if failure == nil, wrong == 0 || !right.isEmpty { try printCounts(counts, right, wrong: wrong) }
    } catch {
      failure = failure ?? error
    }
    if !refused.isEmpty { failure = failure ?? .lists([], count: 0) }
    // Where nothing was held back, each list has printed its own.
    if check.count > 0 {
      failure = failure ?? .lists(plan.isSilent ? check.problems : [], count: plan.isSilent ? check.count : 0)
    }
    if let failure { throw failure }
    if let file = plan.record, let bytes = right.first?.recording { try file.write(bytes, environment) }
    if plan.lists.label != nil, counts.steps + counts.skipped == 0, !plan.lists.allowsEmpty {
      throw .nothingMatched("no step has a label that --label matches")
    }
    if counts.failures > 0 || plan.isStrict && counts.findings > 0 { return .expectationFailed }
    return counts.firstEndpointFailure?.exitCode ?? .ok
  }

  /// What the lists without mistakes came to.
  var summary: (counts: ReplayCounts, summary: ListSummary) {
    let right = schedule.outcomes.compactMap(\.self).filter { !$0.isWrong }
    return right.reduce(into: (ReplayCounts(), ListSummary())) { sum, outcome in
      sum.0 += outcome.counts
      if let summary = outcome.summary { sum.1 += summary }
    }
  }

  private func printCounts(_ counts: ReplayCounts, _ outcomes: [ListOutcome], wrong: Int) throws(CommandError) {
    switch plan.mode {
    case .steps:
      try environment.print(ReplaySummary.steps(counts, wrong: wrong))
      if let finding = counts.firstFinding { environment.printError(ExplanationHint.line(finding.name)) }
    case .test:
      let failed = outcomes.count { $0.counts.haveFailed(isStrict: plan.isStrict) }
      let seconds = environment.now().since(start).seconds
      try environment.print(ReplaySummary.test(counts, failed: failed, wrong: wrong, seconds: seconds))
      if plan.printsFindings, let finding = counts.firstFinding {
        environment.printError(ExplanationHint.line(finding.name))
      }
    case .json, .summary, .quiet: break
    }
    if plan.mode == .steps || plan.mode == .test, counts.failures == 0, let failure = counts.firstEndpointFailure {
      environment.printError(ExplanationHint.line(failure.exitCode.code))
    }
    guard let form = plan.summary else { return }
    let summary = summary.summary
    let report = SummaryReport(counts, summary, redact: setup.redactor.redacted)
    switch form {
    case .text:
      let headline = plan.mode == .test ? [] : [ReplaySummary.steps(counts, wrong: wrong)]
      try environment.print(headline + ReportText.lines([], report.parts))
      if let finding = report.commonestFinding, plan.mode == .summary || plan.mode == .test && !plan.printsFindings {
        environment.printError(ExplanationHint.line(finding))
      }
    case .json: try environment.write(JSONWriter.text(report) + "\n")
    }
  }
}
