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

  /// The same; `watch` gets the number of bytes of each read.
  package func watched(_ watch: @escaping (Int) -> Void) -> ByteSource {
    unsafe ByteSource(isRegular: isRegular, size: size, identity: identity) { buffer throws(SourceFailure) in
      let count = try unsafe read(buffer)
      watch(count)
      return count
    }
  }

  /// The first bytes: fewer than asked for where there are fewer.
  package func beginning(_ count: Int) throws(SourceFailure) -> [UInt8] {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { unsafe block.deallocate() }
    var filled = 0
    while filled < count {
      let more = try unsafe read(UnsafeMutableRawBufferPointer(rebasing: block[filled...]))
      if more == 0 { break }
      filled += more
    }
    return unsafe Array(block[..<filled])
  }
}
