/// The exit codes of the program; stable, and part of its interface (the manual, "Exit codes").
package enum ExitCode: Int32, Sendable, CaseIterable {
  case ok = 0
  case expectationFailed = 1
  case usage = 64
  case badData = 65
  case noInput = 66
  case unavailable = 69
  case internalError = 70
  case cannotWrite = 73
  case locked = 75
  case badAnswer = 76
  case keyMissing = 77
  case interrupted = 130

  /// The name in `skan help --json`.
  package var name: String { row.name }

  /// One line for the help.
  package var meaning: String { row.meaning }

  private var row: (name: String, meaning: String) {
    switch self {
    case .ok: ("ok", "success")
    case .expectationFailed: ("expectation-failed", "an expectation or a check failed")
    case .usage: ("usage", "the command line is wrong")
    case .badData: ("bad-data", "a file's content is wrong")
    case .noInput: ("no-input", "an input is missing or cannot be read")
    case .unavailable: ("unavailable", "an address cannot be reached or used, or a program is missing")
    case .internalError: ("internal-error", "a mistake in skan itself")
    case .cannotWrite: ("cannot-write", "a file or the output cannot be written")
    case .locked: ("locked", "another run has locked the file")
    case .badAnswer:
      (
        "bad-answer",
        "the endpoint or a receiver gave a bad answer or was never asked, or the app crashed"
      )
    case .keyMissing: ("key-missing", "the SDK key is missing")
    case .interrupted: ("interrupted", "interrupted")
    }
  }
}
