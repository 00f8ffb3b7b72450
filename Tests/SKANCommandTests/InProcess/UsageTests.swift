import Testing

@Suite("Mistakes on the command line")
struct UsageTests {
  @Test(
    "Commands",
    arguments: [
      ("sesion", "there is no command \"sesion\"; did you mean 'session'?"),
      ("registre", "there is no command \"registre\"; did you mean 'register'?"),
      ("repaly x", "there is no command \"repaly\"; did you mean 'replay'?"),
      ("Session", "there is no command \"Session\"; did you mean 'session'?"),
      ("log", "there is no command \"log\"; 'skan history' lists what happened so far, 'skan timeline' draws it"),
      ("histroy", "there is no command \"histroy\"; did you mean 'history'?"),
      ("diagnose", "there is no command \"diagnose\"; 'skan doctor' checks this machine and an app's Info.plist"),
      (
        "new",
        "there is no command \"new\"; 'skan init' writes a project to start with, 'skan install' makes a device file"
      ),
      (
        "completions bash",
        "there is no command \"completions\"; 'skan completion bash|zsh|fish' prints a shell's completions"
      ),
      ("frobnicate", "there is no command \"frobnicate\""),
      ("help sesion", "there is no command \"sesion\"; did you mean 'session'?"),
      ("--state x session", "the command comes first, as in 'skan session --state'"),
      ("-v", "the command comes first, as in 'skan session -v'"),
    ])
  func commands(line: String, words: String) {
    #expect(World().run(line) == .usage(words))
  }

  @Test(
    "Options",
    arguments: [
      ("session --stat x", "'skan session' has no option --stat; did you mean --state?"),
      ("session --lock-timout 1s", "'skan session' has no option --lock-timout; did you mean --lock-timeout?"),
      ("session --frobnicate", "'skan session' has no option --frobnicate"),
      ("session --stat=x", "'skan session' has no option --stat; did you mean --state?"),
      ("register --answer {}", "'skan register' has no option --answer"),
      ("details --endpoint embedded", "'skan details' has no option --endpoint"),
      ("replay --at 0 x", "'skan replay' has no option --at"),
      ("session -x", "'skan session' has no option -x"), ("session -vx", "'skan session' has no option -x"),
      ("session --state", "--state needs a value: --state FILE"), ("session --at", "--at needs a value: --at TIME"),
      ("session --json=1", "--json takes no value"), ("session -q --quiet=yes", "--quiet takes no value"),
      ("session --state a --state b", "--state is given twice"), ("session --at=0 --at 1", "--at is given twice"),
    ])
  func options(line: String, words: String) {
    #expect(World().run(line) == .usage(words, command: command(line)))
  }

  @Test(
    "Arguments",
    arguments: [
      ("event", "'skan event' needs NAME"), ("revenue", "'skan revenue' needs AMOUNT"),
      ("revenue 5", "'skan revenue' needs CURRENCY"), ("replay", "'skan replay' needs FILE"),
      ("session now", "one argument too many: \"now\""), ("event a b", "one argument too many: \"b\""),
      (
        "serve npm test",
        "one argument too many: \"npm\"; a command comes behind --, as in 'skan serve -- npm test'"
      ), ("serve --", "-- needs a command, as in 'skan serve -- npm test'"),
      ("serve --once 2 -- true", "--once and a command exclude each other: both say when to stop"),
      ("revenue 5 USD EUR", "one argument too many: \"EUR\""), ("details x", "one argument too many: \"x\""),
      ("install -- --force", "one argument too many: \"--force\""),
      ("update", "'skan update' needs at least one of --ios, --app-version, --snippet"),
      ("session --currency USD", "--currency belongs to --revenue AMOUNT"),
      ("event a --ad-monetization", "--ad-monetization belongs to --revenue AMOUNT"),
      ("event a --idempotency-key k", "--idempotency-key belongs to --revenue AMOUNT"),
      ("event a --revenue 5", "--revenue needs --currency CODE"),
      ("details --query --table", "--query and --table exclude each other"),
      ("details --json --table", "--table and --json exclude each other"),
    ])
  func arguments(line: String, words: String) {
    #expect(World().run(line) == .usage(words, command: command(line)))
  }

  /// The first word.
  private func command(_ line: String) -> String? { line.split(separator: " ").first.map(String.init) }
}
