import SKANRun

/// The counts of a replay in words.
enum ReplaySummary {
  /// Below the lines of steps.
  ///
  /// - Parameter wrong: how many lists have mistakes besides.
  static func steps(_ counts: ReplayCounts, wrong: Int) -> String {
    (counts.lists == 1 && wrong == 0 ? "" : "\(counted(counts.lists, "list")), ") + both(counts) + findings(counts)
      + (wrong == 0 ? "" : "; \(counted(wrong, "list")) with mistakes")
  }

  /// One list of `--test` that has mistakes.
  static func refused(_ name: String) -> String { "FAIL  \(name)  has mistakes" }

  /// One list of `--test`.
  static func line(_ name: String, _ counts: ReplayCounts, isStrict: Bool) -> String {
    let hasFailed = counts.failures > 0 || isStrict && counts.findings > 0
    return "\(hasFailed ? "FAIL" : "ok  ")  \(name)  \(both(counts))\(isStrict ? findings(counts) : "")"
  }

  /// Below the lists of `--test`.
  ///
  /// - Parameter wrong: how many lists have mistakes besides.
  static func test(_ counts: ReplayCounts, failed: Int, wrong: Int, seconds: Double) -> String {
    let bad = (failed > 0 ? ["\(failed) failed"] : []) + (wrong > 0 ? ["\(wrong) with mistakes"] : [])
    return "\(counted(counts.lists + wrong, "file"))\(bad.isEmpty ? "" : " (\(bad.joined(separator: ", ")))"), "
      + "\(both(counts)); \(duration(seconds))"
  }

  private static func both(_ counts: ReplayCounts) -> String {
    "\(counted(counts.steps, "step")), \(counted(counts.expectations, "expectation")), \(counts.failures) failed"
      + (counts.skipped == 0 ? "" : ", \(counts.skipped) skipped")
  }

  private static func findings(_ counts: ReplayCounts) -> String {
    counts.findings == 0 ? "" : "; \(counted(counts.findings, "step")) with findings"
  }

  private static func duration(_ seconds: Double) -> String {
    seconds < 1 ? "\(Int((seconds * 1000).rounded())) ms" : "\((seconds * 100).rounded() / 100) s"
  }

  private static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
