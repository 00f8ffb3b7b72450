extension HTTPRequestParser {
  /// The parts of `name: value`, blanks around the value aside.
  func field(
    _ range: Range<Int>
  ) throws(HTTPFailure) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
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
    return (line[..<colon], value)
  }
}
