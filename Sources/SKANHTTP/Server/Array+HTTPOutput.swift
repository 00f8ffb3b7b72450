// What an answer's head is made of.
extension [UInt8] {
  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }

  /// In decimal.
  mutating func append(_ number: Int) {
    append(contentsOf: String(number).utf8)
  }

  /// Text that must stay within its line: each control character becomes a space.
  mutating func append(line text: some Collection<UInt8>) {
    let start = count
    append(contentsOf: text)
    for index in start..<count where self[index].isControl { self[index] = .space }
  }
}
