import SKANReceive
import SKANRun

extension Environment {
  /// Reads a file of received postbacks.
  ///
  /// - Parameter isRequired: whether a file that does not exist is an error, and not an empty one.
  func receivedFile(_ path: String, isRequired: Bool = true) throws(CommandError) -> ReceivedFile {
    let source: ByteSource
    do throws(SourceFailure) { source = try files.openFile(path) } catch {
      if error == .missing, !isRequired { return ReceivedFile() }
      throw CommandError(error, file: path, hint: "'skan receive' and 'skan serve --postbacks' make it")
    }
    do throws(ReceivedFileProblem) { return try ReceivedFile(source) } catch {
      switch error {
      case .source(let failure): throw CommandError(failure, file: path)
      case .content(let notes): throw CommandError.content(file: path, notes.notes)
      }
    }
  }
}
