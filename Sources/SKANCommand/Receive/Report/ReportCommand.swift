import SKANBase
import SKANReceive

/// `skan report`: what files of received postbacks come to.
enum ReportCommand {
  private static let by = Option<ReportDate>(
    "by", "DATE", .choice, default: "postback-date",
    "which day a postback belongs to: postback-date or estimated-install-date")
  private static let group = Option<[ReportDimension]?>(
    "group", "LIST", .dimensions, absent: "network,campaign,app",
    "what to group by, with commas between: \(ReportDimension.allCases.map(\.rawValue).joined(separator: ", ")) "
      + "(default network,campaign,app; with --by day before them)")
  private static let csv = Option<Bool>(
    flag: "csv", "print a line a group and value, in the columns of Singular's SKAN reports")
  private static let html = Option<OutputFile?>(
    "html", "OUT", .outputFile, "write a page for browsers to this file (- for stdout)")

  struct Options: CommandOptions {
    enum Form { case json, csv }

    let dimensions: [ReportDimension]
    let date: ReportDate
    /// Nil for people.
    let form: Form?
    let page: OutputFile?

    init(_ reader: OptionReader) throws(CommandError) {
      let chosen = try reader[group]
      date = try reader[by]
      if let chosen, reader.isGiven(by), !chosen.contains(.day) {
        throw reader.refused(by, "is about days: add day to \(reader.name(of: group))")
      }
      dimensions = chosen ?? (reader.has(by) ? [.day] : []) + [.network, .campaign, .app]
      form = try reader.choice((.json, .json), (csv, .csv))
      let other = [OptionRow.json, csv].first(where: reader.has)
      page = try reader.output(
        html, standardOutputIsTaken: other.map { "- and \(reader.name(of: $0)) both go to standard output" })
    }
  }

  static let spec = CommandSpec(
    .report, "Summarize received postbacks: installs, values, events, revenue", arguments: ["FILE"],
    isLastRepeatable: true, argumentFiles: "",
    examples: [
      "skan report received.jsonl", "skan report --group day,campaign --by estimated-install-date received.jsonl",
      "skan report --csv may.jsonl june.jsonl > report.csv", "skan report --html report.html received.jsonl",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    let environment = invocation.environment
    let (date, dimensions) = (options.date, options.dimensions)
    // All of a file that is named twice would be duplicates.
    try invocation.checkNamedOnce(invocation.positional, hint: "a file of received postbacks")
    let report = try read(invocation.positional, environment)
    switch options.form {
    case .json?:
      try environment.write(JSONWriter.text(ShownPostbackReport(report, by: date, grouping: dimensions)) + "\n")
    case .csv?: try environment.write(report.csv(by: date, grouping: dimensions))
    case nil where options.page == nil:
      let text = PostbackReportText(report, by: date, grouping: dimensions)
      try environment.print(text.lines.map { StyledText($0) })
    case nil: break
    }
    try options.page?.write(Array(report.html(by: date, grouping: dimensions).utf8), environment)
    return .ok
  }

  private static func read(_ paths: [String], _ environment: Environment) throws(CommandError) -> PostbackReport {
    var report = PostbackReport()
    for path in paths {
      let file = try environment.receivedFile(path, remembers: false) { record, document, _ in
        report.add(record, document)
      }
      if environment.isInterrupted() { throw .interrupted }
      if file.tornBytes > 0 {
        environment.printError(
          .remark("\(path.oneLine): the last line broke off and does not count (\(file.tornBytes) bytes)"))
      }
    }
    return report
  }
}

extension ValueParser<[ReportDimension]> {
  /// Names with commas between, each once.
  fileprivate static var dimensions: Self {
    let names = ReportDimension.allCases.map(\.rawValue)
    return Self(.text, values: names) { (given) throws(CommandError) in
      var dimensions: [ReportDimension] = []
      for part in given.text.split(separator: ",", omittingEmptySubsequences: false) {
        let name = String(part.trimming { $0 == " " })
        guard let dimension = ReportDimension(rawValue: name) else {
          let near = nearestName(to: name, in: names).map { "; did you mean \($0)?" } ?? ""
          throw given.invocation.usage(
            "\(given.name): \(JSONWriter.quoted(name)) is none of \(names.joined(separator: ", "))\(near)")
        }
        if dimensions.contains(dimension) { throw given.refused("names \(name) twice") }
        dimensions.append(dimension)
      }
      return dimensions
    }
  }
}
