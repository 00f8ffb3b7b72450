import SKANBase
import SKANDevice
import SKANReceive

/// `skan report`: counts the postbacks in files of received postbacks.
enum ReportCommand {
  private static let by = Option<ReportDate>(
    "by", "DATE", .choice, default: "postback-date",
    "which day a postback belongs to: postback-date or estimated-install-date")
  private static let group = Option<[ReportDimension]?>(
    "group", "LIST", .dimensions, absent: "network,campaign,app",
    "what to group by, with commas between: \(ReportDimension.allCases.map(\.rawValue).joined(separator: ", ")) "
      + "(default network,campaign,app; with --by day before them, with AdAttributionKit protocol,conversion-type)")
  private static let csv = OptionRow.csv.described(
    "print a line a group and value, in the columns of Singular's SKAN reports")
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
    .report, "Summarize received postbacks: installs, values, events, revenue", arguments: ["FILE"],
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

/// The output of `skan report` for people: a table for each kind of key, followed by totals of its postbacks.
struct PostbackReportText {
  /// The maximum number of groups without a valid signature to show. The others are counted.
  private static let mostUnverified = 20

  private let report: PostbackReport
  private let date: ReportDate
  private let dimensions: [ReportDimension]

  init(_ report: PostbackReport, by date: ReportDate, grouping dimensions: [ReportDimension]) {
    (self.report, self.date, self.dimensions) = (report, date, dimensions)
  }

  var lines: [String] {
    guard let span = report.span else { return ["0 postbacks received"] }
    let (first, last) = (span.lowerBound, span.upperBound)
    let times = first == last ? "at \(first)" : "from \(first) to \(last)"
    var lines = ["\(report.received.counted("postback")) received \(times)"]
    if dimensions.contains(.day) { lines += date.explanation }
    if let sentence = report.uncountedText { lines.append(sentence) }
    for table in report.tables(by: date, grouping: dimensions) {
      lines += ["", table.kind.title] + self.lines(of: table).map { $0.isEmpty ? "" : "  \($0)" }
    }
    return lines
  }

  private func lines(of table: ReportTable) -> [String] {
    if table.kind == .unverified {
      let rest = table.rows.count - Self.mostUnverified
      return grid(table, PostbackReportColumn.unverified, most: Self.mostUnverified)
        + (rest > 0 ? ["and \(rest.counted("more group", "more groups"))"] : [])
    }
    let counts = table.total
    let columns = PostbackReportColumn.verified(
      withWindows: !dimensions.contains(.window), withReEngagements: counts.reEngagements > 0)
    return grid(table, columns) + counts.remarks(dimensions) + fine(counts) + coarse(counts) + revenue(counts)
      + events(counts)
  }

  /// The table of groups and their total. Dimensions with the same value in all groups stand above it.
  private func grid(_ table: ReportTable, _ columns: [PostbackReportColumn], most: Int = .max) -> [String] {
    let (differing, common) = (table.differing, table.common(dimensions.map(report.heading)))
    var cells = [differing.map { report.heading(of: dimensions[$0]) } + columns.map(\.name)]
    cells += table.rows.prefix(most).map { row in
      differing.map { row.group[$0].isEmpty ? "-" : row.group[$0].oneLine } + columns.map { $0.text(row.counts) }
    }
    if !differing.isEmpty {
      let blanks = differing.dropFirst().map { _ in "" }
      cells.append(["total"] + blanks + columns.map { $0.text(table.total) })
    }
    return (common.isEmpty ? [] : [common.oneLine])
      + TextTable.lines(cells, numbers: differing.count..<differing.count + columns.count)
  }

  private func fine(_ counts: ReportCounts) -> [String] {
    let values = counts.fine.sorted { $0.key < $1.key }
    guard let most = values.map(\.value).max() else { return [] }
    let rows = values.map { value, count in ["\(value)", "\(count)", ReportText.bar(count, of: most)] }
    return [""] + TextTable.lines([["fine value", "postbacks"]] + rows, numbers: 0..<2)
  }

  private func coarse(_ counts: ReportCounts) -> [String] {
    guard counts.coarse.joined().contains(where: { $0 > 0 }) else { return [] }
    let rows = CoarseValue.allCases.map { value in
      [value.rawValue] + counts.coarse.map { "\($0[value.index])" }
    }
    return [""] + TextTable.lines([["coarse value", "P0", "P1", "P2"]] + rows, numbers: 1..<4)
  }

  private func revenue(_ counts: ReportCounts) -> [String] {
    if counts.revenue.isEmpty { return [] }
    let rows = counts.sortedRevenue.map { currency, sum in
      [currency.oneLine, "\(sum.postbacks)", "\(sum.min)", sum.belowText]
    }
    return [""] + TextTable.lines([["revenue", "postbacks", "at least", "below"]] + rows, numbers: 1..<4)
  }

  private func events(_ counts: ReportCounts) -> [String] {
    if counts.events.isEmpty { return [] }
    let rows = counts.sortedEvents.map { name, sum in
      [name.oneLine, "\(sum.postbacks)", "\(sum.least)", sum.mostText]
    }
    return [""] + TextTable.lines([["event", "postbacks", "at least", "at most"]] + rows, numbers: 1..<4)
  }
}

/// A column of numbers in `skan report`.
struct PostbackReportColumn {
  let name: String
  let text: (ReportCounts) -> String

  static var unverified: [Self] { [Self("invalid", \.invalid), Self("not checked", \.notChecked)] }

  /// - Parameter withWindows: whether a group has postbacks of several windows.
  static func verified(withWindows: Bool, withReEngagements: Bool) -> [PostbackReportColumn] {
    let windows =
      withWindows
      ? (0...2).map { window in Self("P\(window)") { $0.windows[window] } } : [Self("postbacks", \.postbacks)]
    return [Self("installs", \.installs), Self("redownloads", \.redownloads)]
      + (withReEngagements ? [Self("re-engagements", \.reEngagements)] : []) + windows
      + [Self(name: "no value", text: \.shareText)]
  }

  private init(name: String, text: @escaping (ReportCounts) -> String) {
    (self.name, self.text) = (name, text)
  }

  private init(_ name: String, _ count: @escaping (ReportCounts) -> Int) {
    self.init(name: name) { "\(count($0))" }
  }
}
