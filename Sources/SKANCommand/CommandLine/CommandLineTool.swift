import SKANBase
import SKANCommandLine
import SKANSystem

/// The command line tool: takes arguments and an environment, and returns an exit code.
package enum CommandLineTool {
  package static let version = ProgramVersion.text

  /// Every subcommand, in the order of the help.
  static let commands = CommandName.allCases.map(\.spec)

  /// Runs a command line, given without the program's name.
  package static func run(_ arguments: [String], in environment: Environment) -> ExitCode {
    switch outcome(of: arguments, in: environment) {
    case .success(let code): code
    case .failure(let error): error.code
    }
  }

  /// Runs a command line given as raw bytes and returns the exit status. If the user's own command ran, as under
  /// `serve`, its status takes precedence over the tool's exit code.
  package static func status(of arguments: [[UInt8]], in environment: Environment) -> Int32 {
    do throws(CommandError) {
      switch outcome(of: try texts(of: arguments), in: environment) {
      case .success(let code): return code.rawValue
      case .failure(let error): return error.status
      }
    } catch {
      var environment = environment
      environment.redaction = Redaction(key: environment.sdkKey)
      environment.styles = TerminalStyles(ColorChoice([], environment), environment)
      environment.printError(error.lines())
      return error.status
    }
  }

  /// Decodes the arguments. Throws for one that is not UTF-8: a lossy decoding could name another file.
  private static func texts(of arguments: [[UInt8]]) throws(CommandError) -> [String] {
    var texts: [String] = []
    for argument in arguments {
      guard let text = String(validating: argument, as: UTF8.self) else {
        let shown = String(escaping: argument).oneLine
        throw .usage("the argument \(shown) is not UTF-8, as every argument must be", command: nil)
      }
      texts.append(text)
    }
    return texts
  }

  /// Runs a command line and prints its error, if it fails.
  private static func outcome(
    of arguments: [String], in environment: Environment
  ) -> Result<ExitCode, CommandError> {
    if arguments.first == CompletionCommand.hiddenName {
      CompletionCommand.answer(Array(arguments.dropFirst()), in: environment)
      return .success(.ok)
    }
    // The device file that the command has saved, for the message of a later failure.
    let saved = Monitor<String?>(nil)
    var environment = environment
    environment.redaction = Redaction(key: environment.sdkKey)
    if let path = OptionRow.sdkKeyFile.text(ofUnparsed: arguments, environment),
      let key = environment.files.sdkKey(inFile: path)
    {
      environment.redaction.add(key)
    }
    if !environment.redactor.isEmpty || environment.sdkKey != nil { environment.protectMemory() }
    environment.files = environment.files.redacting(environment.redaction)
    environment.files.replace = { [replace = environment.files.replace] (path, bytes) throws(CommandError) in
      try replace(path, bytes)
      saved.withLock { $0 = path }
    }
    let hasSpoken = Monitor(false)
    environment.observeErrors { text in
      // A progress bar says nothing about the end.
      if !text.isEmpty, !text.hasPrefix(ProgressBar.clear) { hasSpoken.withLock { $0 = true } }
    }
    environment.styles = TerminalStyles(ColorChoice(arguments, environment), environment)
    let outcome: Result<ExitCode, CommandError>
    do throws(CommandError) {
      outcome = .success(try dispatch(arguments, environment))
    } catch {
      let error = error.adding(saved: saved.withLock { $0 })
      let lines = error.lines()
      if !lines.isEmpty { environment.printError(lines) }
      outcome = .failure(error)
    }
    if let line = outcome.silentEnd, !hasSpoken.withLock({ $0 }) { environment.printError([line]) }
    return outcome
  }

  private static func dispatch(_ arguments: [String], _ environment: Environment) throws(CommandError) -> ExitCode {
    // Texts of this program alone, in which a key that is an ordinary word would be found.
    var unredacted = environment
    unredacted.redaction = Redaction()
    guard let name = arguments.first else {
      environment.printError(StartScreen.lines)
      return .usage
    }
    if name == ManPage.hiddenName {
      try requireEnd(arguments.dropFirst())
      try unredacted.write(ManPage.text(of: .skan))
      return .ok
    }
    if ["--help", "-h", "--version"].contains(name) {
      try requireEnd(arguments.dropFirst())
      try unredacted.printHelp(name == "--version" ? [versionLine] : Help.overview(.skan, topics: HelpTopic.rows))
      return .ok
    }
    if arguments.count == 2, [OptionRow.help.flag, "-h"].contains(arguments[1]) {
      let group = CommandTable.skan.commands(beginning: name)
      if !group.isEmpty {
        try unredacted.printHelp(Help.text(for: group))
        return .ok
      }
    }
    let (spec, rest) = try CommandTable.skan.command(ArraySlice(arguments))
    let parsed = try ParsedArguments(
      Array(rest), for: spec, of: .skan, variable: environment.variable
    ) { () throws(CommandError) in try environment.project(of: .skan) }
    if parsed.has(.help) || parsed.has(.version) {
      try unredacted.printHelp(parsed.has(.help) ? Help.text(for: spec) : [versionLine])
      return .ok
    }
    // A command that reads no variables does not check them either.
    if spec.readsSettings { try VariableNames.check(environment, for: spec, of: .skan) }
    let color = try OptionReader(Invocation(spec, parsed, environment))[.color]
    var environment = spec.printsOwnTexts ? unredacted : environment
    environment.styles = TerminalStyles(color, environment)
    return try spec.run(Invocation(spec, parsed, environment))
  }

  static func requireEnd(_ rest: ArraySlice<String>) throws(CommandError) {
    if let extra = rest.first { throw .usage("one argument too many: \(JSONWriter.quoted(extra))", command: nil) }
  }

  private static var versionLine: StyledText { "skan \(version)" }
}

