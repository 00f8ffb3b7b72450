import SKANBase
import SKANDevice
import SKANHTTP

/// Converts a line of an access log to a request. Its answer is only a status, and the body of a POST is unknown.
struct LogLineReader: LineEntryReader {
  private let form: AccessLogForm
  private let hosts: TrafficHosts
  private var columns = CloudFrontColumns()

  init(form: AccessLogForm, hosts: TrafficHosts) {
    self.form = form
    self.hosts = hosts
  }

  mutating func isComment(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard unsafe line.first == UInt8(ascii: "#") else { return false }
    if form == .cloudFront, let named = unsafe CloudFrontColumns(comment: String(decoding: line, as: UTF8.self)) {
      columns = named
    }
    return true
  }

  func read(
    _ line: UnsafeBufferPointer<UInt8>, at location: CaptureLocation
  ) throws(CaptureProblem) -> CaptureEntry {
    let text = unsafe String(decoding: line, as: UTF8.self)
    let logged: LoggedRequest? =
      switch form {
      case .combined: CombinedLogLine(text)?.request
      case .loadBalancer: LoadBalancerLine(text)?.request
      case .cloudFront: columns.line(text)
      }
    guard let logged else { throw CaptureProblem("the line has another form than the log's first", at: location) }
    let host = TrafficHosts.host(of: logged.target.origin)
    switch hosts.destination(of: logged.target) {
    case .otherHost: return .other(host)
    case .otherPath: return .other(host.isEmpty ? CaptureTally.otherPaths : TrafficHosts.place(of: logged.target))
    case .endpoint: break
    }
    return .request(
      CapturedRequest(
        HTTPRequest(method: logged.method, target: logged.target), at: logged.at,
        answer: logged.status > 0 ? .status(logged.status) : .failure("no status"), location: location))
  }
}

/// A format of access logs.
package enum AccessLogForm: CaseIterable, Sendable {
  /// The format of Apache and nginx.
  case combined
  /// AWS Application Load Balancer.
  case loadBalancer
  /// AWS CloudFront.
  case cloudFront

  /// Whether a line has this format.
  func reads(_ line: String) -> Bool {
    switch self {
    case .combined: CombinedLogLine(line) != nil
    case .loadBalancer: LoadBalancerLine(line) != nil
    case .cloudFront: CloudFrontColumns().line(line) != nil
    }
  }
}

/// A request in an access log.
struct LoggedRequest: Equatable {
  let method: String
  /// The target, without an origin where the log has no host.
  let target: HTTPTarget
  let status: Int
  let at: Instant
}

/// A line in the common and combined log formats of Apache and nginx: any text, the time in brackets, the request line
/// in quotes, and the status.
struct CombinedLogLine {
  let request: LoggedRequest

  /// Nil for a line in another format.
  init?(_ line: String) {
    guard let open = line.firstIndex(of: "["), let close = line[open...].firstIndex(of: "]"),
      let at = Self.time(line[line.index(after: open)..<close]),
      let (requestLine, rest) = line[line.index(after: close)...].quoted,
      let status = rest.split(separator: " ").first.flatMap({ Int($0) })
    else { return nil }
    let parts = requestLine.split(separator: " ")
    guard parts.count >= 2 else { return nil }
    request = LoggedRequest(
      method: String(parts[0]), target: HTTPTarget(String(parts[1])), status: status, at: at)
  }

  /// Parses `10/Oct/2026:13:55:36 -0700`.
  private static func time(_ text: Substring) -> Instant? {
    let parts = text.split(separator: "/", maxSplits: 2)
    guard parts.count == 3, let month = HTTPDate.months.firstIndex(of: String(parts[1])),
      let colon = parts[2].firstIndex(of: ":")
    else { return nil }
    let clock = parts[2][parts[2].index(after: colon)...].replacing(" ", with: "")
    let date = "\(parts[2][..<colon])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[0])"
    return try? Instant(captured: "\(date)T\(clock)", zone: nil)
  }
}

