import SKANBase
import SKANCommandLine
import SKANDevice
import SKANReceive

/// `skan report`: counts the postbacks in files of received postbacks.
enum ReportCommand {
  private static let by = Option<ReportDate>(
    "by", "DATE", .choice, default: "postback-date",
    "which day a postback belongs to: postback-date or estimated-install-date")
  private static let group = Option<[ReportDimension]?>(
    "group", "LIST", .dimensions, absent: "network,campaign,app",
    "what to group by, separated by commas: \(ReportDimension.allCases.map(\.rawValue).joined(separator: ", ")) "
      + "(default network,campaign,app; with --by day before them, with AdAttributionKit protocol,conversion-type)")
  private static let csv = OptionRow.csv.described(
    "print one line per group and value, in the columns of Singular's SKAN reports")
  private static let allowsDevelopment = Option<Bool>(
    flag: "allow-development", "count postbacks of AdAttributionKit's development keys, in a table of their own")

  struct Options: CommandOptions {
    /// Nil for the default.
    let chosen: [ReportDimension]?
    /// Whether the default has days.
    let isByDay: Bool
    let allowsDevelopment: Bool
    let date: ReportDate
    /// Nil unless postbacks are valued.
    let worth: WorthReportOptions?
    let output: FormOptions

    init(_ reader: OptionReader) throws(CommandError) {
      chosen = try reader[group]
      date = try reader[by]
      if let chosen, reader.isGiven(by), !chosen.contains(.day) {
        throw reader.refused(by, "is about days: add day to \(reader.name(of: group))")
      }
      isByDay = reader.has(by)
      allowsDevelopment = try reader[ReportCommand.allowsDevelopment]
      worth = try WorthReportOptions.read(reader, excluding: [by, group])
      output = try reader.under(FormOptions.title) { () throws(CommandError) in try FormOptions(reader, csv: csv) }
    }
  }

  static let spec = CommandSpec(
    "report", "Summarize received postbacks: installs, values, events, revenue", arguments: ["FILE"],
    isLastRepeatable: true, argumentFiles: "",
    examples: [
      "skan report received.jsonl", "skan report --group day,campaign --by estimated-install-date received.jsonl",
      "skan report --csv may.jsonl june.jsonl > report.csv", "skan report --html report.html received.jsonl",
      "skan report --worth worth.json --spend spend.csv --html budget.html received.jsonl",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    let environment = invocation.environment
    let date = options.date
    // A file named twice would count all of its postbacks as duplicates.
    try invocation.checkNamedOnce(invocation.positional, hint: "a file of received postbacks")
    let report = try read(
      invocation.positional, PostbackReport(allowsDevelopment: options.allowsDevelopment), environment)
    if let worth = options.worth {
      try worth.write(report, options.output, invocation)
      return .ok
    }
    let dimensions = options.chosen ?? (options.isByDay ? [.day] : []) + report.defaultDimensions
    switch options.output.form {
    case .json:
      try environment.write(JSONWriter.text(ShownPostbackReport(report, by: date, grouping: dimensions)) + "\n")
    case .csv: try environment.write(report.csv(by: date, grouping: dimensions))
    case .text, .other:
      if options.output.isPageAlone { break }
      let text = PostbackReportText(report, by: date, grouping: dimensions)
      try environment.print(text.lines.map { StyledText($0) })
    }
    try options.output.page?.write(Array(report.html(by: date, grouping: dimensions).utf8), environment)
    return .ok
  }

  private static func read(
    _ paths: [String], _ empty: PostbackReport, _ environment: Environment
  ) throws(CommandError) -> PostbackReport {
    var report = empty
    for path in paths {
      let file = try environment.receivedFile(path, remembers: false) { record, document, _ in
        report.add(record, document)
      }
      if environment.isInterrupted() { throw .interrupted }
      if file.tornBytes > 0 {
        environment.printError(
          [.remark("\(path.oneLine): the last line broke off and does not count (\(file.tornBytes) bytes)")])
      }
    }
    return report
  }
}

extension ValueParser<[ReportDimension]> {
  /// Names separated by commas, each at most once.
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
