import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun

/// `skan details`: reads the device file without its lock and writes nothing.
enum DetailsCommand {
  private static let query = Option<Bool>(
    flag: "query", "as a query string, ready to append to a server-to-server call")
  private static let table = Option<Bool>(flag: "table", "as a table for reading")

  struct Options: CommandOptions {
    enum Form { case query, table, json }

    /// Nil for the object as the snippet returns it.
    let form: Form?
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      reader.declare(query, table, under: .output)
      step = try StepOptions(reader, isReader: true)
      form = try reader.choice((query, .query), (table, .table), (.json, .json))
    }
  }

  static let spec = CommandSpec(
    "details", "Show what getSkanDetails returns",
    examples: ["skan details", "skan details --query", "skan details --expect details.p0_coarse=1"]
  ) { (options: Options, invocation) throws(CommandError) in
    let command = try StepCommand(options.step, invocation)
    var file = try command.store.read()
    let device = file.phone.device
    let results = try command.run([Step(.details, time: options.step.time)], on: &file)
    let (form, output) = (options.form, command.output)
    if form == .json {
      for result in results { try output.result(try command.jsonText(result), evenIfQuiet: true) }
      return try command.verdict(results)
    }
    if let details = try? device.details(), let metadata = try? device.kept.metadata(in: device.traits.api) {
      if form == .query, device.snippet.rules.api.sendsUnset, device.keptValue == nil {
        output.note(.remark("no conversion value is set yet; the guide's sample would crash on a phone here"))
      }
      // Printed even with `--quiet`, because it is the purpose of the command.
      if form == .table {
        for line in rows(details) + comparison(device) { try output.line(line, evenIfQuiet: true) }
      } else {
        let text =
          form == .query ? metadata.percentEncoded : JSONWriter.text(details, layout: .indented)
        if !text.isEmpty { try output.result(text, evenIfQuiet: true) }
      }
    } else {
      for result in results { output.error([.remark("\(result.report.explanation)")]) }
    }
    return try command.verdict(results)
  }

  /// A table of the app's state beside Apple's.
  private static func comparison(_ device: Device) -> [StyledText] {
    let all = device.comparisons
    let others = (device.engagements?.all ?? []).enumerated().map { index, conversion in
      StyledText("AdAttributionKit holds of \(conversion.name(at: index)): \(conversion)")
    }
    if all.isEmpty { return others.isEmpty ? [] : [""] + others }
    let rows =
      [["", "the app keeps", "\(device.traits.install.isAdAttributionKit ? "AdAttributionKit" : "Apple") holds", ""]]
      + all.map { [$0.name, $0.app ?? "-", $0.apple ?? "-", $0.difference.map { "differs: \($0)" } ?? ""] }
    return [""] + TextTable.styled(rows) + others
  }

  /// Rows of key and value, with the instant of each timestamp.
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
