import SKANBase
import SKANCommandLine

/// `skan init`: writes a list with expectations, a model, rates, a project file and a file for continuous integration.
enum InitCommand {
  private static let pipeline = Option<StartPipeline?>(
    "ci", "PRODUCT", .choice, "also write a file for a CI product: github, gitlab, jenkins or shell")
  private static let vertical = Option<StartVertical>(
    "vertical", "KIND", .choice, default: "game", "whose events: game (default), subscription or commerce")
  private static let events = Option<[String]>(
    "events", "NAME,…", .text, folding: [],
    "your own events instead, in the order in which a user mostly does them, as in sign_up,purchase"
  ) { (names, given) throws(CommandError) in
    for text in given.text.split(separator: ",", omittingEmptySubsequences: false) {
      let name = String(text.trimming { $0 == " " })
      guard let first = name.first, first.isLetter || first.isNumber || first == "_", name.allSatisfy(\.isOfEvent)
      else {
        throw given.mustBe("names with commas between, of letters, digits, blanks and _ - . :")
      }
      if name.hasPrefix("__") { throw given.problem("\(name) is a name of Singular's; every project has sessions") }
      if names.contains(name) { throw given.problem("\(name) is given twice") }
      names.append(name)
      if names.count > StartPlan.mostEvents { throw given.problem("at most \(StartPlan.mostEvents) events") }
    }
  }

  struct Options: CommandOptions {
    let pipeline: StartPipeline?
    let events: [String]

    init(_ reader: OptionReader) throws(CommandError) {
      pipeline = try reader[InitCommand.pipeline]
      let vertical = try reader[InitCommand.vertical]
      let own = try reader[InitCommand.events]
      if !own.isEmpty, reader.isGiven(InitCommand.vertical) {
        throw reader.invocation.usage(
          "\(InitCommand.events.flag) and \(InitCommand.vertical.flag) exclude each other: both say which events there are"
        )
      }
      events = own.isEmpty ? vertical.events : own
    }
  }

  static let spec = CommandSpec(
    "init", "Start a project: skan.json, a model, a list, a file for CI",
    arguments: ["DIR"], isLastOptional: true,
    examples: [
      "skan init", "skan init --ci github --vertical subscription",
      "skan init tests --ci shell --events sign_up,purchase",
    ], readsSettings: false
  ) { (options: Options, invocation) throws(CommandError) in
    let plan = StartPlan(events: options.events)
    var files = plan.files
    let pipeline = options.pipeline
    if let pipeline { files.append((pipeline.path, pipeline.text(plan))) }
    try write(files, for: pipeline, in: invocation.positional.first ?? "", invocation.environment)
    return .ok
  }

  /// Writes all files, or none if one of them exists.
  private static func write(
    _ files: [(path: String, text: String)], for pipeline: StartPipeline?, in directory: String,
    _ environment: Environment
  ) throws(CommandError) {
    let folder = directory.isEmpty || directory.hasSuffix("/") ? directory : "\(directory)/"
    var existing: [String] = []
    // If this cannot be determined, writing reports the error.
    for (path, _) in files where (try? environment.files.exists(folder + path)) ?? false {
      existing.append(folder + path)
    }
    guard existing.isEmpty else { throw .filesExist(existing) }
    var written: [String] = []
    var failure: CommandError?
    do throws(CommandError) {
      for (path, text) in files {
        let path = folder + path
        try environment.files.makeDirectory(ProjectFile.folder(of: path))
        try environment.files.publish(path, Array(text.utf8))
        written.append(path.oneLine)
      }
    } catch {
      failure = error
    }
    // Printed after all files are written, so that a failing output does not leave half a project.
    var report = written.map { "wrote \($0)\n" }.joined()
    if failure == nil { report += next(pipeline, in: folder) }
    do throws(CommandError) { try environment.write(report) } catch {
      throw failure ?? error.adding(done: "these files are written: \(written.joined(separator: ", "))")
    }
    if let failure { throw failure }
  }

  /// The next steps for the user.
  private static func next(_ pipeline: StartPipeline?, in folder: String) -> String {
    var text = ""
    if let pipeline, let placeholder = pipeline.placeholder {
      text = """

        In \((folder + pipeline.path).oneLine), put the address of your copy of skan in the place of
          \(placeholder)

        """
    }
    let name = String(folder.dropLast())
    let change = folder.isEmpty || folder == "./" ? "" : "cd \(name.shellWord) && "
    return text + """

      Next:
        \(change)skan replay --test \(StartPlan.lists)
        \(change)skan model explain \(StartPlan.model)

      """
  }
}

extension Character {
  /// Whether the character needs no escape in a shell's quotes, in YAML or in Groovy.
  fileprivate var isOfEvent: Bool { isLetter || isNumber || " _-.:".contains(self) }
}

/// The kinds of apps for which `skan init` knows typical events.
enum StartVertical: String, CaseIterable, Sendable {
  case game, subscription, commerce

  /// The events, in the order in which a user usually triggers them.
  var events: [String] {
    switch self {
    case .game: ["tutorial_complete", "level_10", "purchase"]
    case .subscription: ["sign_up", "start_trial", "subscribe"]
    case .commerce: ["view_product", "add_to_cart", "purchase"]
    }
  }
}

/// The events of a new project, and the values that its model assigns to them.
struct StartPlan: Sendable {
  /// The maximum number of events. More would leave no fine value for revenue.
  static let mostEvents = 40
  /// The fine value of a session.
  static let sessionValue = 1
  /// The fine values of revenue in US dollars. `from` is inclusive and `below` exclusive.
  static let revenue: [(from: String, below: String?, value: Int)] = [
    ("0.01", "5", 50), ("5", "20", 55), ("20", nil, 60),
  ]

