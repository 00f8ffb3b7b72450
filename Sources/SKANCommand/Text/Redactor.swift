import SKANBase

/// Takes the SDK key out of texts, in whatever spelling it comes back.
///
/// A text is looked at as it stands and as what its base64 and its hexadecimal digits say. In each of these views one
/// search finds the key, whichever of its characters are escaped, in whichever way, and also where the text is cut within
/// it, or its last characters are left out (``KeySearch``).
struct Redactor: Sendable {
  private let searches: [KeySearch]
  /// The bytes of the shortest text that counts as a key: what is shorter in base64 cannot hold one.
  private let shortest: Int

  /// Keys of fewer bytes are no keys, and would black out ordinary words.
  static let leastBytes = 4
  private static let mark = Array("REDACTED".utf8)

  init(key: String?) {
    var keys: [[UInt8]] = []
    var next = Array((key ?? "").utf8)
    // A server may decode once too often what itself looks encoded.
    for _ in 0...EscapeReader.depth where next.count >= Self.leastBytes && !keys.contains(next) {
      keys.append(next)
      next = EscapeReader(next).plain(depth: 1).bytes
    }
    searches = keys.map { KeySearch(key: $0) }
    shortest = searches.map(\.leastBeginning).min() ?? 0
  }

  /// Whether there is nothing to take out.
  var isEmpty: Bool { searches.isEmpty }

  func redacted(_ text: String) -> String {
    guard !isEmpty else { return text }
    let bytes = Array(text.utf8)
    let result = redacted(bytes)
    return result == bytes ? text : String(decoding: result, as: UTF8.self)
  }

  func redacted(_ bytes: [UInt8]) -> [UInt8] {
    guard !isEmpty, mayHold(bytes) else { return bytes }
    let spans = spans(in: bytes)
    return spans.isEmpty ? bytes : bytes.replacing(spans, with: Self.mark)
  }

  /// A quick look that misses no key: most texts hold none, and a replay asks about each of its steps.
  private func mayHold(_ bytes: [UInt8]) -> Bool {
    let least = shortest * 4 / 3
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      var run = 0
      for position in bytes.indices {
        let byte = unsafe bytes[position]
        if EscapeReader.begins(byte) { return true }
        // Hexadecimal digits are letters of base64 too, and the line breaks between them may be left out.
        if byte.isBase64 || byte == 0x0A || byte == 0x0D {
          run += 1
          if run >= least { return true }
        } else {
          // Perhaps an ellipsis, where the rest is cut off.
          if run > Self.leastBytes, byte == UInt8(ascii: ".") || byte == 0xE2 { return true }
          run = 0
        }
        let next = unsafe position + 1 < bytes.count ? bytes[position + 1] : byte
        if searches.contains(where: { $0.mayBegin(with: byte, next) }) { return true }
      }
      return run > Self.leastBytes
    }
  }

  /// Where the key is, in order and without overlaps.
  private func spans(in bytes: [UInt8]) -> [Range<Int>] {
    let text = DecodedView(bytes)
    var spans = found(in: text)
    let plain = EscapeReader(bytes).plain(depth: EscapeReader.depth)
    for view in plain.bytes == bytes ? [text] : [text, plain] {
      view.eachDecoded(atLeast: shortest) { spans += found(in: $0) }
    }
    spans.sort { $0.lowerBound < $1.lowerBound }
    var joined: [Range<Int>] = []
    for span in spans {
      if let last = joined.last, span.lowerBound < last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
      } else {
        joined.append(span)
      }
    }
    return joined
  }

  private func found(in view: DecodedView) -> [Range<Int>] {
    let reader = EscapeReader(view.bytes)
    var spans: [Range<Int>] = []
    for search in searches {
      var position = 0
      while position < view.bytes.count {
        if let end = search.end(ofKeyAt: position, in: reader, endIsCut: view.endIsCut) {
          spans.append(view.source(of: position..<end))
          position = end
        } else {
          position += 1
        }
      }
    }
    return spans
  }
}

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

/// A text as it is, or as something in it says when it is decoded, and where in the text each byte comes from.
struct DecodedView {
  let bytes: [UInt8]
  /// Nil for the text itself.
  private let source: [Range<Int>]?
  /// Where in the text what it was made of ends; bits that make no byte are behind its last one.
  private let sourceEnd: Int?
  /// Whether its end is the text's end, or an offset where the text was cut.
  let endIsCut: Bool

