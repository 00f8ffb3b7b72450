import SKANBase
import SKANReceive

/// `skan report`: what files of received postbacks come to.
enum ReportCommand {
  private static let by = Option<ReportDate>(
    "by", "DATE", .choice, default: "postback-date",
    "which day a postback belongs to: postback-date or estimated-install-date (default postback-date)")
  private static let group = Option<[ReportDimension]?>(
    "group", "LIST", .dimensions, absent: "network,campaign,app",
    "what to group by, with commas between: \(ReportDimension.allCases.map(\.rawValue).joined(separator: ", ")) "
      + "(default network,campaign,app; with --by day before them)")
  private static let csv = Option<Bool>(
    flag: "csv", "print a line a group and value, in the columns of Singular's SKAN reports")
  private static let html = Option<String?>(
    "html", "OUT", .outputFile, "write a page for browsers to this file (- for stdout)")

  static let spec = CommandSpec(
    "report", "count received postbacks: installs, values, events and revenue in groups", arguments: ["FILE"],
    isLastRepeatable: true, options: [group, by, .json, csv, html],
    examples: [
      "skan report received.jsonl", "skan report --group day,campaign --by estimated-install-date received.jsonl",
      "skan report --csv may.jsonl june.jsonl > report.csv", "skan report --html report.html received.jsonl",
    ]
  ) { (invocation) throws(CommandError) in
    try invocation.checkFiles(reading: invocation.positional)
    let environment = invocation.environment
    let (date, dimensions) = (try invocation[by], try dimensions(invocation))
    let form = try form(invocation)
    let page = try invocation[html]
    if let page { try check(page, invocation) }
    // All of a file that is named twice would be duplicates.
    try invocation.checkNamedOnce(invocation.positional, hint: "a file of received postbacks")
    let report = try read(invocation.positional, environment)
    switch form {
    case .json?: try environment.write(JSONWriter.text(report.json(by: date, grouping: dimensions)) + "\n")
    case .csv?: try environment.write(report.csv(by: date, grouping: dimensions))
    case nil where page == nil:
      let text = PostbackReportText(report, by: date, grouping: dimensions)
      try environment.print(text.lines.map { StyledText($0) })
    case nil: break
    }
    guard let page else { return .ok }
    let bytes = Array(report.html(by: date, grouping: dimensions).utf8)
    if page == "-" { try environment.writeOutput(bytes) } else { try environment.files.publish(page, bytes) }
    return .ok
  }

  private enum Form { case json, csv }

  private static func form(_ invocation: Invocation) throws(CommandError) -> Form? {
    let given = invocation.preferred([OptionRow.json, csv])
    if given.count > 1 {
      throw invocation.usage("\(invocation.name(of: given[0])) and \(invocation.name(of: given[1])) exclude each other")
    }
    return given.first.map { $0 == OptionRow.json ? .json : .csv }
  }

  private static func dimensions(_ invocation: Invocation) throws(CommandError) -> [ReportDimension] {
    guard let chosen = try invocation[group] else {
      return (invocation.has(by) ? [.day] : []) + [.network, .campaign, .app]
    }
    if invocation.isGiven(by), !chosen.contains(.day) {
      throw invocation.usage("\(invocation.name(of: by)) is about days: add day to \(invocation.name(of: group))")
    }
    return chosen
  }

  /// Refuses a page beside another form, and finds out whether it can be written.
  private static func check(_ page: String, _ invocation: Invocation) throws(CommandError) {
    if page == "-" {
      let others = [OptionRow.json, csv].filter(invocation.has).map { invocation.name(of: $0) }
      if let other = others.first {
        throw invocation.usage("\(invocation.name(of: html)) - and \(other) both go to standard output")
      }
      return
    }
    try invocation.environment.files.requireOutput(page)
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
