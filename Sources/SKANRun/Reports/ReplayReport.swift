import SKANBase
import SKANDevice
import SKANSystem

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
  /// The totals of the steps; nil where that was not counted.
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
  /// A step as reports show it.
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

/// The outcome of a list, for reports.
package struct ListRecord: Sendable {
  /// A reason why a list could not run.
  package struct Problem: Sendable, Equatable {
    /// In a line of a list, which may be an included one.
    package struct Place: Sendable, Equatable {
      package var file: String
      /// Both from 1.
      package var (line, column): (Int, Int)
      /// The reason without the place.
      package var message: String

      package init(file: String, line: Int, column: Int, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
      }
    }

    /// The reason, with its place.
    package var text: String
    package var place: Place?

    package init(_ text: String, at place: Place? = nil) {
      self.text = text
      self.place = place
    }
  }

  /// As it was named.
  package let file: String
  /// When it was begun, in the real world, and how long it took.
  package var start: Instant
  package var time = TimeSpan.zero
  package var steps: StepRecords
  /// Why it could not run, or not to its end.
  package var problems: [Problem] = []
  /// The lives of some of its phones, drawn.
  package var drawings: [LifeDrawing] = []
  /// Which lives are not among ``drawings``, in a sentence; nil where all are.
  package var drawingNote: String?

  package init(file: String, start: Instant) {
    self.file = file
    self.start = start
    steps = StepRecords(of: file, in: RecordSpool())
  }
}

/// The life of a phone, drawn for a page.
package struct LifeDrawing: Sendable, Equatable {
  /// The phone's name in its list.
  package let phone: String
  /// An element of HTML without a style of its own, the SDK key taken out.
  package let html: String

  package init(phone: String, html: String) {
    self.phone = phone
    self.html = html
  }
}

/// The forms of reports.
package enum ReportForm: Sendable, CaseIterable {
  case junit
  case tap
  case json
  case html
  case markdown

  /// Bytes that are written at once.
  private static let pieceSize = 1 << 16

  /// Writes a report, as UTF-8, piece by piece.
  ///
  /// - Parameters:
  ///   - failure: what to throw when the records of steps cannot be read back.
  ///   - write: is given each piece.
  package func write<Failure>(
    _ report: ReplayReport, failure: (FileError) -> Failure, to write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = writer(of: report)
    writer.begin()
    for list in report.lists {
      writer.begin(list)
      try list.steps.forEach(failure) { (step) throws(Failure) in
        writer.add(report.reported(step))
        if writer.size >= Self.pieceSize { try write(writer.takeBytes()) }
      }
      writer.end(list)
    }
    writer.end()
    try write(writer.takeBytes())
  }

  /// Whether it shows ``ReplayReport/summary``.
  package var showsSummary: Bool { self == .html || self == .markdown }

  private func writer(of report: ReplayReport) -> any ReportWriter {
    switch self {
    case .junit: JUnitReport(of: report)
    case .tap: TAPReport(of: report)
    case .json: JSONReport(of: report)
    case .html: HTMLReport(of: report)
    case .markdown: MarkdownReport(of: report)
    }
  }
}

/// Writes a report: list by list, and of each step by step.
protocol ReportWriter {
  /// The part above the first list.
  mutating func begin()
  mutating func begin(_ list: ListRecord)
  /// Adds a step of the list that was begun last.
  mutating func add(_ step: ReportedStep)
  mutating func end(_ list: ListRecord)
  /// The part below the last list.
  mutating func end()

  /// How many bytes were written and not taken.
  var size: Int { get }

  /// Takes what was written so far.
  mutating func takeBytes() -> [UInt8]
}

extension [UInt8] {
  /// Takes everything out, and keeps the memory.
  mutating func takeAll() -> [UInt8] {
    let taken = self
    removeAll(keepingCapacity: true)
    return taken
  }
}
