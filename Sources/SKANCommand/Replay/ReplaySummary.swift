import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun
import SKANTimeline

/// The counts of a replay as text.
enum ReplaySummary {
  /// The line below the lines of steps.
  ///
  /// - Parameter wrong: the number of other lists, which have mistakes.
  static func steps(_ counts: ReplayCounts, wrong: Int) -> StyledText {
    let lists = counts.lists == 1 && wrong == 0 ? "" : "\(counts.lists.counted("list")), "
    let mistakes = wrong == 0 ? "" : "; \(wrong.counted("list")) with mistakes"
    return "\(lists)\(both(counts))\(findings(counts))\(updates(counts))\(mistakes, .failure)"
  }

  /// The line of `--test` for a list with mistakes.
  static func refused(_ name: String) -> StyledText { "\("FAIL", .failure)  \(name)  has mistakes" }

  /// The line of `--test` for a list.
  static func line(_ name: String, _ counts: ReplayCounts, isStrict: Bool) -> StyledText {
    var line =
      counts.haveFailed(isStrict: isStrict) ? StyledText("FAIL", .failure) : StyledText("ok  ", .success)
    line.append("  \(name)  ")
    line.append(both(counts))
    if isStrict { line.append(findings(counts)) }
    line.append(updates(counts))
    line.indent = 6
    return line
  }

  /// The line below the lists of `--test`.
  ///
  /// - Parameter wrong: the number of other lists, which have mistakes.
  static func test(_ counts: ReplayCounts, failed: Int, wrong: Int, seconds: Double) -> StyledText {
    let bad = (failed > 0 ? ["\(failed) failed"] : []) + (wrong > 0 ? ["\(wrong) with mistakes"] : [])
    var line = StyledText((counts.lists + wrong).counted("file"))
    line.append(bad.isEmpty ? "" : " (\(bad.joined(separator: ", ")))", .failure)
    line.append(", ")
    line.append(both(counts))
    line.append(updates(counts))
    line.append("; \(duration(seconds))")
    return line
  }

  private static func both(_ counts: ReplayCounts) -> StyledText {
    let role: TextRole? = counts.failures > 0 ? .failure : nil
    let skipped =
      (counts.skipped == 0 ? "" : ", \(counts.skipped) skipped")
      + (counts.elsewhere == 0 ? "" : ", \(counts.elsewhere) for other phones")
    let both = "\(counts.steps.counted("step")), \(counts.expectations.counted("expectation")), "
    return "\(both)\("\(counts.failures) failed", role)\(skipped)"
  }

  private static func findings(_ counts: ReplayCounts) -> StyledText {
    counts.findings == 0 ? StyledText() : "; \("\(counts.findings.counted("step")) with findings", .finding)"
  }

  private static func updates(_ counts: ReplayCounts) -> StyledText {
    guard let updates = counts.updatesText else { return StyledText() }
    return "; \(updates, counts.endpointFailures > 0 ? .failure : nil)"
  }

  private static func duration(_ seconds: Double) -> String {
    seconds < 1 ? "\(Int((seconds * 1000).rounded())) ms" : "\((seconds * 100).rounded() / 100) s"
  }
}

extension ReplayReport {
  /// The report of a run.
  ///
  /// - Parameters:
  ///   - run: the run; nil if it did not reach any list.
  ///   - failure: the error that ended the run.
  init(_ environment: Environment, _ run: ReplayRun?, start: Instant, _ failure: CommandError?) {
    self.init(
      lists: run?.schedule.records ?? [], start: start, time: environment.now().since(start),
      redactor: environment.redactor)
    drawingStyle = run?.settings.drawsLives ?? false ? TimelineSVG.style(in: ".life") : ""
    matrix = run?.comparison
    summary = run.flatMap { $0.settings.countsSummary ? $0.summary : nil }
    if let text = failure?.reportText {
      // A list that cannot be read reports that itself.
      if !lists.contains(where: { $0.problems.map(\.text) == [text] }) { stop = .error(text) }
    } else if failure == nil, run?.schedule.wasStopped ?? false {
      stop = .atFailure
    }
  }
}

extension CommandError {
  /// The text for a report; nil for mistakes in lists, which are reported with the lists.
  var reportText: String? {
    switch self {
    case .lists: nil
    case .outputClosed: "the reader of the output has gone"
    default: statement
    }
  }
}