extension Substring {
  /// The text in the first quotes, and the rest after them. A backslash escapes a quote, and nginx writes `\x22`.
  var quoted: (text: String, rest: Substring)? {
    guard let open = firstIndex(of: "\"") else { return nil }
    var text = ""
    var position = index(after: open)
    while position < endIndex {
      switch self[position] {
      case "\"": return (text, self[index(after: position)...])
      case "\\":
        position = index(after: position)
        guard position < endIndex else { return nil }
        let digits = self[position...].dropFirst().prefix(2)
        if self[position] == "x", digits.utf8.count == 2, digits.utf8.allSatisfy({ $0.hexValue != nil }) {
          // The escape that a URL would have.
          text += "%\(digits.uppercased())"
          position = index(position, offsetBy: 2)
        } else {
          text.append(self[position])
        }
      default: text.append(self[position])
      }
      position = index(after: position)
    }
    return nil
  }
}

/// The columns of an AWS CloudFront log, as named by its `#Fields:` line; by default the standard ones.
struct CloudFrontColumns {
  private static let standard = [
    "date", "time", "x-edge-location", "sc-bytes", "c-ip", "cs-method", "cs(Host)", "cs-uri-stem", "sc-status",
    "cs(Referer)", "cs(User-Agent)", "cs-uri-query", "cs(Cookie)", "x-edge-result-type", "x-edge-request-id",
    "x-host-header", "cs-protocol",
  ]

  private var index: [String: Int]

  init() { index = Self.index(Self.standard) }

  /// The columns of a `#Fields:` line; nil for another comment.
  init?(comment: String) {
    guard comment.hasPrefix("#Fields:") else { return nil }
    index = Self.index(comment.dropFirst(8).split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init))
  }

  private static func index(_ names: [String]) -> [String: Int] {
    Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  /// The request of a line; nil for a line in another format.
  func line(_ text: String) -> LoggedRequest? {
    let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
    func field(_ name: String) -> String? {
      guard let position = index[name], fields.indices.contains(position), fields[position] != "-" else { return nil }
      return String(fields[position])
    }
    guard let date = field("date"), let time = field("time"), let at = Instant(iso8601: "\(date)T\(time)Z"),
      let path = field("cs-uri-stem"), let method = field("cs-method"),
      let status = field("sc-status").flatMap({ Int($0) })
    else { return nil }
    let host = field("x-host-header") ?? field("cs(Host)")
    let origin = host.map { "\(field("cs-protocol") ?? "https")://\($0)" } ?? ""
    return LoggedRequest(
      method: method,
      target: HTTPTarget(origin: origin, path: path, query: field("cs-uri-query").map(\.withoutSecondEscapes)),
      status: status, at: at)
  }
}

extension String {
  /// The query without the second escaping that CloudFront applies to percent signs (*inferred*: it was applied if all
  /// escapes are `%25`).
  fileprivate var withoutSecondEscapes: String {
    let escapes = split(separator: "%", omittingEmptySubsequences: false).dropFirst()
    let isTwice = escapes.contains {
      $0.hasPrefix("25") && $0.dropFirst(2).prefix(2).utf8.count == 2
        && $0.dropFirst(2).prefix(2).utf8.allSatisfy { $0.hexValue != nil }
    }
    guard isTwice, escapes.allSatisfy({ $0.hasPrefix("25") }) else { return self }
    return replacing("%25", with: "%")
  }
}

/// A line of an AWS Application Load Balancer log: fields separated by spaces, with the request line in quotes.
struct LoadBalancerLine {
  private static let types: Set<Substring> = ["http", "https", "h2", "grpcs", "ws", "wss"]

  let request: LoggedRequest

  /// Nil for a line in another format.
  init?(_ line: String) {
    let fields = line.prefix { $0 != "\"" }.split(separator: " ")
    guard fields.count >= 11, Self.types.contains(fields[0]),
      let status = Int(fields[8]) ?? (fields[8] == "-" ? 0 : nil),
      let at = Instant(iso8601: String(fields[1])), let (requestLine, _) = line[...].quoted
    else { return nil }
    let parts = requestLine.split(separator: " ")
    guard parts.count >= 2 else { return nil }
    request = LoggedRequest(
      method: String(parts[0]), target: HTTPTarget(String(parts[1])), status: status, at: at)
  }
}
