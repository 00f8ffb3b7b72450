/// Removes the SDK key from texts, in any encoding in which it may appear.
///
/// The search covers a text as it is, and the decoded form of its runs of base64 and hexadecimal digits. In each of
/// these views ``KeySearch`` finds the key whichever of its characters are escaped and however, and also if the text is
/// truncated within the key or the key's last characters are missing.
package struct Redactor: Sendable {
  private let searches: [KeySearch]
  /// The length in bytes of the shortest text that counts as the key. A shorter run of base64 cannot contain one.
  private let shortest: Int

  /// The minimum length of a key in bytes. A shorter one would redact ordinary words.
  static let leastBytes = 4
  private static let mark = Array("REDACTED".utf8)

  /// - Parameter key: the SDK key; nil, or a key that is too short, is found nowhere.
  package init(key: String?) { self.init(keys: key.map { [$0] } ?? []) }

  package init(keys: [String]) {
    var known: [[UInt8]] = []
    for key in keys {
      var next = Array(key.utf8)
      // A server may decode a key that itself looks encoded once too often.
      for _ in 0...EscapeReader.depth where next.count >= Self.leastBytes && !known.contains(next) {
        known.append(next)
        next = EscapeReader(next).plain(depth: 1).bytes
      }
    }
    searches = known.map { KeySearch(key: $0) }
    shortest = searches.map(\.leastBeginning).min() ?? 0
  }

  /// Whether there is no key to remove.
  package var isEmpty: Bool { searches.isEmpty }

  package func redacted(_ text: String) -> String {
    guard !isEmpty else { return text }
    let bytes = Array(text.utf8)
    let result = redacted(bytes)
    return result == bytes ? text : String(decoding: result, as: UTF8.self)
  }

  package func redacted(_ bytes: [UInt8]) -> [UInt8] {
    guard !isEmpty, mayHold(bytes) else { return bytes }
    let spans = spans(in: bytes)
    return spans.isEmpty ? bytes : bytes.replacing(spans, with: Self.mark)
  }

  /// The least size in bytes of the parts of a document in which the key is searched for; their memory is a multiple of
  /// it.
  private static let partSize = 1 << 16

  /// A whole document without the key, such as a file or the lines that a command prints. JSON stays JSON: a number
  /// with the key in it becomes a text.
  ///
  /// - Parameter keepsNumbers: whether numbers of JSON stay numbers, in a file that the program reads again.
  package func redacted(document bytes: [UInt8], keepsNumbers: Bool = false) -> [UInt8] {
    guard !isEmpty, mayHold(bytes) else { return bytes }
    let isJSON = bytes.first == UInt8(ascii: "{")
    var result: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(upTo: Self.endOfPart(rest)))
      rest = rest.dropFirst(part.count)
      let spans = spans(in: part)
      if spans.isEmpty {
        result += part
      } else if isJSON {
        result += Self.replacing(spans, inJSON: part, keepsNumbers: keepsNumbers)
      } else {
        result += part.replacing(spans, with: Self.mark)
      }
    }
    return result
  }

  /// The end of the first part of a document: a line end that no base64 continues.
  private static func endOfPart(_ bytes: ArraySlice<UInt8>) -> Int {
    var position = bytes.startIndex + partSize
    while position < bytes.endIndex {
      if bytes[position - 1] == UInt8(ascii: "\n"), !bytes[position].isBase64 { return position }
      position += 1
    }
    return bytes.endIndex
  }

  /// JSON, which begins outside of its texts, with these spans replaced.
  private static func replacing(_ spans: [Range<Int>], inJSON bytes: [UInt8], keepsNumbers: Bool) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    var isInText = false
    for span in spans where span.upperBound > position {
      while position < span.lowerBound {
        let byte = bytes[position]
        result.append(byte)
        position += 1
        if byte == UInt8(ascii: "\"") { isInText.toggle() }
        if isInText, byte == UInt8(ascii: "\\"), position < span.lowerBound {
          result.append(bytes[position])
          position += 1
        }
      }
      if isInText {
        result += mark
        position = span.upperBound
      } else if !keepsNumbers {
        while let last = result.last, last.isOfJSONScalar { result.removeLast() }
        position = span.upperBound
        while position < bytes.count, bytes[position].isOfJSONScalar { position += 1 }
        result += [UInt8(ascii: "\"")] + mark + [UInt8(ascii: "\"")]
      }
    }
    return result + bytes[position...]
  }

  /// A fast check without false negatives: most texts hold no key, and a replay checks each of its steps.
  private func mayHold(_ bytes: [UInt8]) -> Bool {
    let least = shortest * 4 / 3
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      var run = 0
      for position in bytes.indices {
        let byte = unsafe bytes[position]
        if EscapeReader.begins(byte) { return true }
        // Hexadecimal digits are base64 characters too. Line breaks between them do not end a run.
        if byte.isBase64 || byte == 0x0A || byte == 0x0D {
          run += 1
          if run >= least { return true }
        } else {
          // This may be an ellipsis, where the rest is cut off.
          if run > Self.leastBytes, byte == UInt8(ascii: ".") || byte == 0xE2 { return true }
          run = 0
        }
        let next = unsafe position + 1 < bytes.count ? bytes[position + 1] : byte
        if searches.contains(where: { $0.mayBegin(with: byte, next) }) { return true }
      }
      return run > Self.leastBytes
    }
  }

  /// The ranges of the key, in order and without overlaps.
  private func spans(in bytes: [UInt8]) -> [Range<Int>] {
    let text = DecodedView(bytes)
    var spans = found(in: text)
    var views = [text]
    if bytes.contains(where: EscapeReader.begins) {
      let plain = EscapeReader(bytes).plain(depth: EscapeReader.depth)
      if plain.bytes != bytes { views.append(plain) }
    }
    for view in views {
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
      var next = search.possibleStart(in: view.bytes, from: 0)
      while let position = next {
        var end = position + 1
        if let keyEnd = search.end(ofKeyAt: position, in: reader, endIsCut: view.endIsCut) {
          spans.append(view.source(of: position..<keyEnd))
          end = keyEnd
        }
        next = search.possibleStart(in: view.bytes, from: end)
      }
    }
    return spans
  }
}

