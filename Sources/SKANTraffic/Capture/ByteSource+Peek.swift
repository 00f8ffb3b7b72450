import SKANRun

extension ByteSource {
  /// Looks at the beginning.
  ///
  /// - Parameter count: the count of bytes; fewer come where the source ends before.
  /// - Returns: the beginning, and a source of all bytes from the beginning on.
  func peeked(_ count: Int) throws(SourceFailure) -> (head: [UInt8], whole: ByteSource) {
    var head = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let result: Result<Int, SourceFailure> = unsafe head.withUnsafeMutableBytes { buffer in
        do throws(SourceFailure) {
          return .success(try unsafe read(UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])))
        } catch {
          return .failure(error)
        }
      }
      let more = try result.get()
      if more == 0 { break }
      filled += more
    }
    head.removeSubrange(filled...)
    let beginning = head
    var position = 0
    let whole = unsafe ByteSource(isRegular: isRegular, size: size, identity: identity) {
      buffer throws(SourceFailure) in
      guard position < beginning.count else { return try unsafe read(buffer) }
      let count = min(buffer.count, beginning.count - position)
      unsafe buffer.copyBytes(from: beginning[position..<position + count])
      position += count
      return count
    }
    return (head, whole)
  }
}
