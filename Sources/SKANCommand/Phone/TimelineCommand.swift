import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun
import SKANTimeline

/// `skan timeline`: draws the life of one phone. It writes no device file.
enum TimelineCommand {
  static let device = Option<String?>("device", "NAME", .text, "which phone of the list")
  static let svg = Option<OutputFile?>(
    "svg", "OUT", .outputFile, "write a drawing for browsers and documents to this file (- for stdout)")
  static let html = OptionRow.html.described(
    "write a page with the life of each phone, or of --device, to this file (- for stdout)")
  static let at = OptionRow.at.described(
    "draw the life as of this time: ISO 8601, Unix seconds, +2d3h after the first timed step, or now")

  struct Options: CommandOptions {
    let svg: OutputFile?
    let html: OutputFile?
    let time: TimeSpec?
    /// The device file of the phone to draw, if no list is given.
    let state: String
    /// The settings for running the list. The steps of a device file have already run.
    let list: DrawnList.Options

    init(_ reader: OptionReader) throws(CommandError) {
      let hasList = !reader.invocation.positional.isEmpty
      reader.declare(TimelineCommand.svg, TimelineCommand.html, under: .output)
      reader.declare(TimelineCommand.device, under: .list)
      reader.declare(TimelineCommand.at, .state, under: .device)
      let form = try reader.oneOf([TimelineCommand.svg, TimelineCommand.html])
      svg = try reader.output(TimelineCommand.svg, replacing: [], if: form == TimelineCommand.svg)
      if let svg, let form = Self.otherForm(of: svg.path) {
        throw reader.refused(
          TimelineCommand.svg,
          "writes SVG, and \(svg.path.oneLine) ends like \(form.uppercased()): name it .svg, and convert that, as in "
            + "'rsvg-convert life.svg -o life.\(form)'")
      }
      html = try reader.output(TimelineCommand.html, replacing: [], if: form == TimelineCommand.html)
      let ofLists = OptionReader.Condition(hasList) { "belongs to a list: 'skan timeline LIST \($0.flag) …'" }
      let device = try reader[TimelineCommand.device, ofLists]
      let time = try reader[TimelineCommand.at]
      self.time = time
      state = try reader[
        .state,
        OptionReader.Condition(
          !hasList, "names a device file, and a list has phones of its own: leave out one of them")]
      list = try reader.depending(on: ofLists) { () throws(CommandError) in
        DrawnList.Options(
          device: device, time: time,
          answering: try reader.under(AnswerOptions.title) { () throws(CommandError) in
            try AnswerOptions(reader, isTraced: false)
          }, lists: try reader[ListOptions.self])
      }
    }

    /// The extension of a file name, if it stands for another kind of image or document.
    private static func otherForm(of path: String) -> String? {
      guard let dot = path.lastIndex(of: ".") else { return nil }
      let ending = path[dot...].dropFirst().lowercased()
      return ["png", "jpg", "jpeg", "gif", "webp", "avif", "bmp", "tif", "tiff", "pdf", "eps", "ps"].first {
        $0 == ending
      }
    }
  }

