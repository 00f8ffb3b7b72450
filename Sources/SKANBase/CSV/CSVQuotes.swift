/// Whether a line end is inside the quotes of a field.
struct CSVQuotes {
  private enum State {
    case atFieldStart, inPlainField, inQuotes
    /// A second quote opens them again, as an escaped one.
    case behindQuotes
  }

  private var state = State.atFieldStart
  /// Where the quotes began, in the record.
  private(set) var beginning = 0

  var areOpen: Bool { state == .inQuotes }

  /// Reads on in the record, at an offset in it.
  mutating func scan(_ piece: ArraySlice<UInt8>, from offset: Int) {
    let quote = UInt8(ascii: "\"")
    if !areOpen, state != .behindQuotes, !piece.contains(quote) {
      if let last = piece.last { state = last == UInt8(ascii: ",") ? .atFieldStart : .inPlainField }
      return
    }
    for index in piece.indices {
      switch (state, piece[index]) {
      case (.atFieldStart, quote):
        state = .inQuotes
        beginning = offset + index - piece.startIndex
      case (.inQuotes, quote): state = .behindQuotes
      case (.behindQuotes, quote): state = .inQuotes
      case (.inQuotes, _): break
      case (_, UInt8(ascii: ",")): state = .atFieldStart
      default: state = .inPlainField
      }
    }
  }
}
