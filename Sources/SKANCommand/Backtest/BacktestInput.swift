import SKANBacktest
import SKANRun
import SKANStorage

/// Reads what a backtest is about, and runs it.
struct BacktestInput {
  private let invocation: Invocation
  private let environment: Environment
  private let run: BacktestRun
  private let jobs: Int

  init(_ invocation: Invocation) throws(CommandError) {
    self.invocation = invocation
    environment = invocation.environment
    run = BacktestRun(try invocation.backtestPlan(inputHash: 0))
    jobs = try invocation[BacktestOptions.jobs] ?? environment.cores()
  }

  /// What all files come to.
  func summary() throws(CommandError) -> BacktestSummary {
    for file in invocation.positional {
      let source: ByteSource
      do throws(SourceFailure) { source = try environment.files.open(file) } catch {
        throw CommandError(error, file: file, hint: "name an export or an event list, or - for standard input")
      }
      try add(list: source, file)
    }
    let summary: BacktestSummary
    do throws(FileError) {
      summary = try run.summary(jobs: jobs, isInterrupted: environment.isInterrupted)
    } catch {
      throw Self.spoolFailed(error)
    }
    if environment.isInterrupted() { throw .interrupted }
    return summary
  }

  private static func spoolFailed(_ error: FileError) -> CommandError {
    .cannotWrite(file: "a temporary file", reason: error.reason)
  }

  private func add(list source: ByteSource, _ file: String) throws(CommandError) {
    let reader = ListReader(file, source, ListReader.Options())
    do throws(ListIntake.Failure) {
      try run.add(reader, isInterrupted: environment.isInterrupted)
    } catch {
      switch error {
      case .wrong(let problems): throw .lists(problems, count: problems.count)
      case .unreadable(let failure): throw CommandError(failure, file: file)
      case .interrupted: throw .interrupted
      case .file(let error): throw Self.spoolFailed(error)
      }
    }
  }
}
