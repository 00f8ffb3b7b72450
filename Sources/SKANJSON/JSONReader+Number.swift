extension JSONReader {
  /// A number by the standard's grammar. Without fraction and exponent, and within 64 bits, it is an integer.
  mutating func number() throws(JSONError) -> JSONNode.Content {
    let start = position
    var isInteger = true
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    guard position < bytes.count else { throw error(.unexpectedEnd) }
    if bytes[position] == UInt8(ascii: "0") {
      position += 1
      if position < bytes.count, isDigit(bytes[position]) { throw error(.badNumber) }
    } else {
      try digits()
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      try digits()
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      position += 1
      if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
        position += 1
      }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, !(dialect.keepsMinusZero && text == "-0") {
      if let integer = Int64(text) { return .integer(integer) }
      if let unsigned = UInt64(text) { return .unsigned(unsigned) }
    }
    guard let double = Double(text), double.isFinite else {
      throw JSONError(problem: .numberTooLarge, offset: start)
    }
    return .double(double)
  }

  private mutating func digits() throws(JSONError) {
    guard position < bytes.count else { throw error(.unexpectedEnd) }
    guard isDigit(bytes[position]) else { throw error(.badNumber) }
    while position < bytes.count, isDigit(bytes[position]) { position += 1 }
  }

  private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
