import SKANRun
import SKANBase

extension FileAccess {
  /// How much of a file tells what it is.
  private static let headSize = 1 << 16

  /// Throws where an output cannot be written to a path, and where it would take the place of what cannot be made again:
  /// a phone, or postbacks that were received.
  func requireOutput(_ path: String) throws(CommandError) {
    try requireReplaceable(path)
    guard let head = head(of: path), let kind = ContentKind(beginning: head) else { return }
    let what: String? =
      switch kind {
      case .deviceFile: "it is a phone's device file"
      case .receivedFile: "it holds received postbacks"
      case .eventList, .model: nil
      }
    if let what { throw .cannotWrite(file: path, reason: "\(what), which would be lost; name another file") }
  }

  /// The beginning of a file that exists and is no pipe.
  func head(of path: String, atMost size: Int = FileAccess.headSize) -> [UInt8]? {
    do throws(SourceFailure) {
      let source = try openFile(path)
      guard source.isRegular else { return nil }
      var head: [UInt8] = []
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.headSize, alignment: 1)
      defer { unsafe buffer.deallocate() }
      while head.count < size {
        let count = try unsafe source.read(buffer)
        if count == 0 { break }
        unsafe head += buffer.prefix(count)
      }
      return head
    } catch {
      return nil
    }
  }
}
