import SKANBase
import SKANDevice
import SKANHTTP

/// Converts a line of an access log to a request. Its answer is only a status, and the body of a POST is unknown.
struct LogLineReader: LineEntryReader {
  private var form: LogForm
  private let hosts: TrafficHosts
  private let zone: LocalOffset?
  private let fields: LogFields?
  private let document = JSONDocument()

  /// - Parameters:
  ///   - zone: the offset for times without one.
  ///   - fields: the names that the user gives, for a log that names its columns anew.
  init(form: LogForm, hosts: TrafficHosts, zone: LocalOffset?, fields: LogFields?) {
    (self.form, self.hosts, self.zone, self.fields) = (form, hosts, zone, fields)
  }

  mutating func isComment(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard unsafe line.first == UInt8(ascii: "#") else { return false }
    if case .columns = form,
      let named = unsafe LogColumns(comment: String(decoding: line, as: UTF8.self), fields: fields)
    {
      form = .columns(named)
    }
    return true
  }

  func read(
    _ line: UnsafeBufferPointer<UInt8>, at location: CaptureLocation
  ) throws(CaptureProblem) -> CaptureEntry {
    let logged: LoggedLine
    do throws(LogFlaw) {
      logged = try self.line(unsafe String(decoding: line, as: UTF8.self), of: form)
    } catch {
      throw CaptureProblem(error.message, at: location)
    }
    guard case .request(let request) = logged else { return .other(CaptureTally.notHTTP) }
    let host = TrafficHosts.host(of: request.target.origin)
    switch hosts.destination(of: request.target) {
    case .otherHost: return .other(host)
    case .otherPath: return .other(host.isEmpty ? CaptureTally.otherPaths : TrafficHosts.place(of: request.target))
    case .endpoint: break
    }
    let answer: CapturedAnswer =
      switch request.status {
      case nil: .notCaptured
      case 0?: .failure("no status")
      case let status?: .status(status)
      }
    return .request(
      CapturedRequest(
        HTTPRequest(method: request.method, target: request.target), at: request.at, answer: answer,
        location: location))
  }

  private func line(_ text: String, of form: LogForm) throws(LogFlaw) -> LoggedLine {
    let line: LoggedLine?
    switch form {
    case .combined:
      line = CombinedLogLine(text)?.line
      if line == nil, CombinedLogLine.hasBareQuote(text) {
        throw LogFlaw("the request has a quote that is not escaped, so its end is not known")
      }
    case .loadBalancer: line = LoadBalancerLine(text)?.line
    case .columns(let columns): line = try columns.line(text, zone: zone)
    case .json(let fields):
      let node = try object(text)
      // An object without the parts of a request tells of something else.
      line = try fields.line(zone: zone) { node.plainText(at: $0) } ?? .notHTTP
    case .docker(let form):
      guard let contained = try object(text).containedLine else { throw LogFlaw(Self.otherForm) }
      do throws(LogFlaw) { return try self.line(contained, of: form) } catch {
        // Containers print more than requests.
        if EndpointKind.allCases.contains(where: { contained.contains($0.path) }) { throw error }
        return .notHTTP
      }
    }
    guard let line else { throw LogFlaw(Self.otherForm) }
    return line
  }

  private static let otherForm = "the line has another form than the log's first"

  private func object(_ text: String) throws(LogFlaw) -> JSONNode {
    let bytes = Array(text.utf8)
    let problem = unsafe bytes.withUnsafeBufferPointer { bytes -> JSONError? in
      do throws(JSONError) {
        try unsafe document.readTolerantly(bytes)
        return nil
      } catch {
        return error
      }
    }
    if let problem { throw LogFlaw("the line is not JSON: \(problem.message)") }
    return document.root
  }
}

/// A line in the common and combined log formats of Apache and nginx: any text, the time in brackets, the request line
/// in quotes, and the status.
struct CombinedLogLine {
  let line: LoggedLine

  /// Nil for a line in another format.
  init?(_ text: String) {
    guard let (at, rest) = Self.beginning(text), let (requestLine, rest) = rest.quoted, rest.first == " ",
      let status = rest.split(separator: " ").first.flatMap({ Int($0) })
    else { return nil }
    line = LoggedLine(requestLine, status: status, at: at)
  }

  /// Whether a line begins like one of this format, up to its request.
  static func begins(_ text: String) -> Bool { beginning(text)?.rest.contains("\"") ?? false }

  /// Whether a quote in the request ends the text that should be its line.
  static func hasBareQuote(_ text: String) -> Bool {
    guard let (line, rest) = beginning(text)?.rest.quoted else { return false }
    return !line.contains(" HTTP/") && rest.contains(" HTTP/")
  }

  /// The time, and the text behind it.
  private static func beginning(_ text: String) -> (at: Instant, rest: Substring)? {
    guard let open = text.firstIndex(of: "["), let close = text[open...].firstIndex(of: "]"),
      let at = time(text[text.index(after: open)..<close])
    else { return nil }
    return (at, text[text.index(after: close)...])
  }

  /// Parses `10/Oct/2026:13:55:36 -0700`.
  static func time(_ text: Substring) -> Instant? {
    let parts = text.split(separator: "/", maxSplits: 2)
    guard parts.count == 3, let month = HTTPDate.months.firstIndex(of: String(parts[1])),
      let colon = parts[2].firstIndex(of: ":")
    else { return nil }
    let clock = parts[2][parts[2].index(after: colon)...].replacing(" ", with: "")
    let date = "\(parts[2][..<colon])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[0])"
    return try? Instant(captured: "\(date)T\(clock)", zone: nil)
  }
}

extension LoggedLine {
  /// The line of a log with this request line.
  fileprivate init(_ requestLine: String, status: Int, at: Instant) {
    if let request = RequestLine(requestLine) {
      self = .request(LoggedRequest(method: request.method, target: request.target, status: status, at: at))
    } else {
      self = .notHTTP
    }
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

/// A line of an AWS Application Load Balancer log: fields separated by spaces, with the request line in quotes.
struct LoadBalancerLine {
  private static let types: Set<Substring> = ["http", "https", "h2", "grpcs", "ws", "wss"]

  let line: LoggedLine

  /// Nil for a line in another format.
  init?(_ text: String) {
    let fields = text.prefix { $0 != "\"" }.split(separator: " ")
    guard fields.count >= 11, Self.types.contains(fields[0]),
      let status = Int(fields[8]) ?? (fields[8] == "-" ? 0 : nil),
      let at = Instant(iso8601: String(fields[1])), let (requestLine, _) = text[...].quoted
    else { return nil }
    line = LoggedLine(requestLine, status: status, at: at)
  }
}
