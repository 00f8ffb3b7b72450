import SKANDevice

/// The requests of one or more captures, in order of time.
///
/// Every request to Singular is kept until all captures are read: exporters do not write them in order. Memory therefore
/// grows with those requests, about two kilobytes each, and not with the captures.
package struct CapturedTraffic: Sendable {
  private var entries: [(request: CapturedRequest, at: Instant?)] = []
  /// The time of the last request of the file that is read.
  private var last: Instant?

  /// No request yet.
  package init() {}

  /// How many there are.
  package var count: Int { entries.count }

  /// Adds the next request of a file. One without a time goes by the request before it.
  ///
  /// - Parameter format: the lines of a journal are in the order in which the requests came, and their times are the
  ///   phones' own, whose clocks can be set back: there the order of the file stays.
  package mutating func append(_ request: CapturedRequest, of format: CaptureFormat) {
    if request.location.file != entries.last?.request.location.file { last = nil }
    let isLater = request.at.map { at in last.map { at > $0 } ?? true } ?? false
    if format != .journal || isLater { last = request.at ?? last }
    entries.append((request, last))
  }

  /// The requests in order of time; those of the same time in the order in which they were added.
  package consuming func sorted() -> [CapturedRequest] {
    // The library's sort is stable, which is not promised: the index decides.
    let order = entries.indices.sorted { left, right in
      switch (entries[left].at, entries[right].at) {
      case (let one?, let other?) where one != other: one < other
      case (nil, _?): true
      case (_?, nil): false
      default: left < right
      }
    }
    return order.map { entries[$0].request }
  }
}
