import SKANSystem
import SKANBase

/// How the lists of a run are read and run, whatever is printed of them.
package struct ListPlan: Sendable {
  /// How many lists run at a time.
  package var jobs = 1
  /// Only steps with such a label are shown, checked and reported; nil for all steps.
  package var label: Glob?
  /// Whether the first failed expectation ends the run.
  package var stopsAtFailure = false
  /// How often a step runs again when no answer came or an expectation failed, and the seconds before it does.
  package var retries = 0
  package var retrySeconds = 1.0
  package var variables = Variables()
  package var includes: IncludePermission
  /// Whether the list goes on with the phone of a device file, and so declares none.
  package var continuesPhone = false
  /// Whether a list without a step is allowed.
  package var allowsEmpty = false
  /// Whether a record of each step is kept for reports.
  package var keepsRecords = false
  /// Whether a remote endpoint answers, which takes its time.
  package var isRemote = false

  package init(includes: IncludePermission) { self.includes = includes }

  /// What reading a list needs.
  ///
  /// - Parameters:
  ///   - name: of the list.
  ///   - open: opens a list, and waits for the writer of a pipe.
  ///   - openFile: opens a list without waiting.
  package func readerOptions(
    of name: String, open: @escaping @Sendable (String) throws(SourceFailure) -> ByteSource,
    openFile: @escaping @Sendable (String) throws(SourceFailure) -> ByteSource
  ) -> ListReader.Options {
    var options = ListReader.Options()
    options.variables = variables.ofList(name)
    options.allowsDevices = !continuesPhone
    options.requiresSteps = !allowsEmpty
    options.adviceWithoutSteps = "; --allow-empty lets that pass"
    options.open = open
    options.openIncluded = openFile
    options.mayInclude = { [includes] in includes.allows($0, for: $1) }
    return options
  }

  /// What running a list needs.
  ///
  /// - Parameters:
  ///   - isNeedless: whether a list before this one has ended the run.
  ///   - sleep: waits this many seconds.
  package func runOptions(
    isInterrupted: @escaping @Sendable () -> Bool, isNeedless: @escaping () -> Bool,
    sleep: @escaping (Double) -> Void
  ) -> ListRun.Options {
    var options = ListRun.Options()
    if label != nil { options.selects = { [self] in selects($0) } }
    options.isInterrupted = isInterrupted
    options.isNeedless = stopsAtFailure ? isNeedless : nil
    options.retries = retries
    options.wait = { [retrySeconds] in sleep(retrySeconds) }
    return options
  }

  /// Whether a step is shown, checked and reported.
  // Inlined, as a call would be given a copy of the whole plan.
  @inline(__always)
  package func selects(_ step: Step) -> Bool {
    guard let label else { return true }
    return step.label.map(label.matches) ?? false
  }
}
