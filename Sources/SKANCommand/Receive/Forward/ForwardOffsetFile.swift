import SKANReceive
import SKANRun
import SKANBase

/// The file beside a file of received postbacks that says how far they were passed on to one receiver.
///
/// Who has the lock of the file of received postbacks writes it; nothing else does.
struct ForwardOffsetFile: Sendable {
  let path: String
  private let files: FileAccess

  init(of received: String, _ target: ForwardTarget, _ files: FileAccess) {
    path = "\(received).\(target.name).offset"
    self.files = files
  }

  /// - Returns: nil when there is no such file yet.
  func read() throws(CommandError) -> ForwardOffset? {
    guard let bytes = try files.read(path) else { return nil }
    do throws(SourceProblems) { return try ForwardOffset(bytes) } catch {
      throw .content(file: path, error.notes(in: bytes))
    }
  }

  /// Replaces the file; it is on the disk then.
  func write(_ offset: ForwardOffset) throws(CommandError) { try files.replace(path, offset.text) }
}
