import SKANCommandLine
import SKANDevice

extension ExitCode {
  var explanation: CodeExplanation {
    let row = row
    return CodeExplanation(
      "\(meaning.prefix(1).uppercased())\(meaning.dropFirst()). \(row.more)", cause: row.cause,
      example: row.command.map { .shell("\($0); echo exit-$?") }, remedy: row.remedy,
      documents: ["skan --help, Exit codes"])
  }

  /// The texts that explain an exit code.
  private struct Row {
    let more: String
    let cause: String
    /// A command line that ends with this code.
    let command: String?
    let remedy: String
  }

  private var row: Row {
    switch self {
    case .ok:
      Row(
        more: "In a replay no remote endpoint failed a step that does not expect it. Of the phone's hazards, only "
          + "those that end in an error have their own code: see exit-76.",
        cause: "The command did what it was asked, and no expectation failed.", command: "skan --version",
        remedy: "Nothing is wrong. --strict makes findings fail.")
    case .expectationFailed:
      Row(
        more: "Everything was read and run, and the result is negative.",
        cause: "--expect or \"expect\" of a list does not hold, --strict met a finding, verify met a postback that is "
          + "not valid, check an error, or model diff a difference.",
        command: #"echo '{"op":"register","expect":{"outcome":"updated"}}' | skan replay -"#,
        remedy: "Read the difference on stderr; each failure names its file and line.")
    case .usage:
      Row(
        more: "Nothing was read or written.",
        cause: "A command, option, value or variable that does not exist, or two that exclude each other.",
        command: "skan sesion", remedy: "The message has the nearest name; 'skan COMMAND --help' has the options.")
    case .badData:
      Row(
        more: "The message has file, line and column.",
        cause: "A list, model, device file or capture with a mistake in it.",
        command: #"echo '{"op":"sesion"}' | skan replay -"#, remedy: "Go to the place that the message names.")
    case .noInput:
      Row(
        more: "Nothing was changed.",
        cause: "A file or directory that is not there or cannot be read, or a capture without a request to Singular.",
        command: "skan replay no-such-list.jsonl", remedy: "Check the path; - stands for standard input.")
    case .unavailable:
      Row(
        more: "The phone's state is saved; the handler received the error. A replay runs to its end. It ends with this "
          + "code if no answer came to the first step with a failure of a remote endpoint.",
        cause:
          "No connection, a time-out, a port that is in use, openssl, gzip or duckdb needed but not on the PATH, or "
          + "skan-http not where scripts/install puts it.",
        command: "skan register -q --state demo.json; skan session --state demo.json --endpoint http://127.0.0.1:9",
        remedy: "Try the address with curl -v; --max-time gives it longer. A list that tests this says "
          + "\"outcome\":\"transport-error\" in \"expect\".")
    case .internalError:
      Row(
        more: "It is never the phone's or the endpoint's fault.",
        cause: "A mistake of the program.", command: nil, remedy: "Report it with the command line and the message.")
    case .cannotWrite:
      Row(
        more: "A file is replaced as a whole or not at all, so no torn file is left.",
        cause: "A directory that is missing or not writable, a full disk, or a phone that is installed already.",
        command: "skan install --state no-such-directory/phone.json",
        remedy: "Make the directory, or name another file; --force installs a phone anew.")
    case .locked:
      Row(
        more: "Only one run at a time changes a file; this one waited for as long as --lock-timeout allows.",
        cause: "Another run of skan holds the lock beside the device file or the file of received postbacks.",
        command: "skan install -q --state demo.json; sleep 3 | skan replay --allow-empty --state demo.json - & sleep "
          + "1; skan session --state demo.json --lock-timeout 100ms",
        remedy: "Wait for the other run, or give each its own --state.")
    case .badAnswer:
      Row(
        more: "The step ran as on the phone, and its result is printed and saved. A replay runs to its end. It ends "
          + "with this code if a bad answer came to the first step with a failure of a remote endpoint.",
        cause: "A single step ended in server-error, unparsable, illegal-values or crashed, a remote answer poisoned "
          + "the install, a session or event for an endpoint of the network sent no request, or a postback was not "
          + "accepted. In a replay, only a remote endpoint can cause it: an answer in the list is a test of the app, "
          + "and so is an outcome that the step's \"expect\" states.",
        command: #"skan register -q --state demo.json; skan session --state demo.json --answer '{"text":"<html>"}'"#,
        remedy: "Read the outcome: 'skan explain OUTCOME' says what it means; the answer is shown below the step. A "
          + "list that tests this has the outcome in \"expect\".")
    case .keyMissing:
      Row(
        more: "No request was made.",
        cause: "--endpoint production without --sdk-key-file and SKAN_SDK_KEY, or an empty key file.",
        command: "skan register -q --state demo.json; skan session --state demo.json --endpoint production",
        remedy: "Pass the SDK key, not the key of the Reporting API, by file, standard input or environment.")
    case .interrupted:
      Row(
        more: "What was finished before is saved, and the message says so.",
        cause: "Ctrl-C, or SIGTERM.", command: "sleep 3 | skan replay - & sleep 1; kill $!; wait $!",
        remedy: "Run it again.")
    }
  }
}
