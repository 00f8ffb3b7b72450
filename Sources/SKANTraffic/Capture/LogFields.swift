import SKANBase
import SKANDevice
import SKANHTTP

/// A part of a request that a log has under a name of its own.
package enum LogPart: String, CaseIterable, Sendable {
  /// When it came: ISO 8601, the form of Apache and nginx, or Unix time in seconds to nanoseconds.
  case time
  case method
  /// The target: a URL, or a path with its query.
  case url
  /// The target without its query.
  case path
  case query
  /// The request line: method, target and version.
  case request
  case status
  case host
  /// `http` or `https`.
  case scheme
  /// The client's address, which no rule asks for.
  case address
}

/// The names under which a log has the parts of its requests: the members of a JSON object, or the columns of a table.
///
/// The member of an inner object follows the name of the object: `httpRequest.status`.
package struct LogFields: Sendable, Equatable {
  /// The format; empty for the names that a user gives.
  private var title = ""
  /// The names of each part; the first one with a value counts.
  private var names: [LogPart: [String]]
  /// Whether the names are those of the W3C's extended log format, whose times are a date and a time in UTC.
  private var isW3C = false
  /// Whether the user gave the names.
  private var isGiven = false

  /// No names, for those that a user gives.
  package init() { (names, isGiven) = ([:], true) }

  private init(_ title: String, _ names: [LogPart: [String]], isW3C: Bool = false) {
    (self.title, self.names, self.isW3C) = (title, names, isW3C)
  }

  /// Google Cloud's load balancers write `LogEntry` objects.
  /// https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry
  static let googleCloud = LogFields(
    "Google Cloud load balancer",
    [
      .time: ["timestamp"], .method: ["httpRequest.requestMethod"], .url: ["httpRequest.requestUrl"],
      .status: ["httpRequest.status"], .address: ["httpRequest.remoteIp"],
    ])

  /// The data set of HTTP requests. Times are Unix nanoseconds, Unix seconds or ISO 8601.
  /// https://developers.cloudflare.com/logs/reference/log-fields/zone/http_requests/
  static let cloudflare = LogFields(
    "Cloudflare Logpush",
    [
      .time: ["EdgeStartTimestamp"], .method: ["ClientRequestMethod"], .url: ["ClientRequestURI"],
      .status: ["EdgeResponseStatus"], .host: ["ClientRequestHost"], .scheme: ["ClientRequestScheme"],
      .address: ["ClientIP"],
    ])

  /// The W3C's extended log format, as CloudFront and IIS write it, and CloudFront's real-time logs and logs in JSON.
  /// https://www.w3.org/TR/WD-logfile.html,
  /// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html
  static let w3c = LogFields(
    "CloudFront in JSON",
    [
      .time: ["timestamp"], .method: ["cs-method"], .url: ["cs-uri"], .path: ["cs-uri-stem"],
      .query: ["cs-uri-query"], .status: ["sc-status"], .host: ["x-host-header", "cs-host", "cs(Host)"],
      .scheme: ["cs-protocol"], .address: ["c-ip"],
    ], isW3C: true)

  /// A `log_format` of nginx in JSON. Its writer names the members; most name them as nginx's variables (*inferred*).
  /// https://nginx.org/en/docs/varindex.html
  static let nginx = LogFields(
    "nginx in JSON",
    [
      .time: ["time_iso8601", "@timestamp", "time_local", "msec", "timestamp", "time"],
      .method: ["request_method", "method"], .url: ["request_uri"], .path: ["uri"], .query: ["args", "query_string"],
      .request: ["request"], .status: ["status", "http_status"], .host: ["http_host", "host", "server_name"],
      .scheme: ["scheme"], .address: ["remote_addr"],
    ])

  /// The formats that are recognized by their names. nginx's are the least particular ones.
  static let known = [googleCloud, cloudflare, w3c, nginx]

  /// The format and its names, for help and manual.
  var row: (name: String, text: String) {
    let parts: [LogPart] = [.time, .request, .method, .url, .path, .query, .status, .host]
    let first = parts.compactMap { $0 == .time && isW3C ? "date, time" : names[$0]?.first }
    return (title, "JSON on each line: \(first.joined(separator: ", "))")
  }

  /// Gives the name of a part.
  package mutating func add(_ name: String, for part: LogPart) { names[part, default: []].append(name) }

  /// Whether a part has a name.
  package func has(_ part: LogPart) -> Bool { names[part] != nil }

  /// The names that a log needs for its requests to be read, of those that it does not have. Where one of several would
  /// do, it is the first.
  ///
  /// - Parameter isThere: whether the log has a name.
  func missing(_ isThere: (String) -> Bool) -> [String] {
    func has(_ part: LogPart) -> Bool { names[part, default: []].contains(where: isThere) }
    func first(_ part: LogPart) -> String { names[part]?.first ?? part.rawValue }
    var missing: [String] = []
    if isW3C, !has(.time) {
      missing = ["date", "time"].filter { !isThere($0) }
    } else if !has(.time) {
      missing = [first(.time)]
    }
    if has(.request) { return missing }
    if !isGiven, !has(.method) { missing.append(first(.method)) }
    if !has(.url) { missing += [LogPart.path, .query].filter { !has($0) }.map(first) }
    return missing
  }

  /// The parts that a user has yet to name; nil if the names suffice.
  package var lack: String? {
    if !has(.time) { return "time=NAME" }
    if has(.url) || has(.request) || has(.path) && has(.query) { return nil }
    return has(.path) ? "query=NAME" : has(.query) ? "path=NAME" : "url=NAME, or path=NAME and query=NAME"
  }

  /// The request that a line of a log holds; nil for a line without the parts of a request.
  ///
  /// - Parameters:
  ///   - zone: the offset for a time without one.
  ///   - value: the value under a name.
  /// - Throws: why a part is not valid.
  func line(zone: LocalOffset?, _ value: (String) -> String?) throws(LogFlaw) -> LoggedLine? {
    func text(_ part: LogPart) -> String? { texts(part, value).first }
    let method: String
    var target: HTTPTarget
    if let line = names[.request]?.compactMap(value).first {
      guard let request = RequestLine(line) else { return .notHTTP }
      (method, target) = (request.method, request.target)
    } else {
      guard let url = text(.url) ?? text(.path) else { return nil }
      guard let given = text(.method) ?? (isGiven ? "GET" : nil) else { return nil }
      (method, target) = (given, HTTPTarget(url))
    }
    if target.query == nil { target.query = text(.query).map { String($0.trimmingPrefix("?")) } }
    if isW3C { target.query = target.query?.withoutSecondEscapes }
    if target.origin.isEmpty, let host = host(value) { target.origin = "\(text(.scheme) ?? "https")://\(host)" }
    return .request(
      LoggedRequest(method: method, target: target, status: try status(text(.status)), at: try time(zone, value)))
  }

  /// The values of a part that say something, in the order of its names.
  private func texts(_ part: LogPart, _ value: (String) -> String?) -> [String] {
    names[part, default: []].compactMap(value).filter { !$0.isEmpty && $0 != "-" }
  }

  /// The host. CloudFront names both the one that was asked for and that of its distribution.
  private func host(_ value: (String) -> String?) -> String? {
    let hosts = texts(.host, value)
    return hosts.first { !$0.lowercased().hasSuffix(".cloudfront.net") } ?? hosts.first
  }

  private func status(_ text: String?) throws(LogFlaw) -> Int? {
    guard let text else { return nil }
    guard let status = Int(text), (0...999).contains(status) else {
      throw LogFlaw("the status is not a number: \(CaptureProblem.shown(text))")
    }
    return status
  }

  private func time(_ zone: LocalOffset?, _ value: (String) -> String?) throws(LogFlaw) -> Instant {
    var text = texts(.time, value).first
    if isW3C, text == nil, let date = value("date"), let time = value("time") { text = "\(date)T\(time)Z" }
    guard let text else { throw LogFlaw("the line has no time") }
    do throws(Instant.CaptureMistake) { return try Instant(logged: text, zone: zone) } catch {
      throw LogFlaw(error.message("the time", text))
    }
  }
}

