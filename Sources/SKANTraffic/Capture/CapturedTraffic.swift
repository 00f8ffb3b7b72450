import SKANBase
import SKANDevice
import SKANSystem
import SKANRun

/// The requests of one or more captures, in order of time.
///
/// Every request to Singular is stored until all captures are read, because exporters do not write them in order.
/// Beyond a few megabytes they are stored in an unnamed temporary file; each request takes 40 bytes of memory.
package struct CapturedTraffic {
  private struct Entry {
    /// The time by which it is ordered, in microseconds; entries without a time are first.
    var at: Int64
    /// The offset in the spool.
    var offset: Int
    var count: UInt32
    /// An index into ``files``.
    var file: UInt32
    var number: UInt32
    var line: UInt32
  }

  private let spool: SpoolFile
  private var files: [String] = []
  /// The entries in the order in which they were added.
  private var entries: [Entry] = []
  /// The time of the last request of the current file.
  private var last: Instant?
  /// Why a request could not be stored.
  private var failure: FileError?

  package init(spool: SpoolFile = SpoolFile()) { self.spool = spool }

  /// Adds the next request of a file. A request without a time takes that of the request before it.
  ///
  /// - Parameter format: the format of the file. The lines of a journal are in the order of the requests, while their
  ///   times are the phones', whose clocks can be set back; so their order is kept.
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

  /// The requests in order of time; those with equal times in the order in which they were added.
  ///
  /// - Throws: why a request could not be stored.
  package func ordered() throws(FileError) -> OrderedTraffic {
    if let failure { throw failure }
    // The standard library does not guarantee a stable sort, so the index decides.
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

  /// The index of the request at a location, by binary search: files and their entries are in order.
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
  /// The indices of the requests.
  fileprivate let order: [UInt32]

  /// Visits the requests in order.
  ///
  /// - Throws: an error of the visitor, or why a request cannot be read back.
  package func forEach<Failure: Error>(
    _ failed: (FileError) -> Failure, _ visit: (CapturedRequest) throws(Failure) -> Void
  ) throws(Failure) {
    for index in order {
      let request: CapturedRequest
      do throws(FileError) { request = try traffic.request(index) } catch { throw failed(error) }
      try visit(request)
    }
  }

  /// Visits the requests part by part, each part in order.
  ///
  /// - Parameters:
  ///   - parts: the part number of each request, in order; parts are visited in numeric order.
  ///   - end: called after the last request of each part.
  /// - Throws: an error of the visitor, or why a request cannot be read back.
  package func forEach<Failure: Error>(
    in parts: [UInt32], _ failed: (FileError) -> Failure, _ visit: (CapturedRequest) throws(Failure) -> Void,
    end: () throws(Failure) -> Void
  ) throws(Failure) {
    // Where the requests of each part begin; then where the next one is placed.
    var starts = [UInt32](repeating: 0, count: Int(parts.max() ?? 0) + 2)
    for part in parts { starts[Int(part) + 1] += 1 }
    for part in starts.indices.dropFirst() { starts[part] += starts[part - 1] }
    var sorted = order
    for (index, part) in zip(order, parts) {
      sorted[Int(starts[Int(part)])] = index
      starts[Int(part)] += 1
    }
    // Now these are the ends of the parts.
    var position = 0
    for stop in starts.dropLast() where Int(stop) > position {
      try OrderedTraffic(traffic: traffic, order: Array(sorted[position..<Int(stop)])).forEach(failed, visit)
      try end()
      position = Int(stop)
    }
  }

  /// The index of the request at a location, which is smaller than the location; nil if there is none.
  func index(of location: CaptureLocation) -> UInt32? { traffic.index(of: location) }

  /// The request at an index.
  func request(_ index: UInt32) throws(FileError) -> CapturedRequest { try traffic.request(index) }

  /// The location of the request at an index.
  func location(_ index: UInt32) -> CaptureLocation { traffic.location(index) }
}
