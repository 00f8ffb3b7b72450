import SKANBase

/// `skan init`: a list with expectations, a model, rates, a project file and a file for continuous integration.
enum InitCommand {
  private static let pipeline = Option<StartPipeline?>(
    "ci", "PRODUCT", .choice, "write a file for it, too: github, gitlab, jenkins or shell", hasVariable: false)
  private static let vertical = Option<StartVertical>(
    "vertical", "KIND", .choice, default: "game", "whose events: game (default), subscription or commerce",
    hasVariable: false)
  private static let events = Option<[String]>(
    "events", "NAME,…", .text, folding: [],
    "your own events instead, in the order in which a user mostly does them, as in sign_up,purchase",
    hasVariable: false
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
    .`init`, "Start a project: skan.json, a model, a list, a file for CI",
    arguments: ["DIR"], isLastOptional: true,
    examples: [
      "skan init", "skan init --ci github --vertical subscription",
      "skan init tests --ci shell --events sign_up,purchase",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    let plan = StartPlan(events: options.events)
    var files = plan.files
    let pipeline = options.pipeline
    if let pipeline { files.append((pipeline.path, pipeline.text(plan))) }
    try write(files, for: pipeline, in: invocation.positional.first ?? "", invocation.environment)
    return .ok
  }

  /// Writes all files, or none where one of them is there already.
  private static func write(
    _ files: [(path: String, text: String)], for pipeline: StartPipeline?, in directory: String,
    _ environment: Environment
  ) throws(CommandError) {
    let folder = directory.isEmpty || directory.hasSuffix("/") ? directory : "\(directory)/"
    var existing: [String] = []
    // Where it cannot be known, writing says why.
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
    // Once all files are there: an output that fails does not leave half of a project.
    var report = written.map { "wrote \($0)\n" }.joined()
    if failure == nil { report += next(pipeline, in: folder) }
    do throws(CommandError) { try environment.write(report) } catch {
      throw failure ?? error.adding(done: "these files are written: \(written.joined(separator: ", "))")
    }
    if let failure { throw failure }
  }

  /// What to do with the files.
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
  /// Of a name that needs no escape in a shell's quotes, in YAML or in Groovy.
  fileprivate var isOfEvent: Bool { isLetter || isNumber || " _-.:".contains(self) }
}
