import SKANBase
import SKANDevice
import SKANSystem

/// The content of a run's reports.
package struct ReplayReport: Sendable {
  /// Why a run ended before its lists did.
  package enum Stop: Sendable, Equatable {
    /// A failed expectation ended the run, as requested.
    case atFailure
    /// An interrupt, or an error that does not belong to a list.
    case error(String)

    /// A description; its first line is enough.
    var message: String {
      switch self {
      case .atFailure: "stopped at the first expectation that failed"
      case .error(let message): message
      }
    }
  }

  /// The lists that began, and those that cannot run.
  package var lists: [ListRecord]
  package var start: Instant
  package var time: TimeSpan
  package var stop: Stop?
  /// The totals of the steps; nil where they were not counted.
  package var summary: SummaryReport?
  /// Where phones of a matrix differ; nil without one.
  package var matrix: MatrixComparison?
  /// The CSS rules for drawings of lives.
  package var drawingStyle = ""
  private let redactor: Redactor

  /// - Parameter redactor: removes the SDK key from all but the steps, whose records have none.
  package init(
    lists: [ListRecord] = [], start: Instant, time: TimeSpan = .zero, stop: Stop? = nil, redactor: Redactor
  ) {
    self.lists = lists.map { $0.redacted(by: redactor) }
    self.start = start
    self.time = time
    self.stop = stop
    self.redactor = redactor
  }
}

extension ReplayReport {
  /// Whether all lists ran to their ends and nothing failed.
  var hasPassed: Bool { stop == nil && !lists.contains(where: \.hasFailed) }

  /// The counts of all steps.
  var counts: ReplayCounts { lists.reduce(into: ReplayCounts()) { $0 += $1.steps.counts } }

  /// Why the run stopped, without the SDK key.
  var stopText: String? { stop.map { redactor.redacted($0.message) } }
}

extension ReplayReport {
  /// The form of the JSON report.
  package static var jsonForm: JSONForm { JSONReport.form }
}

/// The outcome of a list, for reports.
package struct ListRecord: Sendable {
  /// A reason why a list could not run.
  package struct Problem: Sendable, Equatable {
    /// A location in a list, which may be an included one.
    package struct Place: Sendable, Equatable {
      package var file: String
      /// Line and column, from 1.
      package var (line, column): (Int, Int)
      /// The reason without its location.
      package var message: String

      package init(file: String, line: Int, column: Int, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
      }
    }

    /// The reason with its location.
    package var text: String
    package var place: Place?

    package init(_ text: String, at place: Place? = nil) {
      self.text = text
      self.place = place
    }
  }

  /// The list's name, as given.
  package internal(set) var file: String
  /// When it began, in real time, and how long it took.
  package var start: Instant
  package var time = TimeSpan.zero
  package var steps: StepRecords
  /// Why it could not run, or not to its end.
  package var problems: [Problem] = []
  /// Drawings of the lives of some of its phones.
  package var drawings: [LifeDrawing] = []
  /// A sentence about the lives that are not among ``drawings``; nil where all are.
  package var drawingNote: String?

  package init(file: String, start: Instant) {
    self.file = file
    self.start = start
    steps = StepRecords(of: file, in: RecordSpool())
  }

  /// Whether it has a problem or a failed step.
  var hasFailed: Bool { !problems.isEmpty || steps.counts.failed > 0 }

  /// The record without the SDK key.
  fileprivate func redacted(by redactor: Redactor) -> ListRecord {
    if redactor.isEmpty { return self }
    var list = self
    list.file = redactor.redacted(file)
    list.problems = problems.map { problem in
      let place = problem.place.map { place in
        var place = place
        place.file = redactor.redacted(place.file)
        place.message = redactor.redacted(place.message)
        return place
      }
      return Problem(redactor.redacted(problem.text), at: place)
    }
    list.drawings = drawings.map { LifeDrawing(phone: redactor.redacted($0.phone), html: redactor.redacted($0.html)) }
    return list
  }
}

/// A drawing of a phone's life for an HTML page.
package struct LifeDrawing: Sendable, Equatable {
  /// The phone's name in its list.
  package let phone: String
  /// An HTML element without style, the SDK key removed.
  package let html: String

  package init(phone: String, html: String) {
    self.phone = phone
    self.html = html
  }
}

/// The formats of reports.
package enum ReportForm: Sendable, CaseIterable {
  case junit
  case tap
  case json
  case html
  case markdown

  /// The bytes that are written at once.
  private static let pieceSize = 1 << 16

  /// Writes a report as UTF-8, in pieces.
  ///
  /// - Parameters:
  ///   - failure: makes the error to throw when the records of steps cannot be read back.
  ///   - write: receives each piece.
  package func write<Failure>(
    _ report: ReplayReport, failure: (FileError) -> Failure, to write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = writer(of: report)
    writer.begin()
    for list in report.lists {
      writer.begin(list)
      try list.steps.forEach(failure) { (step) throws(Failure) in
        writer.add(step)
        if writer.size >= Self.pieceSize { try write(writer.takeBytes()) }
      }
      writer.end(list)
    }
    writer.end()
    try write(writer.takeBytes())
  }

  /// Whether the format includes ``ReplayReport/summary``.
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

/// Writes a report in one format, list by list and step by step.
protocol ReportWriter {
  /// Writes the part above the first list.
  mutating func begin()
  mutating func begin(_ list: ListRecord)
  /// Writes a step of the list that was begun last.
  mutating func add(_ step: StepRecord)
  mutating func end(_ list: ListRecord)
  /// Writes the part below the last list.
  mutating func end()

  /// The number of bytes that were written and not yet taken.
  var size: Int { get }

  /// Takes the bytes written so far.
  mutating func takeBytes() -> [UInt8]
}

extension [UInt8] {
  /// Removes and returns all bytes, and keeps the capacity.
  mutating func takeAll() -> [UInt8] {
    let taken = self
    removeAll(keepingCapacity: true)
    return taken
  }
}
