import SKANDevice
import SKANRun
import SKANTimeline

extension ReplayReport {
  /// The report of a run.
  ///
  /// - Parameters:
  ///   - run: nil when it did not come to any list.
  ///   - failure: what the run ended with.
  init(
    _ options: ReplayOptions, _ environment: Environment, _ run: ReplayRun?, start: Instant, _ failure: CommandError?
  ) {
    let redactor = run?.redactor ?? Redactor(key: environment.sdkKey)
    self.init(
      lists: run?.schedule.records ?? [], start: start, time: environment.now().since(start),
      isStrict: options.isStrict, redact: redactor.redacted)
    drawingStyle = run?.plan.drawsLives ?? false ? TimelineSVG.style(in: ".life") : ""
    if let run, run.plan.countsSummary {
      let (counts, summary) = run.summary
      self.summary = SummaryReport(counts, summary, redact: redactor.redacted)
    }
    if let text = failure?.reportText {
      // That a list cannot be read stands with the list.
      if !lists.contains(where: { $0.problems.map(\.text) == [text] }) { stop = .error(text) }
    } else if failure == nil, run?.schedule.wasStopped ?? false {
      stop = .atFailure
    }
  }
}

extension CommandError {
  /// What to say in a report; nil for mistakes in lists, which stand with the lists.
  var reportText: String? {
    switch self {
    case .lists: nil
    case .outputClosed: "the reader of the output has gone"
    default: statement
    }
  }
}
