import SKANBase
import SKANHTTP
import SKANRun

/// The reason why a command failed, and the lines that report it on the terminal.
///
/// A reader reports ``SourceProblem``s, which hold byte offsets; a ``SourceNote`` holds the line and column of one.
/// ``lines(_:)`` turns the notes into styled text. `CommandLineTool` removes the SDK key from it and prints it, and
/// ``TerminalStyle`` fits it to the terminal. The other forms of an error (``message``, ``statement``) are the same
/// text without styles.
package enum CommandError: Error, Sendable, Equatable {
  case usage(String, command: String?)
  /// Problems in a file's content.
  case content(file: String, [SourceNote], more: Int = 0)
  /// Mistakes in event lists: those that are printed, and the total count.
  case lists([ListProblem], count: Int)
  /// Problems with captures and event exports, one line each.
  case lines([StyledText], more: Int = 0)
  /// Well-formed input that cannot be used, with the reason.
  case unusable(String)
  /// A compressed file, when the program that unpacks it is missing.
  case programMissing(String, file: String)
  /// A program that reads an input for this one, or a part of it, is missing, or cannot reach the input.
  case helperMissing(String)
  /// A compressed file that holds more bytes than the user allows.
  case unpacksToMore(than: Int, file: String)
  /// Captures that contain no request to Singular, or exports without a row.
  case nothingToCheck(String)
  /// A selection that matches nothing.
  case nothingMatched(String)
  case missing(file: String, hint: String)
  case unreadable(file: String, reason: String)
  case cannotWrite(file: String, reason: String)
  /// The file has its new content, but flushing it to the disk failed.
  case notFlushed(file: String, reason: String)
  case exists(file: String)
  /// Output files that already exist.
  case filesExist([String])
  case lockHeld(file: String, by: Int32?, seconds: Double)
  /// The lock's file was removed while the lock was held, so another run may hold the lock as well.
  case lockLost(file: String)
  case keyMissing
  /// A key file that contains no SDK key.
  case keyEmpty(file: String)
  /// A text that is not a valid signing key.
  case badKey(file: String, reason: String)
  /// The address is in use, or the system refuses to listen on it.
  case cannotListen(String)
  /// The system cannot create a thread for an option.
  case noThread(String)
  /// The program that sends requests cannot be started. The reason says what to do.
  case cannotSend(String)
  /// No means to create or verify signatures is available.
  case noSignatures(String)
  /// - Parameter done: what was done before the failure, appended to the message.
  case outputFailed(reason: String, done: String? = nil)
  /// The reader of the output is gone. There is no message.
  case outputClosed
  case interrupted
  /// Interrupted after the file was saved.
  case interruptedAfterSaving(file: String)
  /// The command of `serve` ended with this nonzero status, which becomes the exit status. There is no message.
  case commandEnded(status: Int32)
  /// The command of `serve` could not be started. The status is 127 or 126, as in a shell.
  case commandNotStarted(String, status: Int32)

  package var code: ExitCode {
    switch self {
    case .usage: .usage
    case .content, .lists, .badKey, .lines, .unusable, .unpacksToMore: .badData
    case .missing, .unreadable, .nothingMatched, .nothingToCheck: .noInput
    case .cannotWrite, .notFlushed, .exists, .filesExist, .outputFailed: .cannotWrite
    case .lockHeld, .lockLost: .locked
    case .keyMissing, .keyEmpty: .keyMissing
    case .cannotListen, .noThread, .cannotSend, .noSignatures, .programMissing, .helperMissing: .unavailable
    case .outputClosed: .ok
    case .interrupted, .interruptedAfterSaving: .interrupted
    case .commandEnded: .expectationFailed
    case .commandNotStarted: .unavailable
    }
  }

  /// The exit status: the exit code, or the status of the user's own command.
  package var status: Int32 {
    switch self {
    case .commandEnded(let status), .commandNotStarted(_, let status): status
    default: code.rawValue
    }
  }

  /// The text that follows `skan:`; nil if the lines begin with locations in files, or if there is no message.
  private var remark: String? {
    switch self {
    case .content, .lists, .lines, .outputClosed, .commandEnded: nil
    case .usage(let reason, _), .nothingToCheck(let reason), .unusable(let reason), .cannotListen(let reason),
      .noSignatures(let reason), .helperMissing(let reason), .commandNotStarted(let reason, _):
      reason
    case .programMissing(let program, let file):
      "\(file.oneLine) is packed, and \(program), which unpacks it, is not on the PATH"
    case .unpacksToMore(let most, let file):
      "\(file.inputName) is packed, and unpacks to more than \(ByteSize(bytes: most).text); --max-unpacked SIZE allows "
        + "more"
    case .nothingMatched(let reason): "\(reason); --allow-empty lets that pass"
    case .missing(let file, let hint): "\(file.oneLine) does not exist; \(hint)"
    case .unreadable(let file, let reason): "cannot read \(file.inputName): \(reason)"
    case .cannotWrite(let file, let reason): "cannot write \(file.oneLine): \(reason)"
    case .notFlushed(let file, let reason):
      "cannot write \(file.oneLine): \(reason); its new content is in place, though it may not be on the disk"
    case .exists(let file):
      "\(file.oneLine) is a phone already; --force installs the app anew and loses what it keeps"
    case .filesExist(let files):
      "nothing is written, since there \(files.count == 1 ? "is" : "are") already "
        + files.map(\.oneLine).joined(separator: ", ")
    case .lockHeld(let file, let pid, let seconds):
      "\(file.oneLine) is in use by \(pid.map { "process \($0)" } ?? "another process"); waited "
        + "\(((seconds * 10).rounded() / 10).jsonText) s (--lock-timeout)"
    case .lockLost(let file):
      "\(file).lock was removed or replaced while this run held it, so another one may have changed \(file); it is "
        + "left as it is"
    case .keyMissing: "production needs the SDK key: --sdk-key-file FILE (- for stdin) or the variable SKAN_SDK_KEY"
    case .keyEmpty(let file): "\(file.inputName) holds no SDK key; its first line should be it"
    case .badKey(let file, let reason): "\(file.oneLine): \(reason)"
    case .noThread(let option): "the system has no thread left for \(option)"
    case .cannotSend(let reason): TransportFailure.noHelperText(reason)
    case .outputFailed(let reason, let done): "cannot write the output: \(reason)\(done.map { "; \($0)" } ?? "")"
    case .interrupted: "interrupted"
    case .interruptedAfterSaving(let file): "interrupted; what was done before is saved in \(file.oneLine)"
    }
  }
}