  static let spec = CommandSpec(
    "timeline", "Draw the life of the phone, or of one phone of a list", arguments: ["LIST"],
    isLastOptional: true, argumentFiles: "the list ",
    examples: [
      "skan timeline", "skan timeline fixtures/first-month.jsonl", "skan timeline --at +45d --svg life.svg",
      "skan timeline two-phones.jsonl --device b", "skan timeline fixtures/first-month.jsonl --html lives.html",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    let environment = invocation.environment
    if let html = options.html {
      let lives =
        if let name = invocation.positional.first {
          try DrawnList(invocation, name, options.list).lives()
        } else {
          [try invocation.drawnLife(options)]
        }
      try html.write(Array(TimelinePage.html(lives).utf8), environment)
      return .ok
    }
    let life =
      if let name = invocation.positional.first {
        try DrawnList(invocation, name, options.list).life()
      } else {
        try invocation.drawnLife(options)
      }
    let timeline = life.timeline
    if let svg = options.svg {
      try svg.write(Array(TimelineSVG(timeline).text.utf8), environment)
      return .ok
    }
    let output = Output(environment, isQuiet: false)
    let columns = environment.styles.results.columns
    let text = TimelineText(timeline, width: columns ?? TimelineText.usualWidth)
    for line in text.lines { try output.line(.fixed(line)) }
    if let columns, columns < TimelineText.leastWidth {
      output.note(.remark("the drawing needs \(TimelineText.leastWidth) columns, and the terminal has \(columns)"))
    }
    return .ok
  }
}

extension Invocation {
  /// The life of the phone in a device file.
  fileprivate func drawnLife(_ options: TimelineCommand.Options) throws(CommandError) -> DrawnLife {
    let file = try DeviceStore(options.state, environment).read()
    let end = file.phone.clock.end ?? environment.now()
    var now = file.phone.clock.isVirtual ? end : max(end, environment.now())
    if let time = options.time {
      now = try moment(time, by: file.phone.clock)
      if let last = file.history.map(\.at).max(), now < last {
        throw usage(
          "\(name(of: TimelineCommand.at)): \(options.state) holds its phone's state at \(last), not at \(now); 'skan "
            + "timeline LIST --\(TimelineCommand.at.name) …' draws any moment of an event list")
      }
    }
    return DrawnLife(
      device: file.phone.device, history: file.history, now: now,
      redactor: environment.redactor)
  }

  /// The time of `--at`, resolved by a phone's clock.
  func moment(_ time: TimeSpec, by clock: PhoneClock) throws(CommandError) -> Instant {
    guard let moment = clock.beginning(time, now: environment.now()) else {
      throw usage("\(name(of: TimelineCommand.at)) leaves the years 1 to 9999")
    }
    return moment
  }
}

/// Lives as one page of HTML, with one to open for each phone.
enum TimelinePage {
  /// The most phones whose lives are on a page; the rest is counted.
  static let mostPhones = 200

  static func html(_ lives: [DrawnLife]) -> String {
    var page = HTMLWriter()
    page.beginPage(
      title: "skan timeline", policy: "default-src 'none'; style-src 'unsafe-inline'",
      style: TimelineSVG.style(in: ".life"))
    page.element("h1", text: lives.count == 1 ? "The life of a phone" : "The lives of \(lives.count) phones")
    for (index, life) in lives.prefix(mostPhones).enumerated() {
      let timeline = life.timeline
      page.element("details", index == 0 ? [("open", "")] : []) { details in
        details.element(
          "summary",
          text: [life.name, timeline.title, timeline.subtitle].filter { !$0.isEmpty }.joined(separator: ", "))
        details.element("div", [("class", "life")]) { $0.add(TimelineSVG(timeline, id: "life\(index)").element) }
      }
    }
    if lives.count > mostPhones {
      page.element(
        "p", text: "\((lives.count - mostPhones).counted("phone")) more; 'skan timeline LIST --device NAME' draws one.")
    }
    page.endPage()
    return page.text
  }
}

/// The life to draw, from a device file or of a phone of a list.
struct DrawnLife {
  /// The phone's name in a list; empty for a device file.
  var name = ""
  var device: Device
  var history: [LifeEvent]
  /// The time at which the phone's state is drawn.
  var now: Instant
  /// Removes the SDK key from names before they are cut or escaped.
  var redactor: Redactor
  /// The number of updates that have not ended at that time.
  var underWay = 0

  /// The drawing, independent of its output format.
  var timeline: Timeline {
    let postbacks = device.postbacks(phone: name, at: now)
    return Timeline(
      device, history: history.redacted(by: redactor), postbacks: postbacks, now: now, underWay: underWay)
  }
}

extension [LifeEvent] {
  /// The events without the SDK key, which could not be found once names are cut or escaped.
  func redacted(by redactor: Redactor) -> [LifeEvent] {
    if redactor.isEmpty { return self }
    return map { event in
      var event = event
      switch event.kind {
      case .event(let name): event.kind = .event(redactor.redacted(name))
      case .revenue(let amount, let currency, let isAd):
        event.kind = .revenue(amount: amount, currency: redactor.redacted(currency), isAdMonetization: isAd)
      case .impression(let network, let interaction):
        event.kind = .impression(network: redactor.redacted(network), interaction)
      case .register, .session, .update, .relaunch, .forward, .adAttributionKit, .reEngagement, .development, .download:
        break
      }
      return event
    }
  }
}
