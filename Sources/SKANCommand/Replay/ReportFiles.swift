import SKANRun
import SKANSystem

/// The files that the options for reports name.
struct ReportFiles: Sendable {
  private static let options: [(option: Option<OutputFile?>, form: ReportForm)] = [
    (ReplayCommand.reportJUnit, .junit), (ReplayCommand.reportTAP, .tap), (ReplayCommand.reportJSON, .json),
    (ReplayCommand.reportHTML, .html), (ReplayCommand.reportMarkdown, .markdown),
  ]

  let files: [(form: ReportForm, file: OutputFile)]

  var isEmpty: Bool { files.isEmpty }

  /// - Parameter words: why standard output is taken; nil where it is free.
  init(_ reader: OptionReader, standardOutputIsTaken words: String?) throws(CommandError) {
    var files: [(form: ReportForm, file: OutputFile)] = []
    for (option, form) in Self.options {
      if let file = try reader.output(option, standardOutputIsTaken: words) { files.append((form, file)) }
    }
    self.files = files
  }

  /// Writes every report that can be written. Where a build runs as one user, another may collect them.
  ///
  /// - Returns: why others could not.
  func write(_ report: ReplayReport, _ environment: Environment) -> [CommandError] {
    var failures: [CommandError] = []
    for (form, file) in files {
      do throws(CommandError) {
        if file.isStandardOutput {
          try form.write(report, failure: CommandError.init(records:), to: environment.writeOutput)
        } else {
          try environment.files.publishPieces(file.path) { (write) throws(FileError) in
            try form.write(report, failure: { $0 }, to: write)
          }
        }
      } catch {
        failures.append(error)
      }
    }
    return failures
  }
}

extension CommandError {
  /// - Parameter error: why records of steps could not be set aside, or read back.
  init(records error: FileError) {
    self = .cannotWrite(
      file: "\(error.path)/skan-…", reason: "\(error.reason) (what reports tell of the steps is set aside there)")
  }
}
