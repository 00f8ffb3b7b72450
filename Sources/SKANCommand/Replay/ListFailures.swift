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
  mutating func report(_ step: StepRecord, to output: ListOutput) throws(CommandError) {
    if step.failures.isEmpty, step.fault == nil, !plan.printsFindings { return }
    // Many lists may include one: which of them did is printed, too.
    let location = "\(step.file):\(step.line)" + (step.file == name ? "" : " (included by \(name))")
    // Printed once, below the first of the step's failures.
    var exchanges = StepText.exchanges(step.exchanges)
    for verdict in step.failures {
      if equal.isOneMore(verdict, at: location) { continue }
      try report(StepText.failure(verdict, of: step, at: location) + exchanges, to: output)
      exchanges = []
    }
    if let fault = step.fault, step.failures.isEmpty, !equal.isOneMore(fault, at: location) {
      try report(StepText.fault(fault, of: step, at: location) + exchanges, to: output)
      exchanges = []
    }
    guard plan.printsFindings else { return }
    // The finding that an install is poisoned is said already.
    for finding in step.findings where step.fault?.reason != finding.message || !step.failures.isEmpty {
      if equal.isOneMore(finding, at: location) { continue }
      try report([StepText.finding(finding, of: step, at: location)] + exchanges, to: output)
      exchanges = []
    }
  }

  private mutating func report(_ lines: [StyledText], to output: ListOutput) throws(CommandError) {
    reported += 1
    try output.error(equal.lines(of: name).map { StyledText($0) })
    if plan.isSilent, reported > Self.mostPrinted { return }
    try output.error(lines)
  }

  /// The end of the list.
  ///
  /// - Parameter counts: nil for a list with mistakes.
  func end(_ counts: ReplayCounts?, _ output: ListOutput) throws(CommandError) {
    try output.error(equal.lines(of: name).map { StyledText($0) })
    if plan.isSilent, reported > Self.mostPrinted {
      try output.error("\(name): … and \(reported - Self.mostPrinted) more")
    }
    if plan.mode == .test, let counts {
      try output.line(ReplaySummary.line(name, counts, isStrict: plan.isStrict))
    }
  }
}
