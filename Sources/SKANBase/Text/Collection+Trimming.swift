extension BidirectionalCollection {
  /// The collection without the elements at its end that meet a condition.
  package func trimmingSuffix(while isTrimmed: (Element) -> Bool) -> SubSequence {
    var end = endIndex
    while end > startIndex {
      let last = index(before: end)
      guard isTrimmed(self[last]) else { break }
      end = last
    }
    return self[..<end]
  }

  /// The collection without the elements at either end that meet a condition.
  package func trimming(while isTrimmed: (Element) -> Bool) -> SubSequence {
    drop(while: isTrimmed).trimmingSuffix(while: isTrimmed)
  }
}
