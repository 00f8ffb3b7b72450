import SKANDevice
import SKANStorage

/// The requests of one or more captures, in order of time.
///
/// Every request to Singular is set aside until all captures are read: exporters do not write them in order. What does not
/// fit into a few megabytes is in a temporary file without a name; in memory are some 60 bytes of each.
package struct CapturedTraffic {
  private struct Entry {
    /// The time that orders it.
    var at: Instant?
    /// In the spool.
    var offset: Int
    var count: UInt32
    /// An index into ``files``.
    var file: UInt32
    var number: Int
    var line: Int
  }

  private let spool: SpoolFile
  private var files: [String] = []
  /// In the order in which they were added.
  private var entries: [Entry] = []
  /// The time of the last request of the file that is read.
  private var last: Instant?
  /// Why a request could not be set aside.
  private var failure: FileError?

  /// No request yet.
  package init(spool: SpoolFile = SpoolFile()) { self.spool = spool }

  /// Adds the next request of a file. One without a time goes by the request before it.
  ///
  /// - Parameter format: the lines of a journal are in the order in which the requests came, and their times are the
  ///   phones' own, whose clocks can be set back: there the order of the file stays.
  package mutating func append(_ request: CapturedRequest, of format: CaptureFormat) {
    guard failure == nil else { return }
    // The same file may be given twice.
    if request.location.file != files.last || request.location.entry <= entries.last?.number ?? 0 {
      files.append(request.location.file)
      last = nil
    }
    let recorded = request.recordedAt ?? request.at
    let isLater = recorded.map { at in last.map { at > $0 } ?? true } ?? false
    if format != .journal || isLater { last = recorded ?? last }
    do throws(FileError) {
      let range = try spool.append(PackedRequest(request).bytes)
      entries.append(
        Entry(
          at: last, offset: range.lowerBound, count: UInt32(range.count), file: UInt32(files.count - 1),
          number: request.location.entry, line: request.location.line))
    } catch {
      failure = error
    }
  }

  /// The requests in order of time; those of the same time in the order in which they were added.
  ///
  /// - Throws: why a request could not be set aside.
  package func ordered() throws(FileError) -> OrderedTraffic {
    if let failure { throw failure }
    // The library's sort is stable, which is not promised: the index decides.
    let order = entries.indices.sorted { left, right in
      switch (entries[left].at, entries[right].at) {
      case (let one?, let other?) where one != other: one < other
      case (nil, _?): true
      case (_?, nil): false
      default: left < right
      }
    }
    return OrderedTraffic(traffic: self, order: order)
  }

  fileprivate func request(_ index: Int) throws(FileError) -> CapturedRequest {
    let entry = entries[index]
    var packed = PackedRequest(bytes: try spool.read(entry.offset..<entry.offset + Int(entry.count)))
    return packed.request(
      at: CaptureLocation(file: files[Int(entry.file)], entry: entry.number, line: entry.line))
  }

  /// The index of the request at a location; files and their entries are in order.
  fileprivate func index(of location: CaptureLocation) -> Int? {
    files.indices.lazy.filter { files[$0] == location.file }.compactMap { file in
      var (low, high) = (0, entries.count)
      while low < high {
        let middle = (low + high) / 2
        let isBefore = (Int(entries[middle].file), entries[middle].number) < (file, location.entry)
        (low, high) = isBefore ? (middle + 1, high) : (low, middle)
      }
      return low < entries.count && entries[low].file == UInt32(file) && entries[low].number == location.entry
        ? low : nil
    }.first
  }
}

/// Captured requests in order of time, read back one by one.
package struct OrderedTraffic {
  fileprivate let traffic: CapturedTraffic
  fileprivate let order: [Int]

  /// Visits the requests in their order.
  ///
  /// - Throws: what the visitor throws, and why a request cannot be read back.
  package func forEach<Failure: Error>(
    _ failed: (FileError) -> Failure, _ visit: (CapturedRequest) throws(Failure) -> Void
  ) throws(Failure) {
    for index in order {
      let request: CapturedRequest
      do throws(FileError) { request = try traffic.request(index) } catch { throw failed(error) }
      try visit(request)
    }
  }

  /// The request at a location; nil when none was there.
  package func request(at location: CaptureLocation) throws(FileError) -> CapturedRequest? {
    guard let index = traffic.index(of: location) else { return nil }
    return try traffic.request(index)
  }
}
