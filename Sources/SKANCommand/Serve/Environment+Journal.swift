import SKANBase

extension Environment {
  /// Refuses to add a journal to a file that holds something else, before the server starts.
  func requireJournal(_ path: String) throws(CommandError) {
    guard let head = files.head(of: path), !ContentKind.isJournal(beginning: head) else { return }
    let what =
      ContentKind.message(of: whole(path) ?? head, file: path.oneLine) ?? "this is no journal of 'skan serve'"
    let note = SourceNote(
      location: TextLocation(of: 0..<0, in: []),
      message: "\(what); requests would be added to it: name another file for the journal")
    throw .content(file: path, [note])
  }
}
