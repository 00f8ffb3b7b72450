import SKANDevice

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
  var name: String { row.name }

  /// One line for the help.
  var meaning: String { row.meaning }

  var explanation: CodeExplanation {
    let row = row
    return CodeExplanation(
      "\(row.meaning.prefix(1).uppercased())\(row.meaning.dropFirst()). \(row.more)", cause: row.cause,
      example: row.command.map { .shell("\($0); echo exit-$?") }, remedy: row.remedy,
      documents: ["skan --help, Exit codes"])
  }

  /// The name of an exit code and the texts that explain it.
  private struct Row {
    let name: String
    let meaning: String
    let more: String
    let cause: String
    /// A command line that ends with this code.
    let command: String?
    let remedy: String

    init(_ name: String, _ meaning: String, more: String, cause: String, command: String?, remedy: String) {
      self.name = name
      self.meaning = meaning
      self.more = more
      self.cause = cause
      self.command = command
      self.remedy = remedy
    }
  }

  private var row: Row {
    switch self {
    case .ok:
      Row(
        "ok", "success",
        more: "In a replay no remote endpoint failed a step that does not expect it. Of the phone's hazards, only "
          + "those that end in an error have their own code: see exit-76.",
        cause: "The command did what it was asked, and no expectation failed.", command: "skan --version",
        remedy: "Nothing is wrong. --strict makes findings fail.")
    case .expectationFailed:
      Row(
        "expectation-failed",
        "an expectation or a check failed",
        more: "Everything was read and run, and the result is negative.",
        cause: "--expect or \"expect\" of a list does not hold, --strict met a finding, verify met a postback that is "
          + "not valid, check an error, or model diff a difference.",
        command: #"echo '{"op":"register","expect":{"outcome":"updated"}}' | skan replay -"#,
        remedy: "Read the difference on stderr; each failure names its file and line.")
    case .usage:
      Row(
        "usage", "the command line is wrong", more: "Nothing was read or written.",
        cause: "A command, option, value or variable that does not exist, or two that exclude each other.",
        command: "skan sesion", remedy: "The message has the nearest name; 'skan COMMAND --help' has the options.")
    case .badData:
      Row(
        "bad-data", "a file's content is wrong", more: "The message has file, line and column.",
        cause: "A list, model, device file or capture with a mistake in it.",
        command: #"echo '{"op":"sesion"}' | skan replay -"#, remedy: "Go to the place that the message names.")
    case .noInput:
      Row(
        "no-input", "an input is missing or cannot be read",
        more: "Nothing was changed.",
        cause: "A file or directory that is not there or cannot be read, or a capture without a request to Singular.",
        command: "skan replay no-such-list.jsonl", remedy: "Check the path; - stands for standard input.")
    case .unavailable:
      Row(
        "unavailable",
        "an address cannot be reached or used, or a program is missing",
        more: "The phone's state is saved; the handler received the error. A replay runs to its end. It ends with this "
          + "code if the first step that a remote endpoint failed got no answer.",
        cause:
          "No connection, a time-out, a port that is in use, openssl, gzip or duckdb needed but not on the PATH, or "
          + "skan-http not where scripts/install puts it.",
        command: "skan register -q --state demo.json; skan session --state demo.json --endpoint http://127.0.0.1:9",
        remedy: "Try the address with curl -v; --max-time gives it longer. A list that tests this says "
          + "\"outcome\":\"transport-error\" in \"expect\".")
    case .internalError:
      Row(
        "internal-error", "a mistake in skan itself", more: "It is never the phone's or the endpoint's fault.",
        cause: "A mistake of the program.", command: nil, remedy: "Report it with the command line and the message.")
    case .cannotWrite:
      Row(
        "cannot-write", "a file or the output cannot be written",
        more: "A file is replaced as a whole or not at all, so no torn file is left.",
        cause: "A directory that is missing or not writable, a full disk, or a phone that is installed already.",
        command: "skan install --state no-such-directory/phone.json",
        remedy: "Make the directory, or name another file; --force installs a phone anew.")
    case .locked:
      Row(
        "locked", "another run has locked the file",
        more: "Only one run at a time changes a file; this one waited for as long as --lock-timeout allows.",
        cause: "Another run of skan holds the lock beside the device file or the file of received postbacks.",
        command: "skan install -q --state demo.json; sleep 3 | skan replay --allow-empty --state demo.json - & sleep "
          + "1; skan session --state demo.json --lock-timeout 100ms",
        remedy: "Wait for the other run, or give each its own --state.")
    case .badAnswer:
      Row(
        "bad-answer",
        "the endpoint or a receiver gave a bad answer or was never asked, or the app crashed",
        more: "The step ran as on the phone, and its result is printed and saved. A replay runs to its end. It ends "
          + "with this code if the first step that a remote endpoint failed got a bad answer.",
        cause: "A single step ended in server-error, unparsable, illegal-values or crashed, a remote answer poisoned "
          + "the install, a session or event for an endpoint of the network sent no request, or a postback was not "
          + "accepted. In a replay, only a remote endpoint can cause it: an answer in the list is a test of the app, "
          + "and so is an outcome that the step's \"expect\" states.",
        command: #"skan register -q --state demo.json; skan session --state demo.json --answer '{"text":"<html>"}'"#,
        remedy: "Read the outcome: 'skan explain OUTCOME' says what it means; the answer is shown below the step. A "
          + "list that tests this has the outcome in \"expect\".")
    case .keyMissing:
      Row(
        "key-missing", "the SDK key is missing", more: "No request was made.",
        cause: "--endpoint production without --sdk-key-file and SKAN_SDK_KEY, or an empty key file.",
        command: "skan register -q --state demo.json; skan session --state demo.json --endpoint production",
        remedy: "Pass the SDK key, not the key of the Reporting API, by file, standard input or environment.")
    case .interrupted:
      Row(
        "interrupted", "interrupted", more: "What was finished before is saved, and the message says so.",
        cause: "Ctrl-C, or SIGTERM.", command: "sleep 3 | skan replay - & sleep 1; kill $!; wait $!",
        remedy: "Run it again.")
    }
  }
}
