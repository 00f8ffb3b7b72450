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
