import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANRun

/// Reads captures of any size. Only one entry of a HAR, or one line of another format, is in memory at a time.
///
///     var reader = CaptureReader(hosts: TrafficHosts(), zone: nil) { traffic.append($0, of: $1) }
///     try reader.read(source, file: "capture.har")
package struct CaptureReader {
  /// The bytes that are examined to recognize a format.
  private static let head = 1 << 16

  /// The entries other than requests to Singular, and problems.
  package private(set) var tally = CaptureTally()
  /// The format of the last file.
  package private(set) var format: CaptureFormat?
  let hosts: TrafficHosts
  let zone: LocalOffset?
  private let fields: LogFields?
  private let take: (CapturedRequest, CaptureFormat) -> Void
  /// Describes a file that is not a capture, by its beginning and its name; nil for unknown content.
  package var otherContent: (_ beginning: [UInt8], _ file: String) -> String? = { _, _ in nil }

  /// - Parameters:
  ///   - zone: the zone of times without one; nil makes such times a problem.
  ///   - fields: the names that a log has for the parts of its requests; nil for those of known formats.
  ///   - take: receives each request to one of the hosts, in file order, and the format of its file.
  package init(
    hosts: TrafficHosts, zone: LocalOffset?, fields: LogFields? = nil,
    take: @escaping (CapturedRequest, CaptureFormat) -> Void
  ) {
    self.hosts = hosts
    self.zone = zone
    self.fields = fields
    self.take = take
  }

  /// Reads a file to its end. Problems with its entries or its end are added to ``tally``.
  ///
  /// - Throws: why the file cannot be read.
  package mutating func read(_ source: ByteSource, file: String) throws(SourceFailure) {
    let head = try source.beginning(Self.head)
    let whole = source.preceded(by: head)
    let mark = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    if let message = otherContent(head, file) {
      tally.add(CaptureProblem(message, at: CaptureLocation(file: file, entry: 0, line: 1)))
      return
    }
    let format: CaptureFormat
    do throws(CaptureFormatProblem) { format = try CaptureFormat(head[mark...], fields: fields) } catch {
      tally.add(CaptureProblem(error.message, at: CaptureLocation(file: file, entry: 0, line: 1)))
      return
    }
    self.format = format
    switch format {
    case .har: try readHAR(whole, file: file, skipping: mark)
    case .journal: try readLines(whole, file: file, skipping: mark, JournalEntryReader())
    case .urls: try readLines(whole, file: file, skipping: mark, URLLineReader(hosts: hosts))
    case .log(let form):
      let reader = LogLineReader(form: form, hosts: hosts, zone: zone, fields: fields)
      try readLines(whole, file: file, skipping: mark, reader)
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
      unsafe add(bytes, at: location) { () throws(CaptureProblem) in try unsafe entries.read(bytes, at: location) }
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
      unsafe add(text, at: location) { () throws(CaptureProblem) in try unsafe reader.read(text, at: location) }
    }
  }

  /// - Parameter text: the bytes of the entry. One that cannot be read is a hidden request if an endpoint is named in it.
  private mutating func add(
    _ text: UnsafeBufferPointer<UInt8>, at location: CaptureLocation, _ read: () throws(CaptureProblem) -> CaptureEntry
  ) {
    do throws(CaptureProblem) {
      switch try read() {
      case .request(let request, let remarks, let problems):
        for remark in remarks { tally.remark(CaptureProblem(remark, at: location)) }
        for problem in problems { tally.add(CaptureProblem(problem, at: location)) }
        if let format { take(request, format) }
      case .other(let host): tally.count(other: host)
      case .undecrypted(let host):
        tally.undecrypted[host, default: 0] += 1
        if hosts.contains(host) { tally.hidden.add(hosts.kinds(at: host), .tunnel(host: host), at: nil, location) }
      case .webSocket: tally.webSockets += 1
      }
    } catch {
      tally.add(error, hiding: unsafe HiddenRequests.Kinds(in: text))
    }
  }
}

