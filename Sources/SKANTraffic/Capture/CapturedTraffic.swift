import SKANBase
import SKANDevice
import SKANSystem
import SKANRun

/// The requests of one or more captures, in order of time.
///
/// Every request to Singular is set aside until all captures are read: exporters do not write them in order. What does not
/// fit into a few megabytes is in a temporary file without a name; in memory are 40 bytes of each.
package struct CapturedTraffic {
  private struct Entry {
    /// The time that orders it, in microseconds; those without one are the first.
    var at: Int64
    /// In the spool.
    var offset: Int
    var count: UInt32
    /// An index into ``files``.
    var file: UInt32
    var number: UInt32
    var line: UInt32
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
    if request.location.file != files.last || request.location.entry <= entries.last.map({ Int($0.number) }) ?? 0 {
      files.append(request.location.file)
      last = nil
    }
    let recorded = request.recordedAt ?? request.at
    let isLater = recorded.map { at in last.map { at > $0 } ?? true } ?? false
    if format != .journal || isLater { last = recorded ?? last }
    do throws(FileError) {
      let range = try spool.append([UInt8](writing: request.write))
      entries.append(
        Entry(
          at: last?.microseconds ?? .min, offset: range.lowerBound, count: UInt32(range.count),
          file: UInt32(files.count - 1), number: UInt32(request.location.entry), line: UInt32(request.location.line)))
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
    var order = entries.indices.map { UInt32($0) }
    order.sort { left, right in
      let (one, other) = (entries[Int(left)].at, entries[Int(right)].at)
      return one != other ? one < other : left < right
    }
    return OrderedTraffic(traffic: self, order: order)
  }

  fileprivate func request(_ index: UInt32) throws(FileError) -> CapturedRequest {
    let entry = entries[Int(index)]
    let bytes = try spool.read(entry.offset..<entry.offset + Int(entry.count))
    guard let request = bytes.reading({ CapturedRequest(from: &$0, at: location(index)) }) else {
      throw FileError(.read, "a temporary file", .inputOutput)
    }
    return request
  }

  fileprivate func location(_ index: UInt32) -> CaptureLocation {
    let entry = entries[Int(index)]
    return CaptureLocation(file: files[Int(entry.file)], entry: Int(entry.number), line: Int(entry.line))
  }

  /// The index of the request at a location; files and their entries are in order.
  fileprivate func index(of location: CaptureLocation) -> UInt32? {
    files.indices.lazy.filter { files[$0] == location.file }.compactMap { file in
      var (low, high) = (0, entries.count)
      while low < high {
        let middle = (low + high) / 2
        let isBefore = (Int(entries[middle].file), Int(entries[middle].number)) < (file, location.entry)
        (low, high) = isBefore ? (middle + 1, high) : (low, middle)
      }
      return low < entries.count && entries[low].file == UInt32(file) && Int(entries[low].number) == location.entry
        ? UInt32(low) : nil
    }.first
  }
}

/// Captured requests in order of time, read back one by one.
package struct OrderedTraffic {
  fileprivate let traffic: CapturedTraffic
  /// The indexes of the requests.
  fileprivate let order: [UInt32]

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

  /// Visits the requests part by part, those of a part in their order.
  ///
  /// - Parameters:
  ///   - parts: for each request in its order the number of its part; parts are visited in the order of their numbers.
  ///   - end: is called behind the last request of each part.
  /// - Throws: what the visitor throws, and why a request cannot be read back.
  package func forEach<Failure: Error>(
    in parts: [UInt32], _ failed: (FileError) -> Failure, _ visit: (CapturedRequest) throws(Failure) -> Void,
    end: () throws(Failure) -> Void
  ) throws(Failure) {
    // Where the requests of each part begin, and then where the next of them goes.
    var starts = [UInt32](repeating: 0, count: Int(parts.max() ?? 0) + 2)
    for part in parts { starts[Int(part) + 1] += 1 }
    for part in starts.indices.dropFirst() { starts[part] += starts[part - 1] }
    var sorted = order
    for (index, part) in zip(order, parts) {
      sorted[Int(starts[Int(part)])] = index
      starts[Int(part)] += 1
    }
    // Now each part begins where the one before it ends.
    var position = 0
    for stop in starts.dropLast() where Int(stop) > position {
      try OrderedTraffic(traffic: traffic, order: Array(sorted[position..<Int(stop)])).forEach(failed, visit)
      try end()
      position = Int(stop)
    }
  }

  /// The index of the request at a location, which is smaller than the location; nil when none was there.
  func index(of location: CaptureLocation) -> UInt32? { traffic.index(of: location) }

  /// The request of an index.
  func request(_ index: UInt32) throws(FileError) -> CapturedRequest { try traffic.request(index) }

  /// The location of the request of an index.
  func location(_ index: UInt32) -> CaptureLocation { traffic.location(index) }
}
