/// One value of a text, or one key: what it is and where it stands.
struct JSONToken {
  enum Kind: UInt8 {
    case null, `false`, `true`, integer, unsigned, double, string, array, object
  }

  /// Byte offsets in the text, quotes and brackets included, the end exclusive.
  var start: UInt32
  var end: UInt32
  /// A number's bits. Of an array or object, the index of the token that follows it and all that stands in it.
  var payload: UInt64 = 0
  var kind: Kind
  /// A string with a backslash in it.
  var isEscaped = false

  init(_ kind: Kind, start: Int, end: Int) {
    self.kind = kind
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
  }

  var range: Range<Int> { Int(start)..<Int(end) }
}
