/// Where a command writes; the SDK key never gets past it, wherever a text has it from.
struct Output: Sendable {
  let environment: Environment
  let isQuiet: Bool
  private let redactor: Redactor

  init(_ environment: Environment, isQuiet: Bool, redactor: Redactor) {
    self.environment = environment
    self.isQuiet = isQuiet
    self.redactor = redactor
  }

  /// A line of results for people, unless `--quiet`.
  func line(_ line: StyledText) throws(CommandError) {
    if !isQuiet { try environment.print(line.mapText(redactor.redacted)) }
  }

  /// A line of results for programs, unless `--quiet`: neither colored nor wrapped.
  func result(_ line: String) throws(CommandError) {
    if !isQuiet { try always(line) }
  }

  /// A line of results for people that is printed also with `--quiet`.
  func always(_ line: StyledText) throws(CommandError) { try environment.print(line.mapText(redactor.redacted)) }

  /// The same for programs.
  func always(_ line: String) throws(CommandError) { try environment.write(redactor.redacted(line) + "\n") }

  /// A remark on stderr, unless `--quiet`.
  func note(_ line: StyledText) { if !isQuiet { error(line) } }

  /// A line on stderr.
  func error(_ line: StyledText) { environment.printError(line.mapText(redactor.redacted)) }

  /// Lines on stderr.
  func error(_ lines: [StyledText]) { environment.printError(lines.mapText(redactor.redacted)) }
}
