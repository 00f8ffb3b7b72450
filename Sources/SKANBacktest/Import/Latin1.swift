import SKANRun

extension ByteSource {
  /// The characters that Windows-1252 has in place of the control characters 0x80 to 0x9F of Latin-1 (the encoding
  /// standard of the web reads Latin-1 so, too). Five of them are not assigned, and stay control characters.
  private static let windows: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
  ]

  /// The UTF-8 of each byte of Latin-1.
  private static let characters: [[UInt8]] = (0...255).map { byte in
    var text = ""
    if let scalar = UnicodeScalar((0x80..<0xA0).contains(byte) ? windows[byte - 0x80] : UInt16(byte)) {
      text.unicodeScalars.append(scalar)
    }
    return Array(text.utf8)
  }

  /// This source of Latin-1 as UTF-8.
  package var decodingLatin1: ByteSource {
    var (waiting, position): ([UInt8], Int) = ([], 0)
    return unsafe ByteSource(isRegular: false) { buffer throws(SourceFailure) in
      if position == waiting.count {
        // A byte becomes three at most.
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { unsafe piece.deallocate() }
        let count = try unsafe read(piece)
        (waiting, position) = ([], 0)
        waiting.reserveCapacity(count)
        let bytes = unsafe Array(piece[..<count])
        for byte in bytes { waiting += Self.characters[Int(byte)] }
      }
      let count = min(buffer.count, waiting.count - position)
      unsafe buffer.copyBytes(from: waiting[position..<position + count])
      position += count
      return count
    }
  }
}