/// A line of a log.
enum LoggedLine: Equatable {
  case request(LoggedRequest)
  /// What a client sent, or a server wrote, is no request of HTTP.
  case notHTTP
}

/// A request in an access log.
struct LoggedRequest: Equatable {
  let method: String
  /// The target, without an origin where the log has no host.
  let target: HTTPTarget
  /// Nil where the log has none, and 0 where there was no answer.
  let status: Int?
  let at: Instant
}

/// Why a line of a log cannot be read, in a sentence without its location.
struct LogFlaw: Error, Equatable {
  let message: String

  init(_ message: String) { self.message = message }
}

/// The method and the target of a request line.
struct RequestLine {
  let method: String
  let target: HTTPTarget

  /// Nil for a text that is no request line, such as the bytes of a TLS handshake.
  init?(_ text: String) {
    var parts = text.split(separator: " ")
    guard parts.count >= 2, parts[0].utf8.first?.isASCIILetter == true,
      parts[0].utf8.allSatisfy({ $0.isASCIILetter || $0 == UInt8(ascii: "-") })
    else { return nil }
    if parts.count > 2, parts[parts.count - 1].hasPrefix("HTTP/") { parts.removeLast() }
    method = String(parts[0])
    target = HTTPTarget(parts.dropFirst().joined(separator: " "))
  }
}

extension Instant {
  /// Parses a time of a log: Unix time in seconds, milliseconds, microseconds or nanoseconds, by the number of its
  /// digits; the form of Apache and nginx; or ISO 8601.
  ///
  /// - Parameter zone: the offset for a time without one.
  init(logged text: String, zone: LocalOffset?) throws(CaptureMistake) {
    if let first = text.utf8.first, first.isASCIIDigit, let number = Double(text) {
      let digits = text.utf8.prefix(while: \.isASCIIDigit).count
      let scale = digits <= 11 ? 1 : digits <= 14 ? 1e3 : digits <= 17 ? 1e6 : 1e9
      guard let instant = Instant(unixSeconds: number / scale) else { throw .malformed }
      self = instant
    } else if let instant = CombinedLogLine.time(text[...]) {
      self = instant
    } else {
      try self.init(captured: text, zone: zone)
    }
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
