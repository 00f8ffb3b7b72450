/// What `skan` prints without a command: what it is, five commands to start with, and where help is.
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
