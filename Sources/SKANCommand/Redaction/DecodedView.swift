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
