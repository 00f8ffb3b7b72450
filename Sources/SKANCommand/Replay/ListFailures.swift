import SKANRun

/// Prints what is wrong with the steps of one list, and its line of `--test`.
struct ListFailures {
  /// Failures of one list that are printed where its output is held; further ones are counted.
  private static let mostPrinted = 100

  private let plan: ReplayPlan
  private let name: String
  /// How many failures and findings were reported, printed or not.
  private var reported = 0
  private var equal = EqualFailures()

  init(_ plan: ReplayPlan, of name: String) {
    self.plan = plan
    self.name = name
  }

  /// Prints what is wrong with a step.
  mutating func report(_ step: StepRecord, to output: inout ListOutput) throws(CommandError) {
    // Many lists may include one: which of them did is printed, too.
    let location = "\(step.file):\(step.line)" + (step.file == name ? "" : " (included by \(name))")
    for verdict in step.failures {
      if equal.isOneMore(verdict, at: location) { continue }
      try report(StepText.failure(verdict, of: step, at: location), to: &output)
    }
    guard plan.printsFindings else { return }
    for finding in step.findings {
      if equal.isOneMore(finding, at: location) { continue }
      try report([StepText.finding(finding, of: step, at: location)], to: &output)
    }
  }

  private mutating func report(_ lines: [StyledText], to output: inout ListOutput) throws(CommandError) {
    reported += 1
    for line in equal.lines(of: name) { try output.error(line) }
    if plan.isSilent, reported > Self.mostPrinted { return }
    for line in lines { try output.error(line) }
  }

  /// The end of the list.
  ///
  /// - Parameter counts: nil for a list with mistakes.
  func end(_ counts: ReplayCounts?, _ output: inout ListOutput) throws(CommandError) {
    for line in equal.lines(of: name) { try output.error(line) }
    if plan.isSilent, reported > Self.mostPrinted {
      try output.error("\(name): … and \(reported - Self.mostPrinted) more")
    }
    if plan.mode == .test, let counts {
      try output.line(ReplaySummary.line(name, counts, isStrict: plan.isStrict))
    }
  }
}
