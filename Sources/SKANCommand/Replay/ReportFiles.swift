import SKANRun
import SKANSystem

/// The files that the options for reports name.
struct ReportFiles {
  static let options: [(option: Option<String?>, form: ReportForm)] = [
    (ReplayCommand.reportJUnit, .junit), (ReplayCommand.reportTAP, .tap), (ReplayCommand.reportJSON, .json),
    (ReplayCommand.reportHTML, .html), (ReplayCommand.reportMarkdown, .markdown),
  ]

  private let files: [(form: ReportForm, path: String)]
  private let environment: Environment

  var isEmpty: Bool { files.isEmpty }

  /// - Throws: when one is to go to standard output beside the results.
  init(_ invocation: Invocation) throws(CommandError) {
    environment = invocation.environment
    var files: [(form: ReportForm, path: String)] = []
    for (option, form) in Self.options {
      guard let path = try invocation[option] else { continue }
      if path == "-", !invocation[.quiet] || invocation[ReplayCommand.summary] {
        let summary = invocation[ReplayCommand.summary] ? " without \(invocation.name(of: ReplayCommand.summary))" : ""
        let name = invocation.name(of: option)
        throw invocation.usage("\(name) - needs --quiet\(summary): the report goes to standard output")
      }
      files.append((form, path))
    }
    self.files = files
  }

  /// Finds out before the first step whether all of them can be written.
  func requireReplaceable() throws(CommandError) {
    for (_, path) in files where path != "-" { try environment.files.requireOutput(path) }
  }

  /// Writes every report that can be written. Where a build runs as one user, another may collect them.
  ///
  /// - Returns: why others could not.
  func write(_ report: ReplayReport) -> [CommandError] {
    var failures: [CommandError] = []
    for (form, path) in files {
      do throws(CommandError) {
        if path == "-" {
          try form.write(report, failure: CommandError.init(records:), to: environment.writeOutput)
        } else {
          try environment.files.publishPieces(path) { (write) throws(FileError) in
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