/// Finds one key in a text in which any character may be escaped, letters may have either case, and invisible
/// characters may stand between them.
struct KeySearch: Sendable {
  let key: [UInt8]
  /// The number of leading bytes that count as the key where the text is truncated. Fewer could be the beginning of an
  /// ordinary word.
  private var leastPart: Int { max(Redactor.leastBytes, min(6, (key.count + 1) / 2)) }

  /// For each byte, whether the key can begin with it: it is the first one, in either case, or may begin its escape.
  private let beginnings: [Bool]

  init(key: [UInt8]) {
    self.key = key
    beginnings = (0...UInt8.max).map { Self.isSame($0, key[0]) || EscapeReader.begins($0) }
  }

  /// The first offset from `start` on at which the key can begin; nil if there is none.
  func possibleStart(in bytes: [UInt8], from start: Int) -> Int? {
    unsafe beginnings.withUnsafeBufferPointer { beginnings in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        var position = start
        while position < bytes.count {
          if unsafe beginnings[Int(bytes[position])] { return position }
          position += 1
        }
        return nil
      }
    }
  }

  /// The number of leading bytes that count as the key anywhere: all but a quarter, or all but three bytes of a short
  /// key.
  var leastBeginning: Int { min(key.count, max(8, min(key.count - 3, key.count * 3 / 4))) }

  /// The end of the key that begins at an offset; nil if none begins there.
  ///
  /// A character of the key can also be the beginning of an escape, so every reading is followed to its end.
  ///
  /// - Parameter endIsCut: whether the text may be truncated at its end, so that a part of the key there counts as the
  ///   key.
  func end(ofKeyAt start: Int, in reader: EscapeReader, endIsCut: Bool) -> Int? {
    guard beginnings[Int(reader.bytes[start])] else { return nil }
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
        // Two readings can meet again only after they have diverged.
        if count == 1 || seen.insert([next.0, next.1]).inserted { states.append(next) }
      }
      if count == 0, known > 0, let (next, isLineEnd) = reader.end(ofUnseenAt: position) {
        // A line end is no truncation: either the key continues behind it, or this was another word.
        states.append((known, next, !isLineEnd))
        continue
      }
      if count == 0, known >= leastPart, let end = reader.end(ofCutEscapeAt: position, endIsCut: endIsCut) {
        best = max(best ?? 0, end)
      }
    }
    return best
  }

  /// Whether the key can begin with these two bytes, the second of which may begin an escape or an invisible character.
  func mayBegin(with byte: UInt8, _ next: UInt8) -> Bool {
    Self.isSame(byte, key[0]) && (Self.isSame(next, key[1]) || EscapeReader.begins(next) || next < 0x20 || next >= 0x80)
  }

  private func matches(_ unit: EscapeReader.Unit, at known: Int) -> Bool {
    guard known + unit.count <= key.count else { return false }
    return (0..<unit.count).allSatisfy { Self.isSame(unit[$0], key[known + $0]) }
  }

  /// Compares two bytes, ignoring case and the difference between a space and `+`. Queries write a space as `+`, so
  /// decoding turns a `+` of the key into a space. Host and header names are lowercased, and a log may use capitals.
  private static func isSame(_ byte: UInt8, _ other: UInt8) -> Bool {
    byte == other || byte.isSpaceOrPlus && other.isSpaceOrPlus
      || byte | 0x20 == other | 0x20 && byte.isASCIILetter && other.isASCIILetter
  }
}

extension UInt8 {
  /// Whether the byte may be in a number, or in `true`, `false` or `null`.
  fileprivate var isOfJSONScalar: Bool { isASCIILetterOrDigit || "+-.".utf8.contains(self) }

  fileprivate var isSpaceOrPlus: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "+") }
}

/// A text, or the decoded form of a part of it, with the range in the text that each byte comes from.
struct DecodedView {
  /// Where the bytes come from.
  private enum Origin {
    /// They are those of the text.
    case text
    /// The range of the text for each byte.
    case ranges([Range<Int>])
    /// The characters of a run in another view, from a phase on.
    indirect case run(Run, Coding, phase: Int, of: DecodedView)
  }