  let events: [String]

  /// The fine value of an event. Later events have higher values.
  func value(at index: Int) -> Int { Self.sessionValue + (index + 1) * max(1, min(10, Self.mostEvents / events.count)) }

  /// The files of the project except the one for continuous integration, by path relative to the project's directory.
  var files: [(path: String, text: String)] {
    [
      ("skan.json", "{\n  \"model\": \"\(Self.model)\",\n  \"rates\": \"\(Self.rates)\"\n}\n"),
      (Self.model, StartModel(plan: self).text), (Self.rates, "{\"EUR\":0.92}\n"),
      ("\(Self.lists)/first-days.jsonl", StartList(plan: self).text),
    ]
  }

  static let model = "skan/model.json"
  static let rates = "skan/rates.json"
  static let lists = "skan/lists"
}

/// The event list of a new project: the first days of one phone, with an expectation for each step.
struct StartList {
  let plan: StartPlan

  var text: String {
    let events = plan.events.enumerated().map { index, name in
      step(
        "event", ["\"name\":\(JSONWriter.quoted(name))", "\"at\":\"+\(10 * (index + 1))m\""],
        expecting: "\"outcome\":\"updated\",\"handler.fine\":\(plan.value(at: index)),\"handler.coarse\":0")
    }
    let last = JSONWriter.quoted(plan.events.last ?? "")
    let lines: [String] =
      [
        "# The first days of one phone. The model of skan.json answers, in virtual time; 'expect' is what must come of a step.",
        "# With 'completion' the calls of the app overlap, as those of a real app do.",
        "# Run it:  skan replay --test \(StartPlan.lists)",
        step(
          "device",
          [
            "\"label\":\"install\"", "\"ios\":\"17.4\"", "\"bundle_id\":\"com.example.app\"",
            "\"settings\":{\"completion\":\"deferred\"}",
          ]),
        step("register", ["\"at\":\"2026-01-01T00:00:00Z\""], expecting: "\"outcome\":\"registered\",\"window\":0"),
        step(
          "session", ["\"at\":\"+5s\""],
          expecting: "\"outcome\":\"updated\",\"handler.fine\":\(StartPlan.sessionValue),\"handler.coarse\":0"),
        "",
        "# The events, in the order in which a user mostly does them.",
      ] + events + [
        "",
        "# 9.20 EUR are 10 USD by \(StartPlan.rates). Revenue goes before its event.",
        step(
          "revenue", ["\"amount\":9.2", "\"currency\":\"EUR\"", "\"at\":\"+\(10 * events.count + 60)m\""],
          expecting: "\"outcome\":\"added\""),
        step(
          "event", ["\"name\":\(last)"],
          expecting: "\"outcome\":\"updated\",\"handler.fine\":55,\"handler.coarse\":1"),
        "",
        "# The second window: there is no fine value any more.",
        step("session", ["\"at\":\"+3d\""], expecting: "\"outcome\":\"updated\",\"window\":1,\"handler.coarse\":0"),
        step(
          "postbacks", ["\"at\":\"+40d\""],
          expecting: "\"postbacks.0.state\":\"sent\",\"postbacks.0.body.conversion-value\":55"),
      ]
    return lines.map { "\($0)\n" }.joined()
  }

  private func step(_ operation: String, _ members: [String], expecting expectations: String? = nil) -> String {
    let all = ["\"op\":\"\(operation)\""] + members + (expectations.map { ["\"expect\":{\($0)}"] } ?? [])
    return "{\(all.joined(separator: ","))}"
  }
}

/// The conversion model of a new project. It has a fine value for a session, for each event and for three ranges of
/// revenue, and in every window a coarse value for a session and for revenue.
struct StartModel {
  let plan: StartPlan

  var text: String {
    let events = plan.events.enumerated().map { fine(plan.value(at: $0), "{\"mapped_event_name\":\(quoted($1))}") }
    let revenue = StartPlan.revenue.map { fine($0.value, Self.revenue(from: $0.from, below: $0.below)) }
    let values = [fine(StartPlan.sessionValue, Self.session)] + events + revenue
    return """
      {
        "fine_grained_conversion_value_mappings": [
      \(values.joined(separator: ",\n"))
        ],
        "postback_mappings": [
      \((0...2).map(window).joined(separator: ",\n"))
        ]
      }

      """
  }

  private static let session = "{\"mapped_event_name\":\"__SESSION__\"}"

  private static func revenue(from: String, below: String?) -> String {
    let end = below.map { ",\"max_event_revenue\":\($0)" } ?? ""
    return "{\"mapped_event_name\":\"__REVENUE__\",\"currency_code\":\"USD\","
      + "\"event_revenue_range\":{\"min_event_revenue\":\(from)\(end)}}"
  }

  private func quoted(_ name: String) -> String { JSONWriter.quoted(name) }

  private func fine(_ value: Int, _ event: String) -> String {
    "    {\"fine_grained_conversion_value\":\(value),\"conversion_value_mapping\":{\"mapped_events\":[\(event)]}}"
  }

  private func window(_ index: Int) -> String {
    let values = [
      ("low", Self.session), ("medium", Self.revenue(from: "0.01", below: "20")),
      ("high", Self.revenue(from: "20", below: nil)),
    ]
    let mappings = values.map { "      \"\($0)_conversion_value_mapping\":{\"mapped_events\":[\($1)]}" }
    return """
          {"postback_sequence_index":\(index),"coarse_grained_conversion_value_mappings":{
      \(mappings.joined(separator: ",\n"))
          }}
      """
  }
}
