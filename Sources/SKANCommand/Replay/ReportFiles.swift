import SKANRun
import SKANStorage

/// The files that the options for reports name.
struct ReportFiles {
  static let options: [(option: Option<String?>, form: ReportForm)] = [
    (ReplayCommand.reportJUnit, .junit), (ReplayCommand.reportTAP, .tap), (ReplayCommand.reportJSON, .json),
    (ReplayCommand.reportHTML, .html), (ReplayCommand.reportMarkdown, .markdown),
  ]

  private var files: [(form: ReportForm, path: String)] = []
  private let environment: Environment

  var isEmpty: Bool { files.isEmpty }

  /// - Throws: when a report would take the place of another, of one of the lists, or of what else a replay reads or
  ///   writes.
  init(_ invocation: Invocation, lists: [ReplaySource]) throws(CommandError) {
    environment = invocation.environment
    let outputs = Self.options.map(\.option) + [ReplayCommand.record]
    // Lists can be many: a replay that writes nothing looks at none of their names.
    guard outputs.contains(where: invocation.has) else { return }
    var named = try NamedFiles(invocation, lists.map(\.name), called: "the list", outputs: outputs)
    if let path = try invocation[ReplayCommand.record] { try named.takeOutput(path, of: ReplayCommand.record) }
    for (option, form) in Self.options {
      guard let path = try invocation[option] else { continue }
      let name = invocation.name(of: option)
      if path == "-", !invocation[.quiet] || invocation[ReplayCommand.summary] {
        let summary = invocation[ReplayCommand.summary] ? " without \(invocation.name(of: ReplayCommand.summary))" : ""
        throw invocation.usage("\(name) - needs --quiet\(summary): the report goes to standard output")
      }
      try named.takeOutput(path, of: option)
      files.append((form, path))
    }
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