extension Result<ExitCode, CommandError> {
  /// The line for an exit code other than 0 about which a command has said nothing on standard error, as with
  /// `--quiet`; nil for success.
  fileprivate var silentEnd: StyledText? {
    let code =
      switch self {
      case .success(let code): code
      case .failure(let error): error.code
      }
    return code == .ok ? nil : .remark("exit code \(code.rawValue): \(code.meaning)", .failure)
  }
}

/// The output of `skan` without a command: a description, five commands to start with, and a pointer to the help.
enum StartScreen {
  /// Each runs as written, one after the other, in an empty directory.
  static let commands: [(line: String, purpose: String)] = [
    ("skan init", "write a project: a list with expectations, a model, skan.json"),
    ("skan register", "install a simulated phone and register its app"),
    ("skan event purchase --revenue 9.99 --currency USD --at +2d3h", "report an event, as your code does"),
    ("skan timeline", "draw what happened, and the postbacks that follow"),
    ("skan serve --port 0 --once 1", "answer an app over HTTP, as the endpoint does"),
  ]

  static var lines: [StyledText] {
    [
      "\("skan", .bold): a simulated iOS device with its SKAdNetwork life on the command line", "",
      "\("To start with:", .bold)",
    ]
      + commands.flatMap { [.fixed("  \($0.line)"), StyledText("      \($0.purpose)")] }
      + [
        "", "'skan --help' lists all commands, 'skan COMMAND --help' the options of one.",
        "No command is given, so the exit code is \(ExitCode.usage.rawValue), as for any wrong command line.",
      ]
  }
}

/// Former names of options and commands, each with what to write now.
enum OldNames {
  static let options: [String: String] = [
    "event-aliases-file": "write --event-alias @FILE",
    "variables-file": "write --variable @FILE",
    "fine-only": "write --partial, which leaves out what the form cannot express",
    "ascii": "write --svg FILE for a drawing in another form",
    "show-signed-string": "write --json, whose \"not_signed\" has the fields that are not signed",
    "forward-speed": "the waits between attempts are fixed",
    "man": "'man skan' shows the page that is installed",
  ]
  static let commands = ["model decode": "write 'skan model explain FILE --fine N' or '--coarse VALUE'"]
}

/// Command names that other programs have, each with a hint to the closest command here.
enum OtherNames {
  static let hints: [String: String] = [
    "log": "'skan history' lists what happened so far, 'skan timeline' draws it",
    "draw": "'skan timeline' draws a life",
    "status": "'skan details --table' lays what the app keeps beside what Apple holds",
    "show": "'skan details' shows what the app keeps",
    "state": "'skan details' shows what the app keeps",
    "completions": "'skan completion bash|zsh|fish' prints a shell's completions",
    "new": "'skan init' writes a project to start with, 'skan install' makes a device file",
    "create": "'skan init' writes a project to start with, 'skan install' makes a device file",
    "uninstall": "'skan reset' installs the app anew",
    "delete": "'skan reset' installs the app anew",
    "clear": "'skan reset' installs the app anew",
    "restart": "'skan relaunch' starts the app anew",
    "launch": "'skan relaunch' starts the app anew, 'skan session' reports a session",
    "purchase": "'skan revenue AMOUNT CURRENCY' adds revenue, 'skan event purchase' reports an event",
    "upgrade": "'skan update' changes iOS, the app's version and its snippet",
    "run": "'skan replay FILE' runs an event list",
    "test": "'skan replay --test FILE' runs event lists and checks what they expect",
    "simulate": "'skan replay FILE' runs an event list",
    "validate":
      "'skan check FILE' checks captured traffic, 'skan model check FILE' a model, 'skan verify FILE' postbacks",
    "configure": "'skan config' prints what counts, 'skan init' writes a skan.json",
    "settings": "'skan config' prints what counts for each option",
    "diagnose": "'skan doctor' checks this machine and an app's Info.plist",
    "plist": "'skan doctor --plist Info.plist' checks an app's Info.plist",
    "env": "'skan config' prints what counts for each option",
    "server": "'skan serve' serves the reference endpoint",
    "start": "'skan register' makes a phone and registers the app, 'skan serve' serves the reference endpoint",
    "version": "'skan --version' prints it",
  ]
}