  init(bytes: [UInt8], source: [Range<Int>]?, sourceEnd: Int? = nil, endIsCut: Bool) {
    self.bytes = bytes
    self.source = source
    self.sourceEnd = sourceEnd
    self.endIsCut = endIsCut
  }

  /// The text itself.
  init(_ bytes: [UInt8]) { self.init(bytes: bytes, source: nil, endIsCut: true) }

  /// What of the text a part of the view comes from.
  func source(of range: Range<Int>) -> Range<Int> {
    guard let source, let last = range.last else { return range }
    let end = range.upperBound == bytes.count && endIsCut ? sourceEnd : nil
    return source[range.lowerBound].lowerBound..<(end ?? source[last].upperBound)
  }

  /// What the runs of base64 and of hexadecimal digits in it say, wherever in them it begins.
  ///
  /// - Parameter count: fewer bytes are of no interest, unless they are at the end, where the rest may be cut off.
  func eachDecoded(atLeast count: Int, _ body: (DecodedView) -> Void) {
    for coding in [Coding.base64, .hex] {
      for run in runs(of: coding, atLeast: count) {
        for phase in 0..<coding.group where run.offsets.count - phase >= coding.characters(of: Redactor.leastBytes) {
          body(decoded(run, coding, phase: phase))
        }
      }
    }
  }

  private struct Run {
    /// Where the characters are in the view; line breaks between them are left out.
    var offsets: [Int] = []
    var endIsCut = false
  }

  private func runs(of coding: Coding, atLeast count: Int) -> [Run] {
    let reader = EscapeReader(bytes)
    var runs: [Run] = []
    var run = Run()
    func finish(at position: Int) {
      run.endIsCut = endIsCut && position >= bytes.count || reader.isCut(at: position, endIsCut: endIsCut)
      let least = coding.characters(of: run.endIsCut ? Redactor.leastBytes : count)
      if run.offsets.count >= least { runs.append(run) }
      run = Run()
    }
    for (position, byte) in bytes.enumerated() {
      if coding.value(byte) != nil {
        run.offsets.append(position)
      } else if !run.offsets.isEmpty, byte != 0x0A, byte != 0x0D {
        finish(at: position)
      }
    }
    if !run.offsets.isEmpty { finish(at: bytes.count) }
    return runs
  }

  private func decoded(_ run: Run, _ coding: Coding, phase: Int) -> DecodedView {
    var result: [UInt8] = []
    var origin: [Range<Int>] = []
    var bits: UInt32 = 0
    var count = 0
    for (index, offset) in run.offsets.enumerated().dropFirst(phase) {
      bits = bits << UInt32(coding.bits) | (coding.value(bytes[offset]) ?? 0)
      count += coding.bits
      guard count >= 8 else { continue }
      count -= 8
      result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      // The characters that have bits of this byte: the last one, and one or two before it.
      let first = run.offsets[index - (7 + count) / coding.bits]
      origin.append(source(of: first..<first + 1).lowerBound..<source(of: offset..<offset + 1).upperBound)
    }
    let end = run.offsets.last.map { source(of: $0..<$0 + 1).upperBound }
    return DecodedView(bytes: result, source: origin, sourceEnd: end, endIsCut: run.endIsCut)
  }
}

extension UInt8 {
  /// Whether it is a character of base64, in either alphabet.
  var isBase64: Bool { Coding.base64.value(self) != nil }
}

/// A way to write bytes as letters and digits.
private enum Coding {
  /// Of either alphabet.
  case base64
  case hex

  /// Bits of a character.
  var bits: Int { self == .base64 ? 6 : 4 }

  /// The number of characters that make whole bytes.
  var group: Int { self == .base64 ? 4 : 2 }

  /// The least number of characters that hold `count` bytes, wherever they begin.
  func characters(of count: Int) -> Int { (count * 8 + bits - 1) / bits }

  func value(_ byte: UInt8) -> UInt32? {
    if self == .hex { return byte.hexValue }
    switch byte {
    case 0x41...0x5A: return UInt32(byte) - 0x41
    case 0x61...0x7A: return UInt32(byte) - 0x61 + 26
    case 0x30...0x39: return UInt32(byte) - 0x30 + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): return 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): return 63
    default: return nil
    }
  }
}
