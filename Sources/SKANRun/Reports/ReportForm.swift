import SKANSystem

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
  /// What stands above the first list.
  mutating func begin()
  mutating func begin(_ list: ListRecord)
  /// Adds a step of the list that was begun last.
  mutating func add(_ step: ReportedStep)
  mutating func end(_ list: ListRecord)
  /// What stands below the last list.
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
