import SKANDevice
import SKANRun
import SKANTimeline

/// `skan timeline`: draws the life of one phone. No device file is written.
enum TimelineCommand {
  static let device = Option<String?>("device", "NAME", .text, "which phone of the list")
  static let svg = Option<String?>(
    "svg", "OUT", .outputFile, "write a drawing for browsers and documents to this file (- for stdout)")
  static let ascii = Option<Bool>(flag: "ascii", "draw with ASCII alone")
  static let at = OptionRow.at.described(
    "as of when: ISO 8601, Unix seconds, +2d3h after the first timed step, or now")

  /// The ending of a name that stands for another kind of picture or document.
  private static func otherForm(of path: String) -> String? {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    let ending = path[dot...].dropFirst().lowercased()
    return ["png", "jpg", "jpeg", "gif", "webp", "avif", "bmp", "tif", "tiff", "pdf", "eps", "ps"].first {
      $0 == ending
    }
  }

  /// The options that decide how a list runs; a device file's steps have run.
  fileprivate static let ofLists: [OptionRow] = [
    device, .endpoint, .model, .rates, .maxTime, .maxAnswer, .sdkKeyFile, ReplayCommand.variable,
    ReplayCommand.variablesFile,
  ]

  static let spec = CommandSpec(
    "timeline", "draw the life of the phone, or of one phone of an event list", arguments: ["LIST"],
    isLastOptional: true,
    options: [
      svg, ascii, device, at, .state, .endpoint, .model, .eventAlias, .eventAliasesFile, .rates, .maxTime, .maxAnswer,
      .sdkKeyFile,
      ReplayCommand.variable,
      ReplayCommand.variablesFile, IncludePermission.option,
    ],
    examples: [
      "skan timeline", "skan timeline fixtures/first-month.jsonl", "skan timeline --at +45d --svg life.svg",
      "skan timeline two-phones.jsonl --device b --ascii",
    ]
  ) { (invocation) throws(CommandError) in
    try invocation.checkFiles(reading: invocation.positional, called: "the list ")
    let out = try invocation[svg]
    if let out, out != "-" {
      if let form = otherForm(of: out) {
        throw invocation.usage(
          "\(invocation.name(of: svg)) writes SVG, and \(out.oneLine) ends like \(form.uppercased()): name it .svg, and "
            + "convert that, as in 'rsvg-convert life.svg -o life.\(form)'")
      }
      try invocation.environment.files.requireOutput(out)
    }
    let life = try invocation.drawnLife()
    let timeline = life.timeline
    let environment = invocation.environment
    if let out {
      let bytes = Array(life.redactor.redacted(TimelineSVG(timeline).text).utf8)
      if out == "-" { try environment.writeOutput(bytes) } else { try environment.files.publish(out, bytes) }
      return .ok
    }
    let output = Output(environment, isQuiet: false, redactor: life.redactor)
    let columns = environment.styles.results.columns
    let text = TimelineText(timeline, isASCII: invocation[ascii], width: columns ?? TimelineText.usualWidth)
    for line in text.lines { try output.line(.fixed(line)) }
    if let columns, columns < TimelineText.leastWidth {
      output.note(.remark("the drawing needs \(TimelineText.leastWidth) columns, and the terminal has \(columns)"))
    }
    return .ok
  }
}

extension Invocation {
  fileprivate func drawnLife() throws(CommandError) -> DrawnLife {
    if let list = positional.first {
      if isGiven(.state) {
        throw usage(
          "\(name(of: .state)) names a device file, and a list has phones of its own: leave out one of them")
      }
      return try DrawnList(self, list).life()
    }
    for option in TimelineCommand.ofLists where isGiven(option) {
      throw usage("\(name(of: option)) belongs to a list: 'skan timeline LIST --\(option.name) …'")
    }
    let time = try time()
    let store = try DeviceStore(self)
    let file = try store.read()
    let end = file.phone.clock.end ?? environment.now()
    var now = file.phone.clock.isVirtual ? end : max(end, environment.now())
    if let time {
      now = try moment(time, by: file.phone.clock)
      if let last = file.history.map(\.at).max(), now < last {
        throw usage(
          "\(name(of: TimelineCommand.at)): \(store.path) holds what its phone is at \(last), and not what it "
            + "was at \(now); 'skan timeline LIST --\(TimelineCommand.at.name) …' draws any moment of an event list")
      }
    }
    return DrawnLife(
      device: file.phone.device, history: file.history, now: now,
      redactor: Redactor(key: environment.sdkKey))
  }

  /// The moment of `--at`, by a phone's clock.
  func moment(_ time: TimeSpec, by clock: PhoneClock) throws(CommandError) -> Instant {
    guard let moment = clock.beginning(time, now: environment.now()) else {
      throw usage("\(name(of: TimelineCommand.at)) leaves the years 1 to 9999")
    }
    return moment
  }
}
