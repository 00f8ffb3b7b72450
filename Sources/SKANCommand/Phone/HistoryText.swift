import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun
import SKANTimeline

/// An event of a device file's history, described by what the file records.
struct HistoryEntry {
  /// The number of the entry, from 1.
  let number: Int
  let event: LifeEvent
  /// The race of impressions that the step decided; nil if it decided none.
  var race: ImpressionRace?

  /// The outcome in one sentence, and for an update that may overlap others, when its request left.
  var sentence: String {
    [outcomeSentence, endSentence, requestSentence, race.map { "\($0.sentence.capitalizedFirst)." }]
      .compactMap(\.self).joined(separator: " ")
  }

  private var outcomeSentence: String {
    guard event.call != nil else { return withoutCall }
    guard let appleText else { return "\(callText). What Apple did with the call is not kept." }
    return "\(callText); \(appleText)."
  }

  /// How an update ended that called Apple and stored nothing; nil for any other.
  private var endSentence: String? {
    guard event.call != nil else { return nil }
    return switch event.outcome {
    case .killed: "The app's process ended before Apple's completion: the app keeps nothing from it."
    case .uncompleted: "Apple never completes the call: the app keeps nothing from it."
    default: nil
    }
  }

  private var requestSentence: String? {
    guard let course = event.course else { return nil }
    return course.requestedAt.map { "The request left at \($0)." } ?? "No request left."
  }

  /// The moments of an update that may overlap others; nil for any other event.
  var courseText: String? {
    guard let course = event.course else { return nil }
    guard let requestedAt = course.requestedAt else { return "called at \(course.calledAt); no request left" }
    var text = "called at \(course.calledAt); the request left at \(requestedAt)"
    if let answeredAt = course.answeredAt { text += ", answered at \(answeredAt)" }
    if let completedAt = course.completedAt { text += ", completed at \(completedAt)" }
    return text
  }

  private var withoutCall: String {
    if event.isIgnoredByAdAttributionKit { return "AdAttributionKit changes nothing." }
    if let cause = event.outcome.cause {
      return "\(cause.isDrop ? "Dropped before any call" : "No call reaches Apple"): \(cause.text)."
    }
    return switch event.kind {
    case .revenue: "Added to the revenue that the app keeps."
    case .update: "Apple is not called, and what the app keeps stays."
    case .relaunch: "A new app process; the kept values stay."
    case .forward: "The app's server gets a report, and Apple is not called."
    case .adAttributionKit: "AdAttributionKit changes nothing."
    case .reEngagement: "An ad opened the app, and a re-engagement of AdAttributionKit began."
    case .development: "A tester made a conversion for development postbacks."
    case .impression: event.isUnrecordedImpression ? "The phone did not record it." : "The phone recorded it."
    case .download: "The app is downloaded."
    case .register, .session, .event: "Apple is not called."
    }
  }

  /// The app's call and its arguments. Apple may ignore some of them.
  var callText: String {
    guard let values = event.call?.displayText(nil, apple: nil) else { return "The app registers with Apple" }
    return "The app calls Apple with \(values)"
  }

  /// Apple's answer to the call; nil if it was not recorded or there was no call.
  var appleText: String? {
    guard let fate = event.fate else { return nil }
    let code = event.error.map { " (SKANErrorDomain \($0))" } ?? ""
    if let reason = fate.reason { return reason + code }
    return (fate == .registered ? "Apple has registered the install" : "Apple holds the values") + code
  }

  /// The source of the answer; nil if it was not recorded.
  var answererText: String? {
    guard let account = event.account else { return nil }
    guard let name = account.answeredBy else { return "no request was sent" }
    let answerer = AnsweredBy.displayText(ofName: name).oneLine
    return hasAnswer ? answerer : "\(answerer) (no answer came)"
  }

  /// Whether an answer came.
  private var hasAnswer: Bool {
    event.outcome != .transportError && event.course.map { $0.answeredAt != nil } ?? true
  }

  /// A sentence that names the source of the answer, to follow the one about the outcome; nil if no request was sent.
  var answererSentence: String? {
    guard let name = event.account?.answeredBy else { return nil }
    return "\(hasAnswer ? "Answered by" : "Asked:") \(AnsweredBy.displayText(ofName: name).oneLine)."
  }

