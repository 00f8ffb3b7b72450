import SKANBase

/// What failed as workflow commands of GitHub Actions, which show it at the lines of the lists
/// (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands).
package enum GitHubAnnotations {
  /// How many there are at most; GitHub shows ten errors of a step.
  static let most = 50

  /// A line each: why the run stopped, why lists cannot run, and failures, those that are alike together.
  package static func lines(of report: ReplayReport) -> [String] {
    var lines: [String] = []
    if case .error? = report.stop { lines.append(line(nil, nil, report.stopText ?? "")) }
    for list in report.lists {
      for problem in list.problems {
        let place = problem.place
        lines.append(
          line(
            report.redact(place?.file ?? list.file), place?.line, column: place?.column,
            report.redact(place?.message ?? problem.text)))
      }
    }
    if let summary = report.summary {
      for group in summary.summary.failures.sorted {
        let parts = [group.count > 1 ? "\(group.count) times" : nil, summary.phones(of: group)].compactMap(\.self)
        let remark = parts.isEmpty ? "" : " (\(parts.joined(separator: ": ")))"
        let text = ([group.text + remark] + group.account).map(report.redact).joined(separator: "\n")
        lines.append(line(report.redact(group.file), group.line, text))
      }
    }
    guard lines.count > most else { return lines }
    return lines.prefix(most - 1) + [line(nil, nil, "and \(lines.count - most + 1) more")]
  }

  private static func line(_ file: String?, _ line: Int?, column: Int? = nil, _ message: String) -> String {
    let place = file.map { "file=\($0.property)," } ?? ""
    let column = column.map { "col=\($0)," } ?? ""
    return "::error \(place)\(line.map { "line=\($0)," } ?? "")\(column)title=skan replay::\(message.message)"
  }
}

extension String {
  /// As the toolkit of GitHub Actions escapes the message of a command.
  fileprivate var message: String {
    replacing("%", with: "%25").replacing("\r\n", with: "%0D%0A").replacing("\r", with: "%0D").replacing(
      "\n", with: "%0A")
  }

  /// The same of a property.
  fileprivate var property: String { message.replacing(":", with: "%3A").replacing(",", with: "%2C") }
}
