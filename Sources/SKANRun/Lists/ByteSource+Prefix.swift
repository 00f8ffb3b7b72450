extension ByteSource {
  /// The same with some bytes before it, such as those that were read to find out what it is.
  package func preceded(by bytes: [UInt8]) -> ByteSource {
    var position = 0
    return unsafe ByteSource(isRegular: false, size: size, identity: identity) { buffer throws(SourceFailure) in
      if position == bytes.count { return try unsafe read(buffer) }
      let count = min(buffer.count, bytes.count - position)
      unsafe buffer.copyBytes(from: bytes[position..<position + count])
      position += count
      return count
    }
  }
}
