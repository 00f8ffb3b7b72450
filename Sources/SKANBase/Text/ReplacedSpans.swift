extension [UInt8] {
  /// The bytes with a mark in the place of each span; spans are in order and do not overlap.
  package func replacing(_ spans: [Range<Int>], with mark: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var position = 0
    for span in spans {
      result += self[position..<span.lowerBound]
      result += mark
      position = span.upperBound
    }
    return result + self[position...]
  }
}