// MARK: - What was done

extension CommandError {
  /// The error of a command that has already saved this file.
  package func adding(saved: String?) -> CommandError {
    guard let saved else { return self }
    let done = "what was done is saved in \(saved.oneLine), and would be done twice if it were repeated"
    switch self {
    case .interrupted: return .interruptedAfterSaving(file: saved)
    case .cannotWrite(let file, let reason) where file != saved:
      return .cannotWrite(file: file, reason: "\(reason); \(done)")
    case .notFlushed(let file, let reason) where file != saved:
      return .cannotWrite(file: file, reason: "\(reason); its new content is in place; \(done)")
    default: return adding(done: done)
    }
  }

  /// The error of a command that could not write its output. `done` states what it has done already.
  package func adding(done: String) -> CommandError {
    guard case .outputFailed(let reason, nil) = self else { return self }
    return .outputFailed(reason: reason, done: done)
  }
}

// MARK: - Lines

extension CommandError {
  /// The lines to print on stderr; empty if there is no message.
  ///
  /// - Parameter role: the role of the `skan:` in front. Errors that do not end the command pass another one.
  package func lines(_ role: TextRole = .failure) -> [StyledText] {
    (remark.map { [.remark($0, role)] } ?? []) + furtherLines(role)
  }

  /// The message without styles; nil if there is none.
  package var message: String? { text(lines()) }

  /// The message without `skan:`, to embed in another text; nil if there is none.
  package var statement: String? { text((remark.map { [StyledText($0)] } ?? []) + furtherLines(.failure)) }

  private func text(_ lines: [StyledText]) -> String? {
    lines.isEmpty ? nil : lines.map(\.text).joined(separator: "\n")
  }

  /// All lines except the ``remark``.
  private func furtherLines(_ role: TextRole) -> [StyledText] {
    let (lines, more): ([StyledText], Int)
    switch self {
    case .usage(_, let command): return [StyledText("Try 'skan \(command.map { "\($0) " } ?? "")--help'.")]
    case .content(let file, let notes, let others):
      lines = notes.prefix(Self.mostNotes).flatMap { $0.lines(file: file) }
      more = max(0, notes.count - Self.mostNotes) + others
    case .lists(let problems, let count):
      lines = problems.flatMap { $0.note.lines(file: $0.file) }
      more = problems.isEmpty ? 0 : count - problems.count
    case .lines(let all, let others): (lines, more) = (all, others)
    default: return []
    }
    return lines + (more > 0 ? [Self.more(more, role)] : [])
  }

  /// The line that counts the problems that are not printed.
  package static func more(_ rest: Int, _ role: TextRole = .bold) -> StyledText {
    .remark("and \(rest) more problem\(rest == 1 ? "" : "s")", role)
  }

  /// The maximum number of problems of a file that are printed. The others are counted.
  package static let mostNotes = SourceProblem.mostReported

  /// The error for the problems of a file's content, with their locations.
  package static func content(file: String, _ problems: SourceProblems, in bytes: [UInt8]) -> CommandError {
    let notes = problems.notes(in: bytes)
    return .content(file: file, notes, more: problems.problems.count - notes.count)
  }
}

extension StyledText {
  /// `skan: TEXT`, a remark about the program or the whole command.
  package static func remark(_ text: String, _ role: TextRole = .bold) -> StyledText {
    var line: StyledText = "\("skan:", role) \(text)"
    line.indent = "skan: ".count
    return line
  }

  /// `PLACE: TEXT`, a remark about a place in a file.
  package static func at(_ place: String, _ text: String) -> StyledText { "\("\(place):", .bold) \(text)" }
}

// MARK: - Places in files

extension ListProblem {
  /// The problem with its location in the list.
  package var note: SourceNote {
    var location = TextLocation(of: problem.range, in: text)
    location.line = line
    let chain = includedFrom.map { " (included from \($0.file.oneLine):\($0.line))" }.joined()
    return SourceNote(location: location, message: problem.message + chain)
  }
}
