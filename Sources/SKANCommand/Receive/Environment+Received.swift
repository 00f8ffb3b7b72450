import SKANReceive
import SKANRun
import SKANSigning
import SKANBase

extension Environment {
  /// Reads a file of received postbacks.
  ///
  /// - Parameters:
  ///   - isRequired: whether a file that does not exist is an error, and not an empty one.
  ///   - remembers: whether the file's memory is wanted.
  ///   - take: gets each record, its body as a postback, and its line.
  func receivedFile(
    _ path: String, isRequired: Bool = true, remembers: Bool = true,
    take: (ReceivedRecord, PostbackDocument, Int) -> Void = { _, _, _ in }
  ) throws(CommandError) -> ReceivedFile {
    let source: ByteSource
    do throws(SourceFailure) { source = try path == "-" ? files.open(path) : files.openFile(path) } catch {
      if error == .missing, !isRequired { return ReceivedFile() }
      throw CommandError(error, file: path, hint: "'skan receive' and 'skan serve --postbacks' make it")
    }
    do throws(ReceivedFileProblem) { return try ReceivedFile(source, remembers: remembers, take: take) } catch {
      throw failure(error, path)
    }
  }

  /// Refuses a file that is something else, before a lock is left beside it. All else is found out under the lock.
  func requireNoOtherFile(_ path: String) throws(CommandError) {
    let source: ByteSource
    do throws(SourceFailure) { source = try files.openFile(path) } catch { return }
    do throws(ReceivedFileProblem) { try ReceivedFile.check(source) } catch { throw failure(error, path) }
  }

  private func failure(_ problem: ReceivedFileProblem, _ path: String) -> CommandError {
    switch problem {
    case .source(let failure): return CommandError(failure, file: path)
    case .content(let notes, let more): return CommandError.content(file: path, notes.notes, more: more)
    case .other(let line):
      let what = ContentKind.message(of: whole(path) ?? line, file: path.oneLine)
      let message =
        what.map { "\($0); what is needed is a file of received postbacks, which" }
        ?? "this is not a file of received postbacks, which"
      let note = SourceNote(
        location: TextLocation(of: 0..<0, in: []),
        message: "\(message) 'skan receive' and 'skan serve --postbacks' make")
      return CommandError.content(file: path, [note])
    }
  }

  /// The bytes of a file, where they can be had once more.
  func whole(_ path: String) -> [UInt8]? {
    if path == "-" { return nil }
    do throws(CommandError) { return try files.read(path) } catch { return nil }
  }
}
