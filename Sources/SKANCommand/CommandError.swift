import SKANHTTP
import SKANRun
import SKANBase

/// Why a command could not be carried out, as data; ``CommandError/message`` makes words of it.
package enum CommandError: Error, Sendable, Equatable {
  case usage(String, command: String?)
  /// Problems in a file's content.
  case content(file: String, [SourceNote], more: Int = 0)
  /// Mistakes in event lists: those that are printed, and how many there are.
  case lists([ListProblem], count: Int)
  /// What cannot be read of captures, a line each.
  case captures([String], more: Int)
  /// What cannot be read of exports of events, a line each.
  case rows([String])
  /// A file that only another program can unpack.
  case programMissing(String, file: String)
  /// Captures without a request to Singular.
  case nothingToCheck(String)
  /// A selection that selects nothing.
  case nothingMatched(String)
  case missing(file: String, hint: String)
  case unreadable(file: String, reason: String)
  case cannotWrite(file: String, reason: String)
  /// A file whose new content is in place, and may not be on the disk.
  case notFlushed(file: String, reason: String)
  /// A file that belongs to another one than is there; the reason says which.
  case otherFile(String)
  case exists(file: String)
  /// Files that would be written and are there already.
  case filesExist([String])
  case lockHeld(file: String, by: Int32?, seconds: Double)
  /// The lock was held, and then its file was removed: another run may have it, too.
  case lockLost(file: String)
  case keyMissing
  /// A file that should hold the SDK key and holds nothing.
  case keyEmpty(file: String)
  /// A text that should be a key for signatures and is not.
  case badKey(file: String, reason: String)
  /// The address is taken, or the system gives none.
  case cannotListen(String)
  /// The program that sends requests cannot be started; the reason says what to do.
  case cannotSend(String)
  /// Nothing here can make or check signatures.
  case noSignatures(String)
  /// - Parameter done: what was done before, as the end of a message.
  case outputFailed(reason: String, done: String? = nil)
  /// The reader of the output is gone: no message.
  case outputClosed
  case interrupted
  /// Interrupted after this file was saved.
  case interruptedAfterSaving(file: String)
  /// The command of `serve` ended with this status, which is not 0 and is ours, too: no message.
  case commandEnded(status: Int32)
  /// The command of `serve` cannot be started; the status is that of a shell, 127 or 126.
  case commandNotStarted(String, status: Int32)

  package var code: ExitCode {
    switch self {
    case .usage: .usage
    case .content, .lists, .badKey, .captures, .otherFile, .rows: .badData
    case .missing, .unreadable, .nothingMatched, .nothingToCheck: .noInput
    case .cannotWrite, .notFlushed, .exists, .filesExist, .outputFailed: .cannotWrite
    case .lockHeld, .lockLost: .locked
    case .keyMissing, .keyEmpty: .keyMissing
    case .cannotListen, .cannotSend, .noSignatures, .programMissing: .unavailable
    case .outputClosed: .ok
    case .interrupted, .interruptedAfterSaving: .interrupted
    case .commandEnded: .expectationFailed
    case .commandNotStarted: .unavailable
    }
  }

  /// What the process ends with: the code, or the status of a command of the user's.
  package var status: Int32 {
    switch self {
    case .commandEnded(let status), .commandNotStarted(_, let status): status
    default: code.rawValue
    }
  }

  /// What to print on stderr, nil for nothing.
  package var message: String? {
    switch self {
    case .usage(let reason, let command):
      "skan: \(reason)\nTry 'skan \(command.map { "\($0) " } ?? "")--help'."
    case .content(let file, let notes, let more):
      Self.joined(
        notes.prefix(Self.mostNotes).map { $0.text(file: file) }, more: max(0, notes.count - Self.mostNotes) + more)
    case .lists(let problems, let count): listMessage(problems, count)
    case .captures(let lines, let more): Self.joined(lines, more: more)
    case .rows(let lines): lines.joined(separator: "\n")
    case .programMissing(let program, let file):
      "skan: \(file.oneLine) is packed, and \(program), which unpacks it, is not on the PATH"
    case .nothingToCheck(let reason), .otherFile(let reason): "skan: \(reason)"
    case .nothingMatched(let reason): "skan: \(reason); --allow-empty lets that pass"
    case .missing(let file, let hint): "skan: \(file.oneLine) does not exist; \(hint)"
    case .unreadable(let file, let reason): "skan: cannot read \(file.inputName): \(reason)"
    case .cannotWrite(let file, let reason): "skan: cannot write \(file.oneLine): \(reason)"
    case .notFlushed(let file, let reason):
      "skan: cannot write \(file.oneLine): \(reason); its new content is in place, though it may not be on the disk"
    case .exists(let file):
      "skan: \(file.oneLine) is a phone already; --force installs the app anew and loses what it keeps"
    case .filesExist(let files):
      "skan: nothing is written, since there \(files.count == 1 ? "is" : "are") already "
        + files.map(\.oneLine).joined(separator: ", ")
    case .lockHeld(let file, let pid, let seconds):
      "skan: \(file.oneLine) is in use by \(pid.map { "process \($0)" } ?? "another process"); waited \(((seconds * 10).rounded() / 10).jsonText) s "
        + "(--lock-timeout)"
    case .lockLost(let file):
      "skan: \(file).lock was removed or replaced while this run held it, so another one may have changed \(file); it is "
        + "left as it is"
    case .keyMissing:
      "skan: production needs the SDK key: --sdk-key-file FILE (- for stdin) or the variable SKAN_SDK_KEY"
    case .keyEmpty(let file):
      "skan: \(file.inputName) holds no SDK key; its first line should be it"
    case .badKey(let file, let reason): "skan: \(file.oneLine): \(reason)"
    case .cannotListen(let reason), .noSignatures(let reason): "skan: \(reason)"
    case .cannotSend(let reason): "skan: \(TransportFailure.noHelperText(reason))"
    case .outputFailed(let reason, let done): "skan: cannot write the output: \(reason)\(done.map { "; \($0)" } ?? "")"
    case .outputClosed, .commandEnded: nil
    case .commandNotStarted(let reason, _): "skan: \(reason)"
    case .interrupted: "skan: interrupted"
    case .interruptedAfterSaving(let file): "skan: interrupted; what was done before is saved in \(file.oneLine)"
    }
  }
}

extension CommandError {
  private func listMessage(_ problems: [ListProblem], _ count: Int) -> String? {
    if problems.isEmpty { return nil }
    return Self.joined(problems.map { $0.note.text(file: $0.file) }, more: count - problems.count)
  }

  /// The problems of a file's content, with their locations in it.
  static func content(file: String, _ problems: SourceProblems, in bytes: [UInt8]) -> CommandError {
    let notes = problems.notes(in: bytes)
    return .content(file: file, notes, more: problems.problems.count - notes.count)
  }

  /// How many problems of a file are printed; the others are counted.
  static let mostNotes = SourceProblem.mostReported

  private static func joined(_ notes: [String], more rest: Int) -> String {
    (notes + (rest > 0 ? [more(rest)] : [])).joined(separator: "\n")
  }

  /// The line after the problems that are printed.
  static func more(_ rest: Int) -> String { "skan: and \(rest) more problem\(rest == 1 ? "" : "s")" }
}

extension ListProblem {
  /// The problem with its location in the list.
  var note: SourceNote {
    var location = TextLocation(of: problem.range, in: text)
    location.line = line
    let chain = includedFrom.map { " (included from \($0.file.oneLine):\($0.line))" }.joined()
    return SourceNote(location: location, message: problem.message + chain)
  }
}
