import SKANHTTP
import SKANRun
import SKANBase

/// Reads captures of any size: of a HAR one entry at a time is kept, of other forms one line.
///
///     var reader = CaptureReader(hosts: TrafficHosts(), zone: nil) { traffic.append($0, of: $1) }
///     try reader.read(source, file: "capture.har")
package struct CaptureReader {
  /// As much is looked at to recognise a form.
  private static let head = 1 << 16

  /// What there was besides requests to Singular.
  package private(set) var tally = CaptureTally()
  /// The form of the last file.
  package private(set) var format: CaptureFormat?
  let hosts: TrafficHosts
  let zone: UTCOffset?
  private let take: (CapturedRequest, CaptureFormat) -> Void

  /// - Parameters:
  ///   - zone: for times without an offset, which are a problem without it.
  ///   - take: gets each request to one of the hosts, in the order of the files, and the form of its file.
  package init(hosts: TrafficHosts, zone: UTCOffset?, take: @escaping (CapturedRequest, CaptureFormat) -> Void) {
    self.hosts = hosts
    self.zone = zone
    self.take = take
  }

  /// Reads a file to its end. What is wrong with its entries, or with its end, is in ``tally``.
  ///
  /// - Throws: why its bytes do not come.
  package mutating func read(_ source: ByteSource, file: String) throws(SourceFailure) {
    let head = try source.beginning(Self.head)
    let whole = source.preceded(by: head)
    let mark = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let format: CaptureFormat
    do throws(CaptureFormatProblem) { format = try CaptureFormat(head[mark...]) } catch {
      tally.add(CaptureProblem(error.message, at: CaptureLocation(file: file, entry: 0, line: 1)))
      return
    }
    self.format = format
    switch format {
    case .har: try readHAR(whole, file: file, skipping: mark)
    case .journal: try readLines(whole, file: file, skipping: mark, JournalEntryReader())
    case .urls: try readLines(whole, file: file, skipping: mark, URLLineReader(hosts: hosts))
    case .log(let form): try readLines(whole, file: file, skipping: mark, LogLineReader(form: form, hosts: hosts))
    }
  }

  private mutating func readHAR(_ source: ByteSource, file: String, skipping mark: Int) throws(SourceFailure) {
    let entries = HAREntryReader(hosts: hosts, zone: zone)
    var reader = HARReader(file: file)
    let end = try unsafe reader.read(source, skipping: mark) { bytes, location in
      guard let bytes = unsafe bytes else {
        tally.add(CaptureProblem("the entry is longer than \(HARScanner.longestEntry >> 20) MiB", at: location))
        return
      }
      add(at: location) { () throws(CaptureProblem) in try unsafe entries.read(bytes, at: location) }
    }
    if let end { tally.add(end) }
  }

  private mutating func readLines(
    _ source: ByteSource, file: String, skipping mark: Int, _ reader: some LineEntryReader
  ) throws(SourceFailure) {
    var reader = reader
    let lines = LineReader(source)
    var location = CaptureLocation(file: file, entry: 0, line: 0)
    while let line = try lines.next() {
      location.line += 1
      guard case .line(let bytes) = line else {
        location.entry += 1
        tally.add(CaptureProblem("the line is longer than \(LineReader.longest >> 20) MiB", at: location))
        continue
      }
      let skipped = location.line == 1 ? min(mark, bytes.count) : 0
      let text = unsafe UnsafeBufferPointer(rebasing: bytes[skipped...].trimming(while: \.isLineSpace))
      if unsafe text.isEmpty || reader.isComment(text) { continue }
      location.entry += 1
      add(at: location) { () throws(CaptureProblem) in try unsafe reader.read(text, at: location) }
    }
  }

  private mutating func add(
    at location: CaptureLocation, _ read: () throws(CaptureProblem) -> CaptureEntry
  ) {
    do throws(CaptureProblem) {
      switch try read() {
      case .request(let request, let remarks):
        for remark in remarks { tally.remark(CaptureProblem(remark, at: location)) }
        if let format { take(request, format) }
      case .other(let host): tally.count(other: host)
      case .undecrypted(let host): tally.undecrypted[host, default: 0] += 1
      case .webSocket: tally.webSockets += 1
      }
    } catch {
      tally.add(error)
    }
  }
}
