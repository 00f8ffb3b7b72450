/// Finds one key in a text any of whose characters may be escaped, in capitals or small letters, and with characters between
/// them that are not seen.
struct KeySearch: Sendable {
  let key: [UInt8]
  /// So much of it counts as the key where the text is cut: less could be the beginning of an ordinary word.
  private var leastPart: Int { max(Redactor.leastBytes, min(6, (key.count + 1) / 2)) }

  init(key: [UInt8]) { self.key = key }

  /// So much of it counts as the key wherever it stands: all but a quarter, or but three bytes of a shorter one.
  var leastBeginning: Int { min(key.count, max(8, min(key.count - 3, key.count * 3 / 4))) }

  /// Where the key that begins here ends; nil when none begins here.
  ///
  /// A character of the key may be the beginning of an escape as well, so every reading is followed to its end.
  ///
  /// - Parameter endIsCut: whether the text may have been cut at its end; a part of the key there counts as the key.
  func end(ofKeyAt start: Int, in reader: EscapeReader, endIsCut: Bool) -> Int? {
    let first = reader.bytes[start]
    guard Self.isSame(first, key[0]) || EscapeReader.begins(first) else { return nil }
    var states = [(known: 0, position: start, mayBeCut: true)]
    var seen: Set<[Int]> = []
    var best: Int?
    while let (known, position, mayBeCut) = states.popLast() {
      if known == key.count {
        best = max(best ?? 0, position)
        continue
      }
      if known >= leastBeginning { best = max(best ?? 0, position) }
      let isCut = mayBeCut && known >= leastPart && reader.isCut(at: position, endIsCut: endIsCut)
      if isCut { best = max(best ?? 0, position) }
      var count = 0
      for unit in reader.units(at: position, depth: EscapeReader.depth) where matches(unit, at: known) {
        count += 1
        let next = (known + unit.count, unit.end, true)
        // Only where readings part can they meet again.
        if count == 1 || seen.insert([next.0, next.1]).inserted { states.append(next) }
      }
      if count == 0, known > 0, let (next, isLineEnd) = reader.end(ofUnseenAt: position) {
        // A line end is no cut: behind it the key goes on, or it was another word.
        states.append((known, next, !isLineEnd))
        continue
      }
      if count == 0, known >= leastPart, let end = reader.end(ofCutEscapeAt: position, endIsCut: endIsCut) {
        best = max(best ?? 0, end)
      }
    }
    return best
  }

  /// Whether these two bytes can be the key's first, as they stand, or before an escape or a character that is not seen.
  func mayBegin(with byte: UInt8, _ next: UInt8) -> Bool {
    Self.isSame(byte, key[0]) && (Self.isSame(next, key[1]) || EscapeReader.begins(next) || next < 0x20 || next >= 0x80)
  }

  private func matches(_ unit: EscapeReader.Unit, at known: Int) -> Bool {
    guard known + unit.count <= key.count else { return false }
    return (0..<unit.count).allSatisfy { Self.isSame(unit[$0], key[known + $0]) }
  }

  /// In a query a space is written `+`, and who decodes one of the key's makes a space of it. The names of hosts and headers
  /// are written in small letters, and a log may have capitals.
  private static func isSame(_ byte: UInt8, _ other: UInt8) -> Bool {
    byte == other || byte.isSpaceOrPlus && other.isSpaceOrPlus
      || byte | 0x20 == other | 0x20 && byte.isASCIILetter && other.isASCIILetter
  }
}

extension UInt8 {
  fileprivate var isSpaceOrPlus: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "+") }
}
