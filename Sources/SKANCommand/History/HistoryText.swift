import SKANDevice
import SKANStorage
import SKANText
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
      line.append("\(event.displayText.padded(names))  ")
      line.append("\(event.outcome.name.padded(to: outcomes))  ", event.outcome.role)
      line.indent = line.text.columns
      line.append(entry.sentence)
      return line
    } + ending
  }

  /// What the file keeps besides, and what it does not keep.
  private var ending: [StyledText] {
    var lines: [StyledText] = entries.isEmpty ? ["No step has run that is kept."] : [""]
    let before = file.callsBeforeHistory.count
    if before > 0 {
      lines.append(
        "\(before.counted("call")) into Apple's framework of an older device file came before, without the steps.")
    }
    if let answerer = file.answerer { lines.append("Who answered last: \(answerer.name.oneLine).") }
    if !entries.isEmpty {
      lines.append(
        "\("Who answered each step and its warnings are not kept; 'skan why N' says what is kept of one.", .dim)")
    }
    return lines
  }

  /// One entry, all that is kept of it.
  func lines(of entry: HistoryEntry) -> [StyledText] {
    let event = entry.event
    var first = StyledText(event.outcome.name.padded(to: 19, atLeast: 1), event.outcome.role)
    first.indent = first.text.columns
    first.append(entry.sentence)
    let isLast = entry.number == entries.count
    let rows: [(name: String, text: String)] = [
      ("Apple", event.call == nil ? "was not called" : entry.appleText ?? "what it made of the call is not kept"),
      ("answered by", isLast ? answeredLast : "not kept"),
      ("warnings", "not kept"),
    ]
    return ["\("step \(entry.number) of \(entries.count)", .bold)  \(event.at)  \(event.displayText)", first]
      + rows.map { name, text in
        var line: StyledText = "  \(name.padded(to: 11), .dim)  \(text)"
        line.indent = 15
        return line
      }
  }

  /// Only the last answerer of the file is kept, and it need not be that of the last step.
  private var answeredLast: String {
    "not kept of a step" + (file.answerer.map { "; the last answer of all came from \($0.name.oneLine)" } ?? "")
  }
}
