/// What the program ends with; stable, and part of its interface (the manual, "Exit codes").
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
  var name: String {
    switch self {
    case .ok: "ok"
    case .expectationFailed: "expectation-failed"
    case .usage: "usage"
    case .badData: "bad-data"
    case .noInput: "no-input"
    case .unavailable: "unavailable"
    case .internalError: "internal-error"
    case .cannotWrite: "cannot-write"
    case .locked: "locked"
    case .badAnswer: "bad-answer"
    case .keyMissing: "key-missing"
    case .interrupted: "interrupted"
    }
  }

  /// One line for the help.
  var meaning: String {
    switch self {
    case .ok: "success; of a replay also that no remote endpoint failed a step that does not expect it"
    case .expectationFailed:
      "an expectation failed, --strict and a finding, a postback does not verify, a finding of check, or models differ"
    case .usage: "the command line is wrong, or names no command"
    case .badData: "a file's content is wrong"
    case .noInput: "a file is missing or cannot be read, or captures hold no request to Singular"
    case .unavailable:
      "an address could not be reached, did not answer in time or is in use, or OpenSSL, gzip or skan-http is missing"
    case .internalError: "a mistake in skan itself"
    case .cannotWrite: "a file or the output cannot be written"
    case .locked: "the device file, or the file of received postbacks, is locked by another run"
    case .badAnswer:
      "the endpoint answered with an error or nonsense, a postback was not taken, or the app crashed or can only crash"
    case .keyMissing: "the SDK key is missing"
    case .interrupted: "interrupted"
    }
  }
}
