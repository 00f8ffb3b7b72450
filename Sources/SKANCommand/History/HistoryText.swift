import SKANDevice
import SKANSystem
import SKANRun
import SKANBase
import SKANTimeline

/// What `skan history` and `skan why` print for a person.
struct HistoryText {
  let file: DeviceFile
  let entries: [HistoryEntry]

  init(_ file: DeviceFile) {
    self.file = file
    entries = file.history.enumerated().map { HistoryEntry(number: $0 + 1, event: $1) }
  }

  /// All entries, a line each.
  var lines: [StyledText] {
    let numbers = String(entries.count).count
    let times = entries.map { "\($0.event.at)".count }.max() ?? 0
    let names = min(32, entries.map(\.event.displayText.columns).max() ?? 0)
    let outcomes = entries.map(\.event.outcome.name.count).max() ?? 0
    return entries.map { entry in
      let event = entry.event
      var line = StyledText(String(entry.number).leftPadded(to: numbers), .dim)
      line.append("  \("\(event.at)".padded(to: times))  ", .dim)
      line.append("\(event.displayText.padded(to: names))  ")
      line.append("\(event.outcome.name.padded(to: outcomes))  ", event.outcome.role)
      line.indent = line.text.columns
      line.append(entry.sentence)
      line.append(account(of: entry))
      return line
    } + ending
  }

  /// Who answered, and the codes of the warnings, behind the sentence of a line.
  private func account(of entry: HistoryEntry) -> StyledText {
    guard let account = entry.event.account else { return " \("Answerer and warnings are not kept.", .dim)" }
    var text = StyledText()
    if let sentence = entry.answererSentence { text.append(" \(sentence)") }
    for code in account.warnings { text.append(" \("[\(code.name)]", code.level.role)") }
    return text
  }

  /// What the file keeps besides.
  private var ending: [StyledText] {
    var lines: [StyledText] = entries.isEmpty ? ["No step has run that is kept."] : []
    let before = file.callsBeforeHistory.count
    if before > 0 {
      lines.append(
        "\(before.counted("call")) into Apple's framework of an older device file came before, without the steps.")
    }
    // Of steps that have an account, each says it.
    if entries.isEmpty || entries.contains(where: { $0.event.account == nil }), let answerer = file.answerer {
      lines.append("Who answered last: \(answerer.name.oneLine).")
    }
    return entries.isEmpty || lines.isEmpty ? lines : [""] + lines
  }

  /// One entry, all that is kept of it.
  func lines(of entry: HistoryEntry) -> [StyledText] {
    let event = entry.event
    var first = StyledText("\(event.outcome.name)  ", event.outcome.role)
    first.indent = first.text.columns
    first.append(entry.sentence)
    var rows: [(name: String, text: StyledText)] = [
      (
        "Apple",
        StyledText(event.call == nil ? "was not called" : entry.appleText ?? "what it made of the call is not kept")
      ), ("answered by", StyledText(entry.answererText ?? "not kept")),
    ]
    switch event.account?.warnings {
    case nil: rows.append(("warnings", "not kept"))
    case []?: rows.append(("warnings", "none"))
    case let codes?:
      for (index, code) in codes.enumerated() {
        let text: StyledText =
          "\("\(code.level.rawValue):", code.level.role) \(code.explanation.summary) \("[\(code.name)]", .dim)"
        rows.append((index == 0 ? "warnings" : "", text))
      }
    }
    return ["\("step \(entry.number) of \(entries.count)", .bold)  \(event.at)  \(event.displayText)", first]
      + rows.map { name, text in
        var line: StyledText = "  \(name.padded(to: 11), .dim)  \(text)"
        line.indent = 15
        return line
      }
  }
}
