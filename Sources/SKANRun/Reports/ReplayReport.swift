import SKANBase
import SKANDevice

/// Everything that the reports of a run tell.
package struct ReplayReport: Sendable {
  /// Why a run ended before its lists did.
  package enum Stop: Sendable, Equatable {
    /// It was to stop at the first expectation that fails.
    case atFailure
    /// An interrupt, or an error that does not belong to a list.
    case error(String)

    /// In words; the first line says it alone.
    var message: String {
      switch self {
      case .atFailure: "stopped at the first expectation that failed"
      case .error(let message): message
      }
    }
  }

  /// Those that were begun, and those that cannot run.
  package var lists: [ListRecord]
  package var start: Instant
  package var time: TimeSpan
  package var stop: Stop?
  /// Whether a step fails that has findings.
  package var isStrict: Bool
  /// What the steps came to together; nil where that was not counted.
  package var summary: SummaryReport?
  /// The rules that drawings of lives need.
  package var drawingStyle = ""
  /// Takes the SDK key out of a text; ``ReportedStep`` and the reports let every text pass through it.
  package var redact: @Sendable (String) -> String

  package init(
    lists: [ListRecord] = [], start: Instant, time: TimeSpan = .zero, stop: Stop? = nil, isStrict: Bool = false,
    redact: @escaping @Sendable (String) -> String
  ) {
    self.lists = lists
    self.start = start
    self.time = time
    self.stop = stop
    self.isStrict = isStrict
    self.redact = redact
  }
}

extension ReplayReport {
  /// What reports say of a step.
  func reported(_ step: StepRecord) -> ReportedStep { ReportedStep(record: step, isStrict: isStrict, redact: redact) }

  /// Whether all lists ran to their ends and nothing failed.
  var hasPassed: Bool {
    stop == nil && lists.allSatisfy { $0.problems.isEmpty && failed($0.steps.totals) == 0 }
  }

  /// How many steps failed.
  func failed(_ totals: RecordTotals) -> Int { isStrict ? totals.failedStrictly : totals.failed }

  /// Why the run stopped, the SDK key taken out.
  var stopText: String? { stop.map { redact($0.message) } }
}

extension ReplayCounts {
  /// What there was in lists.
  init(_ lists: [ListRecord]) {
    self.init()
    self.lists = lists.count
    for totals in lists.lazy.map(\.steps.totals) {
      steps += totals.steps - totals.skipped
      skipped += totals.skipped
      expectations += totals.expectations
      failures += totals.failures
      findings += totals.findings
      count(endpointFailures: totals.endpointFailures)
    }
  }
}

extension ReplayReport {
  /// The form of the report that is JSON.
  package static var jsonForm: JSONForm { JSONReport.form }
}
