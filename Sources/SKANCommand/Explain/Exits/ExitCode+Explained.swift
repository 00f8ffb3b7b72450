extension ExitCode: ExplainedCode {
  static var kind: CodeKind { .exit }

  var code: String { "exit-\(rawValue)" }

  var roleText: String { "exit code, \(name)" }

  /// The bare number, and the name in `skan help --json`.
  var spellings: [String] { [String(rawValue), name] }

  var explanation: CodeExplanation {
    CodeExplanation(
      phone: "\(meaning.prefix(1).uppercased())\(meaning.dropFirst()). \(what)", cause: cause, command: command,
      remedy: remedy, articles: [], documents: ["skan --help, Exit codes"])
  }

  /// More about what happened.
  private var what: String {
    switch self {
    case .ok: "Of the phone's hazards only those that end in an error have a code of their own: see exit-76."
    case .expectationFailed: "Everything was read and ran; the answer is no."
    case .usage: "Nothing was read or written."
    case .badData: "The message has file, line and column."
    case .noInput: "Nothing was changed."
    case .unavailable:
      "The phone's state is saved: the handler got the error. A replay runs to its end, and ends so when a remote endpoint "
        + "did not answer a step first."
    case .internalError: "It is never the phone's or the endpoint's fault."
    case .cannotWrite: "A file is replaced as a whole or not at all, so no torn file is left."
    case .locked: "Only one run at a time changes a file; this one waited as long as --lock-timeout says."
    case .badAnswer:
      "The step ran as on the phone, and its result is printed and saved. A replay runs to its end, and ends so when a "
        + "remote endpoint failed a step first."
    case .keyMissing: "No request was made."
    case .interrupted: "What was finished before is saved, and the message says so."
    }
  }

  private var cause: String {
    switch self {
    case .ok: "The command did what it was asked, and no expectation failed."
    case .expectationFailed:
      "--expect or \"expect\" of a list does not hold, --strict met a finding, verify met a postback that is not valid, check "
        + "an error, or model diff a difference."
    case .usage: "A command, option, value or variable that does not exist, or two that exclude each other."
    case .badData: "A list, model, device file or capture with a mistake in it."
    case .noInput:
      "A file or directory that is not there or cannot be read, or a capture without a request to Singular."
    case .unavailable:
      "No connection, a time-out, a port that is in use, openssl or gzip not on the PATH where it is needed, or skan-http "
        + "not where scripts/install puts it."
    case .internalError: "A mistake of the program."
    case .cannotWrite: "A directory that is missing or not writable, a full disk, or a phone that is installed already."
    case .locked: "Another run of skan holds the lock beside the device file or the file of received postbacks."
    case .badAnswer:
      "A single step ended in server-error, unparsable, illegal-values or crashed, a remote answer poisoned the install, or "
        + "a postback was not taken. In a replay only a remote endpoint can bring it about: an answer in the list is a test "
        + "of the app, and so is an outcome that the step's \"expect\" states."
    case .keyMissing: "--endpoint production without --sdk-key-file and SKAN_SDK_KEY, or an empty key file."
    case .interrupted: "Ctrl-C, or SIGTERM."
    }
  }

  /// A line that ends with the code.
  private var command: String? {
    let line: String? =
      switch self {
      case .ok: "skan --version"
      case .expectationFailed: #"echo '{"op":"register","expect":{"outcome":"updated"}}' | skan replay -"#
      case .usage: "skan sesion"
      case .badData: #"echo '{"op":"sesion"}' | skan replay -"#
      case .noInput: "skan replay no-such-list.jsonl"
      case .unavailable:
        "skan register -q --state demo.json; skan session --state demo.json --endpoint http://127.0.0.1:9"
      case .internalError: nil
      case .cannotWrite: "skan install --state no-such-directory/phone.json"
      case .locked:
        "skan install -q --state demo.json; sleep 3 | skan replay --allow-empty --state demo.json - & sleep 1; "
          + "skan session --state demo.json --lock-timeout 100ms"
      case .badAnswer:
        #"skan register -q --state demo.json; skan session --state demo.json --answer '{"text":"<html>"}'"#
      case .keyMissing: "skan register -q --state demo.json; skan session --state demo.json --endpoint production"
      case .interrupted: "sleep 3 | skan replay - & sleep 1; kill $!; wait $!"
      }
    return line.map { "\($0); echo exit-$?" }
  }

  private var remedy: String {
    switch self {
    case .ok: "Nothing is wrong. --strict makes findings fail."
    case .expectationFailed: "Read the difference on stderr; each failure names its file and line."
    case .usage: "The message has the nearest name; 'skan COMMAND --help' has the options."
    case .badData: "Go to the place that the message names."
    case .noInput: "Check the path; - stands for standard input."
    case .unavailable:
      "Try the address with curl -v; --max-time gives it longer. A list that tests this says \"outcome\":\"transport-error\" "
        + "in \"expect\"."
    case .internalError: "Report it with the command line and the message."
    case .cannotWrite: "Make the directory, or name another file; --force installs a phone anew."
    case .locked: "Wait for the other run, or give each its own --state."
    case .badAnswer:
      "Read the outcome: 'skan explain OUTCOME' says what it means; what came stands below the step. A list that tests this "
        + "has the outcome in \"expect\"."
    case .keyMissing: "Pass the SDK key, not that of the Reporting API, by file, standard input or environment."
    case .interrupted: "Run it again."
    }
  }
}
