import SKANDevice
import SKANRun

/// What is looked at before the first step.
extension ReplayRun {
  /// Throws when a list cannot be read; every such list is reported.
  func requireLists() throws(CommandError) {
    var failures: [CommandError] = []
    for (index, source) in sources.enumerated() {
      guard let failure = source.failure else { continue }
      failures.append(failure)
      keep(failure, of: index)
    }
    for failure in failures.dropLast() { environment.printError(failure.lines()) }
    if let last = failures.last { throw last }
  }

  /// Reads every list that can be read twice to its end before the first step, unless nothing can be seen of the steps.
  /// A list with mistakes does not run; the others do.
  ///
  /// - Throws: when none is left, or the first failure is to end the run.
  func check() throws(CommandError) {
    if plan.isSilent { return }
    var whole = ListCheck()
    let regular = sources.indices.filter { sources[$0].isRegular }
    let checking = Self.progress(plan, regular.map { sources[$0] }, environment)
    defer {
      checking?.end()
      progress?.begin()
    }
    var refused: Set<Int> = []
    for index in regular {
      let check = try check(index, checking)
      whole.add(check)
      if check.count > 0 { refused.insert(index) }
    }
    if whole.count > 0 {
      let mistakes = CommandError.lists(whole.problems, count: whole.count)
      if plan.lists.stopsAtFailure || refused.count == sources.count { throw mistakes }
      schedule.refuse(refused)
      environment.printError(mistakes.lines().mapText(setup.redactor.redacted))
    }
    let lines = max(whole.lines, sources.contains { !$0.isRegular } ? 999 : 0)
    let terminal = environment.styles.results.columns
    columns.withLock { $0 = StepColumns(lines: lines, widest: whole.widest, terminal: terminal) }
  }

  func check(_ index: Int, _ progress: ReplayProgress? = nil) throws(CommandError) -> ListCheck {
    let files = environment.files
    let name = sources[index].name
    var check = ListCheck()
    // The read that looks for mistakes measures as well: no list is read once more for its columns.
    if plan.mode == .steps {
      check.measure = { [plan] in plan.lists.selects($0) ? StepText.columns(of: $0, atLeast: $1) : $1 }
    }
    do throws(SourceFailure) {
      try check.add(name, plan.readerOptions(of: name, files)) { () throws(SourceFailure) in
        try files.open(name).watched { progress?.advance(read: $0, steps: 0) }
      }
    } catch {
      let failure = CommandError(error, file: name)
      keep(failure, of: index)
      throw failure
    }
    keep(check, of: index)
    return check
  }
}
