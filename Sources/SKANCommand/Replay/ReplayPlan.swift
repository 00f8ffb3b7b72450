import SKANDevice
import SKANBase
import SKANRun

/// What a command line asks of a replay.
struct ReplayPlan: Sendable {
  /// What is printed of each step; of the summary nothing is.
  enum Mode { case steps, json, test, summary, quiet }
  /// How the summary is printed.
  enum SummaryForm { case text, json }

  let mode: Mode
  let isVerbose: Bool
  let isStrict: Bool
  /// Nil where no summary is printed.
  let summary: SummaryForm?
  /// Whether what a summary tells is counted, to be printed or for a report.
  let countsSummary: Bool
  /// Whether the lives of phones are drawn in a report.
  let drawsLives: Bool
  /// Where the list is written again with the answers that came.
  let record: OutputFile?
  let lists: ListPlan
  /// Whether what leaves the phones is kept, to be delivered.
  let keepsDepartures: Bool

  /// Whether nothing of the steps can be seen before the end, so that lists may be checked while they run.
  var isSilent: Bool {
    (mode == .test || mode == .summary || mode == .quiet) && !isVerbose && !lists.isRemote && !lists.stopsAtFailure
  }

  /// Whether the result of a step is used although the step is not selected.
  var needsResults: Bool { record != nil || lists.continuesPhone || lists.isRemote || drawsLives }

  /// Whether findings are printed as failures are; the lines of steps show them by themselves.
  var printsFindings: Bool { isStrict && mode == .test }

  /// Whether steps that expect nothing can be failures that are shown together.
  var groupsFindings: Bool { isStrict && countsSummary }

  /// Whether the names of the phones are needed at the end of a list.
  var keepsNames: Bool { keepsDepartures || countsSummary }

  /// What reading a list needs.
  func readerOptions(of name: String, _ files: FileAccess) -> ListReader.Options {
    var options = lists.readerOptions(of: name, open: files.open, openFile: files.openFile)
    options.otherContent = files.contentOfNoList
    return options
  }
}
