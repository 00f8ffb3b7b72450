// What can stand between two letters of a key without being a part of it.
extension EscapeReader {
  /// Where an end of a line with the blanks behind it, a NUL (as in UTF-16), or a character without width ends, escaped or
  /// not; nil when none begins here.
  func end(ofUnseenAt position: Int) -> (end: Int, isLineEnd: Bool)? {
    for unit in units(at: position, depth: Self.depth) {
      var character = (0..<unit.count).map { unit[$0] }
      var end = unit.end
      // Of what is not ASCII each byte may be escaped by itself.
      while character[0] >= 0xC2, character.count < 3, !Self.isUnseen(character),
        let next = units(at: end, depth: Self.depth).last
      {
        character += (0..<next.count).map { next[$0] }
        end = next.end
      }
      guard Self.isUnseen(character) else { continue }
      if character == [0x0A] { while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 } }
      return (end, [[0x0A], [0x0D]].contains(character))
    }
    return nil
  }

  private static func isUnseen(_ character: [UInt8]) -> Bool {
    switch character {
    case [0x00], [0x0A], [0x0D]: true
    // The soft hyphen, spaces and joiners without width, marks of direction, and the byte order mark.
    case [0xC2, 0xAD], [0xEF, 0xBB, 0xBF]: true
    case _ where character.count == 3 && character[0] == 0xE2:
      character[1] == 0x80 && (0x8B...0x8F).contains(character[2])
        || character[1] == 0x81 && (0xA0...0xA4).contains(character[2])
    default: false
    }
  }
}