/// The entries of captures other than requests to Singular, and problems.
package struct CaptureTally: Sendable, Equatable {
  /// The most problems, and the most remarks, that are kept; the others are counted.
  package static let most = SourceProblem.mostReported

  /// The most hosts that are counted separately.
  private static let mostHosts = 1000
  /// The name under which further hosts are counted.
  private static let restOfHosts = "other hosts"
  /// The name of unchecked requests without a host, as in logs.
  static let otherPaths = "other paths"
  /// The name of what is no request of HTTP, such as the bytes of a TLS handshake in a log.
  static let notHTTP = "not HTTP"

  /// The number of entries by host, or by host and path for Singular's hosts.
  package internal(set) var others: [String: Int] = [:]
  /// The number of entries whose TLS was not decrypted, by host.
  package internal(set) var undecrypted: [String: Int] = [:]
  /// The number of WebSocket entries.
  package internal(set) var webSockets = 0
  /// The first ``most`` problems.
  package private(set) var problems: [CaptureProblem] = []
  /// The number of further problems.
  package private(set) var moreProblems = 0
  /// The first ``most`` remarks about entries that were read.
  package private(set) var remarks: [CaptureProblem] = []
  /// The number of further remarks.
  package private(set) var moreRemarks = 0

  package init() {}

  /// Counts an entry that is not checked. Beyond ``mostHosts`` names, new ones are counted together.
  mutating func count(other name: String) {
    let isNew = others[name] == nil
    others[isNew && others.count >= Self.mostHosts ? Self.restOfHosts : name, default: 0] += 1
  }

  /// The parts that cannot be read, each of which may hold a request that a rule misses.
  package internal(set) var hidden = HiddenRequests()

  /// - Parameter kinds: the requests that the unreadable part may hold.
  mutating func add(_ problem: CaptureProblem, hiding kinds: HiddenRequests.Kinds = .all) {
    hidden.add(kinds, problem.location.entry > 0 ? .entry : .file, at: nil, problem.location)
    if problems.count < Self.most { problems.append(problem) } else { moreProblems += 1 }
  }

  mutating func remark(_ problem: CaptureProblem) {
    if remarks.count < Self.most { remarks.append(problem) } else { moreRemarks += 1 }
  }

  /// The number of entries of other hosts or paths.
  package var otherCount: Int { others.values.reduce(0, +) }

  /// The number of entries that were not decrypted.
  package var undecryptedCount: Int { undecrypted.values.reduce(0, +) }
}

/// A problem of a capture's entry, or a remark about it.
package struct CaptureProblem: Error, Sendable, Equatable {
  /// The location of the entry.
  package var location: CaptureLocation
  /// A sentence without its location. It contains no key and no token.
  package var message: String

  package init(_ message: String, at location: CaptureLocation) {
    self.location = location
    self.message = message
  }

  /// The beginning of a text of the capture, for a message.
  static func shown(_ text: String) -> String {
    JSONWriter.quoted(String(SecretParameter.redacted(text: text).prefix(40)))
  }
}

/// The offset of a zone from UTC at a local time, both in seconds. The local time counts from 1970.
package typealias LocalOffset = @Sendable (_ local: Int64) -> Int64

/// A fixed offset of local time from UTC.
package struct UTCOffset: Sendable, Equatable {
  /// The offset as it follows a time: `Z`, `+02:00`.
  package let text: String

  /// Parses `Z`, `UTC`, `+02:00`, `+0200` or `+02`; nil for anything else.
  package init?(_ text: String) {
    if ["Z", "z", "UTC", "GMT"].contains(text) {
      self.text = "Z"
      return
    }
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    let digits = parts.joined()
    guard text.hasPrefix("+") || text.hasPrefix("-"), digits.utf8.allSatisfy(\.isASCIIDigit),
      [2, 4].contains(digits.utf8.count), parts.count == 1 || parts.map(\.utf8.count) == [2, 2]
    else { return nil }
    let minutes = digits.utf8.count == 4 ? digits.suffix(2) : "00"
    self.text = "\(text.prefix(1))\(digits.prefix(2)):\(minutes)"
    if Instant(iso8601: "2000-01-01T00:00:00\(self.text)") == nil { return nil }
  }
}

extension Instant {
  /// Why a captured time is invalid.
  enum CaptureMistake: Error {
    case malformed
    /// A local time without a known offset.
    case noOffset

    /// What is wrong with a time, in a sentence.
    ///
    /// - Parameters:
    ///   - subject: what holds the time.
    ///   - text: the time as it is written.
    func message(_ subject: String, _ text: String) -> String {
      let text = CaptureProblem.shown(text)
      return switch self {
      case .malformed: "\(subject) is not a time: \(text)"
      case .noOffset: "\(subject) has no offset: \(text) is a local time; name its offset, as in --timezone +02:00"
      }
    }
  }

  /// Parses an ISO 8601 time as exporters write it: with a fraction of any length, and with `Z`, `+02:00`, `+0200`, or
  /// no offset.
  ///
  /// - Parameter zone: the zone of a time without an offset.
  init(captured text: String, zone: LocalOffset?) throws(CaptureMistake) {
    // The usual form.
    if let instant = Instant(iso8601: text) {
      self = instant
      return
    }
    var text = text
    if let space = text.firstIndex(of: " "), !text.contains("T") { text.replaceSubrange(space...space, with: "T") }
    guard let middle = text.firstIndex(of: "T") else { throw .malformed }
    if let sign = text[middle...].lastIndex(where: { "+-Zz".contains($0) }) {
      guard let offset = UTCOffset(String(text[sign...])) else { throw .malformed }
      text.replaceSubrange(sign..., with: offset.text)
    } else {
      guard let local = Instant(iso8601: text + "Z") else { throw .malformed }
      guard let zone else { throw .noOffset }
      let offset = zone(local.wholeSeconds)
      guard Instant(unixSeconds: local.wholeSeconds - offset) != nil else { throw .malformed }
      self = local.later(by: TimeSpan(seconds: -offset))
      return
    }
    guard let instant = Instant(iso8601: text) else { throw .malformed }
    self = instant
  }
}
