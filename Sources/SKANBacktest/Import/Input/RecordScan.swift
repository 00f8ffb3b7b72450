import SKANBase

/// Finds where records end in a text that begins with a record: a line end in quotes is part of a field.
///
/// A quote opens a field only at its beginning; another one is a character as any other, as exports have it.
@safe struct RecordScan {
  /// Behind the last record that is complete; 0 where none is.
  private(set) var end = 0
  /// Where the quote is that is still open at the end of the text, if one is.
  private(set) var openQuote: Int?

  /// - Parameter separator: nil where quotes mean nothing, as in JSON Lines.
  init(_ text: UnsafeBufferPointer<UInt8>, separator: UInt8?) {
    guard let start = text.baseAddress else { return }
    guard let separator else {
      end = unsafe Self.behindLastLineEnd(start, 0, text.count) ?? 0
      return
    }
    let quote = UInt8(ascii: "\"")
    var plain = 0
    var position = 0
    while true {
      guard let step = unsafe (start + position).offset(of: quote, within: text.count - position) else {
        end = unsafe Self.behindLastLineEnd(start, plain, text.count) ?? end
        return
      }
      let opening = position + step
      let before = unsafe opening == 0 ? UInt8(ascii: "\n") : start[opening - 1]
      if before != separator, before != UInt8(ascii: "\n") {
        position = opening + 1
        continue
      }
      end = unsafe Self.behindLastLineEnd(start, plain, opening) ?? end
      guard let closing = unsafe Self.closing(start, opening, text.count) else {
        openQuote = opening
        return
      }
      plain = closing + 1
      position = plain
    }
  }

  /// The quote that closes a field; nil when it is not in the text. One that is the last byte may be half of two, which is
  /// seen when the text goes on: the record does not end there, and is read again.
  @inline(__always)
  private static func closing(_ start: UnsafePointer<UInt8>, _ opening: Int, _ count: Int) -> Int? {
    let quote = UInt8(ascii: "\"")
    var position = opening + 1
    while let step = unsafe (start + position).offset(of: quote, within: count - position) {
      position += step
      if unsafe position + 1 >= count || start[position + 1] != quote { return position }
      position += 2
      if position >= count { return nil }
    }
    return nil
  }

  @inline(__always)
  private static func behindLastLineEnd(_ start: UnsafePointer<UInt8>, _ from: Int, _ to: Int) -> Int? {
    var position = to
    while position > from {
      if unsafe start[position - 1] == UInt8(ascii: "\n") { return position }
      position -= 1
    }
    return nil
  }

  /// How many line ends a text has.
  static func lineEnds(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
    var (lines, position) = (0, 0)
    let lineEnd = SIMD16<UInt8>(repeating: UInt8(ascii: "\n"))
    while position + 16 <= count {
      // A lane counts to 255.
      let end = min(count - 15, position + 255 * 16)
      var counts = SIMD16<UInt8>()
      while position < end {
        let bytes = unsafe UnsafeRawPointer(start + position).loadUnaligned(as: SIMD16<UInt8>.self)
        counts &+= SIMD16<UInt8>().replacing(with: 1, where: bytes .== lineEnd)
        position += 16
      }
      for lane in counts.indices { lines &+= Int(counts[lane]) }
    }
    while position < count {
      lines &+= unsafe start[position] == UInt8(ascii: "\n") ? 1 : 0
      position += 1
    }
    return lines
  }
}
