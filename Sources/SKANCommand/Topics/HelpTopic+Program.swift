extension HelpTopic {
  static var aboutExitCodes: [HelpSection] {
    [
      HelpSection("Codes", rows: ExitCode.allCases.map { (String($0.rawValue), $0.meaning) }),
      HelpSection(
        "Which counts",
        "69 and 76 come from what an endpoint did, after the device file is saved: of a single command by its outcome, or "
          + "since a remote answer poisoned the install; of a replay, which runs to its end, for the first step that a "
          + "remote endpoint failed, unless the step expects that, an expectation failed, or --strict counts a finding (1). "
          + "Answers of a list are tests, and set no code. 'skan explain exit-76' says more."),
    ]
  }

  static var aboutEnvironment: [HelpSection] {
    let options = CommandLineTool.commands.flatMap(\.options).filter(\.hasVariable).map(\.variable)
    return [
      HelpSection(
        "An option's variable",
        "Every option has one: SKAN_LOCK_TIMEOUT for --lock-timeout, 1 or 0 for a flag. 'skan COMMAND --help' has the options. "
          + "The command line counts before the variable, the variable before files, files before the default. An empty "
          + "variable counts as none; one that no command reads is an error."),
      HelpSection("Variables that stand for no option", rows: VariableNames.more.map { ($0.name, $0.help) }),
      HelpSection("All of an option", Set(options).sorted().enumerated + "."),
      HelpSection(
        "Of the system",
        rows: [
          ("PATH", "where openssl and gzip are looked for, where they are needed"),
          ("TERM", "dumb: nothing is drawn that moves the cursor"), ("TMPDIR", "where much data is set aside"),
        ]),
    ]
  }
}
