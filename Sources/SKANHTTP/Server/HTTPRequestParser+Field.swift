extension HTTPRequestParser {
  /// `name: value`, blanks around the value aside.
  mutating func parseField(_ range: Range<Int>) throws(HTTPFailure) {
    let line = buffer[range]
    // A blank here is a folded line, or one that would be left out by some and read by others.
    if line.first?.isBlank == true { throw .foldedField }
    guard let colon = line.firstIndex(where: { !$0.isTokenByte }) else { throw .fieldWithoutColon }
    guard line[colon] == UInt8(ascii: ":") else {
      throw line.contains(UInt8(ascii: ":")) ? .illegalByte(line[colon], .fieldName) : .fieldWithoutColon
    }
    guard colon > range.lowerBound else { throw .fieldWithoutName }
    var value = line[(colon + 1)...]
    while value.first?.isBlank == true { value.removeFirst() }
    while value.last?.isBlank == true { value.removeLast() }
    head.slots.append(
      HTTPFields.Slot(
        name: (range.lowerBound - start)..<(colon - start),
        value: (value.startIndex - start)..<(value.endIndex - start)))
    try head.parse(value, of: line[..<colon])
  }
}
