import SKANDevice
import SKANBase
import SKANRun

/// `skan details`: reads without the lock and writes nothing.
enum DetailsCommand {
  private static let query = Option<Bool>(
    flag: "query", "as a query string, ready to append to a server-to-server call")
  private static let table = Option<Bool>(flag: "table", "as a table for reading")

  static let spec = CommandSpec(
    "details", "print what getSkanDetails gives", options: [query, table] + CommandLineTool.stepOptions,
    examples: ["skan details", "skan details --query", "skan details --expect details.p0_coarse=1"]
  ) { (invocation) throws(CommandError) in
    let forms = invocation.preferred([query, table, .json])
    if forms.count > 1 { throw invocation.usage("\(forms[0].flag) and \(forms[1].flag) exclude each other") }
    let step = Step(.details, time: try invocation.time())
    let execution = try StepExecution(invocation)
    var file = try DeviceStore(invocation).read()
    let device = file.phone.device
    let results = try invocation.run([step], on: &file, execution)
    let form = forms.first
    if form == .json {
      for result in results { try execution.output.always(try invocation.jsonText(result)) }
      return try invocation.verdict(results, execution)
    }
    if let details = try? device.details(), let metadata = try? device.kept.metadata(of: device.snippet) {
      if form == query, device.snippet.rules.api.sendsUnset, device.keptValue == nil {
        execution.output.note(.remark("no conversion value is set yet; the guide's sample would crash on a phone here"))
      }
      // Printed also with --quiet: it is what the command is for.
      if form == table {
        for line in rows(details) + comparison(device) { try execution.output.always(line) }
      } else {
        let text =
          form == query ? metadata.percentEncoded : JSONWriter.text(details, layout: .indented)
        if !text.isEmpty { try execution.output.always(text) }
      }
    } else {
      for result in results { execution.output.error(.remark("\(result.report.explanation)")) }
    }
    return try invocation.verdict(results, execution)
  }

  /// What the app believes beside what Apple holds.
  private static func comparison(_ device: Device) -> [StyledText] {
    let all = device.comparisons
    if all.isEmpty { return [] }
    let rows =
      [["", "the app keeps", "Apple holds", ""]]
      + all.map { [$0.name, $0.app ?? "-", $0.apple ?? "-", $0.difference.map { "differs: \($0)" } ?? ""] }
    return [""] + TextTable.styled(rows)
  }

  /// Key and value, with the instant that a timestamp stands for.
  private static func rows(_ details: SkanDetails) -> [StyledText] {
    let width = details.entries.map(\.key.name.count).max() ?? 0
    return details.entries.map { key, value in
      var line = StyledText("\(key.name.padded(to: width))  ")
      line.indent = width + 2
      switch value {
      case .revenue(let table):
        let sums = table.sums.map { "\($0.currency.isEmpty ? "\"\"" : $0.currency.oneLine) \($0.amount.jsonText)" }
        line.append(sums.joined(separator: ", "))
      case .text(let text):
        line.append(text)
        if key.isTimestamp, let instant = Double(text).flatMap({ Instant(unixSeconds: $0) }) {
          line.append("  \(instant)", .dim)
        }
      }
      return line
    }
  }
}