  let bytes: [UInt8]
  private let origin: Origin
  /// Whether the view's end is the text's end, or a place where the text was truncated.
  let endIsCut: Bool

  /// The view of an unencoded text.
  init(_ bytes: [UInt8]) { (self.bytes, origin, endIsCut) = (bytes, .text, true) }

  /// - Parameter source: the range of the text for each byte.
  init(bytes: [UInt8], source: [Range<Int>]) { (self.bytes, origin, endIsCut) = (bytes, .ranges(source), true) }

  private init(_ run: Run, _ coding: Coding, phase: Int, of view: DecodedView) {
    bytes = view.decoded(run, coding, phase: phase)
    origin = .run(run, coding, phase: phase, of: view)
    endIsCut = run.endIsCut
  }

  /// The range of the text that a part of the view comes from; a part has at least one byte.
  func source(of range: Range<Int>) -> Range<Int> {
    switch origin {
    case .text: return range
    case .ranges(let source): return source[range.lowerBound].lowerBound..<source[range.upperBound - 1].upperBound
    case .run(let run, let coding, let phase, let view):
      let first = phase + range.lowerBound * 8 / coding.bits
      let last = phase + (range.upperBound * 8 - 1) / coding.bits
      // Trailing bits that make no whole byte lie between the last byte and the end of a truncated run.
      let end = range.upperBound == bytes.count && endIsCut ? run.offsets.count - 1 : last
      return view.source(of: run.offsets[first]..<run.offsets[end] + 1)
    }
  }

  /// Decodes each run of base64 or hexadecimal digits, starting at each possible phase.
  ///
  /// - Parameter count: the minimum length of a run in decoded bytes. A truncated run may be shorter.
  func eachDecoded(atLeast count: Int, _ body: (DecodedView) -> Void) {
    for coding in [Coding.base64, .hex] {
      for run in runs(of: coding, atLeast: count) {
        for phase in 0..<coding.group where run.offsets.count - phase >= coding.characters(of: Redactor.leastBytes) {
          body(DecodedView(run, coding, phase: phase, of: self))
        }
      }
    }
  }

  private struct Run {
    /// The offsets of the characters in the view. Line breaks between them are left out.
    let offsets: [Int]
    let endIsCut: Bool
  }

  private func runs(of coding: Coding, atLeast count: Int) -> [Run] {
    let reader = EscapeReader(bytes)
    let leastCut = coding.characters(of: Redactor.leastBytes)
    var runs: [Run] = []
    var offsets: [Int] = []
    func finish(at position: Int) {
      if offsets.count >= leastCut {
        let isCut = endIsCut && position >= bytes.count || reader.isCut(at: position, endIsCut: endIsCut)
        if isCut || offsets.count >= coding.characters(of: count) {
          runs.append(Run(offsets: offsets, endIsCut: isCut))
        }
      }
      offsets = []
    }
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe coding.values.withUnsafeBufferPointer { values in
        var position = 0
        while position < bytes.count {
          let byte = unsafe bytes[position]
          if unsafe values[Int(byte)] != Coding.none {
            offsets.append(position)
          } else if !offsets.isEmpty, byte != 0x0A, byte != 0x0D {
            finish(at: position)
          }
          position += 1
        }
      }
    }
    finish(at: bytes.count)
    return runs
  }

  /// The whole bytes of a run.
  private func decoded(_ run: Run, _ coding: Coding, phase: Int) -> [UInt8] {
    let (values, width) = (coding.values, coding.bits)
    var result: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    var index = phase
    while index < run.offsets.count {
      bits = bits << UInt32(width) | UInt32(values[Int(bytes[run.offsets[index]])])
      index += 1
      count += width
      guard count >= 8 else { continue }
      count -= 8
      result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return result
  }
}

extension UInt8 {
  /// Whether the byte is a base64 character, in the standard or the URL-safe alphabet.
  var isBase64: Bool { Coding.base64.values[Int(self)] != Coding.none }
}

/// An encoding of bytes as letters and digits.
private enum Coding {
  /// In the standard or the URL-safe alphabet.
  case base64
  case hex

  /// The number of bits in a character.
  var bits: Int { self == .base64 ? 6 : 4 }

  /// The number of characters after which whole bytes repeat.
  var group: Int { self == .base64 ? 4 : 2 }

  /// The number of characters that `count` bytes take.
  func characters(of count: Int) -> Int { (count * 8 + bits - 1) / bits }

  /// The value of a byte that is no character.
  static let none = UInt8.max
  /// The value of each byte as a character.
  var values: [UInt8] { self == .hex ? Self.hexValues : Self.base64Values }

  private static let hexValues = (0...UInt8.max).map { $0.hexValue.map(UInt8.init) ?? none }
  private static let base64Values = (0...UInt8.max).map { byte -> UInt8 in
    switch byte {
    case 0x41...0x5A: byte - 0x41
    case 0x61...0x7A: byte - 0x61 + 26
    case 0x30...0x39: byte - 0x30 + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: none
    }
  }
}