  /// The first warning of level finding.
  var firstFinding: WarningCode? { event.account?.warnings.first { $0.level == .finding } }
}

/// The event as in a device file, with its number and sentence; null for what was not recorded.
extension HistoryEntry: JSONObjectWritable {
  static let fields = JSONFields<HistoryEntry> {
    JSONField("step", "its number, from 1 on", as: .integer(1 ... .max)) { $0.number }
    LifeEvent.fields.rows.filter { !accountKeys.contains($0.name) }.map { $0.of { $0.event } }
    JSONField("answered_by", "who answered, or null") { $0.event.account?.answeredBy }
    JSONField("warnings", "the codes of the warnings, or null") { $0.event.account?.warnings }
    JSONField("sentence", "what happened, as a sentence") { $0.sentence }
    JSONField(optional: "attribution", "if impressions decided the install: who won, who lost, and why") { $0.race }
  }

  private static let accountKeys = ["answered_by", "warnings"]
}

/// The output of `skan history` and `skan why` for people.
struct HistoryText {
  let file: DeviceFile
  private(set) var entries: [HistoryEntry]

  init(_ file: DeviceFile) {
    self.file = file
    entries = file.history.enumerated().map { HistoryEntry(number: $0 + 1, event: $1) }
    guard let race = file.phone.device.impressions?.race else { return }
    let deciding = entries.firstIndex { entry in
      if case .impression = entry.event.kind { false } else { entry.event.at >= race.at }
    }
    if let deciding { entries[deciding].race = race }
  }

  /// All entries, one line each.
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

  /// The source of the answer and the codes of the warnings, which follow the sentence in a line.
  private func account(of entry: HistoryEntry) -> StyledText {
    guard let account = entry.event.account else { return " \("Answerer and warnings are not kept.", .dim)" }
    var text = StyledText()
    if let sentence = entry.answererSentence { text.append(" \(sentence)") }
    for code in account.warnings { text.append(" \("[\(code.name)]", code.level.role)") }
    return text
  }

  /// The lines about what the file records besides the entries.
  private var ending: [StyledText] {
    var lines: [StyledText] = entries.isEmpty ? ["No step has run that is kept."] : []
    let before = file.callsBeforeHistory.count
    if before > 0 {
      lines.append(
        "\(before.counted("call")) into Apple's framework of an older device file came before, without the steps.")
    }
    // If every entry names its own answerer, the last one is not repeated here.
    if entries.isEmpty || entries.contains(where: { $0.event.account == nil }), let answerer = file.answerer {
      lines.append("Who answered last: \(answerer.name.oneLine).")
    }
    return entries.isEmpty || lines.isEmpty ? lines : [""] + lines
  }

  /// The impressions that an entry is about, with what became of them.
  private func impressions(of entry: HistoryEntry) -> [ImpressionRace.Entry] {
    if let race = entry.race { return race.entries }
    guard case .impression(let network, let interaction) = entry.event.kind else { return [] }
    return (file.phone.device.impressions?.race?.entries ?? []).filter {
      $0.impression.at == entry.event.at && $0.impression.ad.network == network
        && $0.impression.interaction == interaction
    }
  }

  /// Everything recorded about one entry.
  func lines(of entry: HistoryEntry) -> [StyledText] {
    let event = entry.event
    var first = StyledText("\(event.outcome.name)  ", event.outcome.role)
    first.indent = first.text.columns
    first.append(entry.sentence)
    var rows: [(name: String, text: StyledText)] = [
      (
        "Apple",
        StyledText(event.call == nil ? "was not called" : entry.appleText ?? "what it did with the call is not kept")
      ), ("answered by", StyledText(entry.answererText ?? "not kept")),
    ]
    for (index, other) in impressions(of: entry).enumerated() {
      rows.append(
        (index == 0 ? "impressions" : "", StyledText("\(other.sentence.capitalizedFirst). [\(other.rule.rawValue)]")))
    }
    if let course = entry.courseText { rows.append(("course", StyledText(course))) }
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
