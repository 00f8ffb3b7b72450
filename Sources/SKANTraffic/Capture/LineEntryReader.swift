import SKANBase
import SKANDevice
import SKANHTTP

/// An entry of a capture.
enum CaptureEntry {
  /// A request to one of the endpoints, remarks about its form, and what of it cannot be read.
  case request(CapturedRequest, remarks: [String] = [], problems: [String] = [])
  /// A request to another host or an unchecked path: its host, or its host and path.
  case other(String)
  /// A tunnel through the proxy, whose content is not in the capture.
  case undecrypted(host: String)
  case webSocket
}

/// Reads a format that has one entry on each line.
protocol LineEntryReader {
  /// Whether a nonempty line is not an entry.
  mutating func isComment(_ line: UnsafeBufferPointer<UInt8>) -> Bool

  /// - Throws: why a line cannot be read.
  mutating func read(
    _ line: UnsafeBufferPointer<UInt8>, at location: CaptureLocation
  ) throws(CaptureProblem) -> CaptureEntry
}

/// Converts a line of the journal of `skan serve` to a request.
///
/// A line has the decoded parameters, so rules about their encoding are not evaluated.
package struct JournalEntryReader: LineEntryReader {
  /// A placeholder, as the journal does not contain the origin.
  static let origin = "http://localhost"
  /// A query that cannot be decoded, in place of null for parameters that the server could not decode.
  private static let unreadable = "%"
  private let document = JSONDocument()

  package init() {}

  /// The request of a line; nil for one that is not checked, such as a postback's.
  package func request(_ line: [UInt8], at location: CaptureLocation) -> CapturedRequest? {
    let entry = unsafe line.withUnsafeBufferPointer { unsafe try? read($0, at: location) }
    if case .request(let request, _, _)? = entry { return request }
    return nil
  }

  func isComment(_ line: UnsafeBufferPointer<UInt8>) -> Bool { false }

  /// - Throws: why the line cannot be read.
  func read(_ bytes: UnsafeBufferPointer<UInt8>, at location: CaptureLocation) throws(CaptureProblem) -> CaptureEntry {
    do throws(JSONError) {
      try unsafe document.read(bytes)
    } catch {
      throw CaptureProblem("the line is not JSON: \(error.message)", at: location)
    }
    let line = document.root
    guard line.member("path") != nil, line.member("query") != nil, let answer = line.text("answer"),
      let status = line.integer("status")
    else { throw CaptureProblem("this is not a line of a journal", at: location) }
    guard let path = line.text("path"), let method = line.text("method") else { return .other(CaptureTally.notHTTP) }
    guard EndpointKind(path: path) != nil, method != "HEAD", method != "OPTIONS" else {
      return .other(CaptureTally.otherPaths)
    }
    guard let at = line.unixTime("at") else {
      throw CaptureProblem("\"at\" is not a time in Unix seconds", at: location)
    }
    let query = line.member("query")?.queryItems?.formEncoded ?? Self.unreadable
    var request = HTTPRequest(
      method: method, target: HTTPTarget(origin: Self.origin, path: path, query: query.isEmpty ? nil : query))
    if let type = line.text("content_type") { request.headers.append("Content-Type", type) }
    if let body = line.member("body") {
      switch body.content {
      case .string(let text): request.body = Array(text.utf8)
      case .object: request.body = Array((body.queryItems ?? []).formEncoded.utf8)
      default: request.body = Array(Self.unreadable.utf8)
      }
      if !request.body.isEmpty, request.headers["Content-Type"] == nil {
        request.headers.append("Content-Type", "application/x-www-form-urlencoded")
      }
    }
    // The phone receives nothing of an answer that broke off on demand.
    let captured = line.text("fault").map { CapturedAnswer.failure("the answer broke off on demand: \($0)") }
    let response = captured ?? .response(status: Int(clamping: status), body: Array(answer.utf8))
    return .request(CapturedRequest(request, at: at, answer: response, location: location))
  }
}

extension JSONNode {
  /// The members of an object as parameters; nil for any other value.
  fileprivate var queryItems: [QueryItem]? {
    guard case .object(let members) = content else { return nil }
    return members.map { member in
      if case .string(let text) = member.value.content {
        QueryItem(member.key, text)
      } else {
        QueryItem(member.key, nil)
      }
    }
  }

  fileprivate func unixTime(_ key: String) -> Instant? {
    switch member(key)?.content {
    case .integer(let seconds)?: Instant(unixSeconds: seconds)
    case .double(let seconds)?: Instant(unixSeconds: seconds)
    default: nil
    }
  }
}

/// Converts a line with a URL to a GET request without time and answer.
struct URLLineReader: LineEntryReader {
  let hosts: TrafficHosts

  func isComment(_ line: UnsafeBufferPointer<UInt8>) -> Bool { unsafe line.first == UInt8(ascii: "#") }

  func read(
    _ line: UnsafeBufferPointer<UInt8>, at location: CaptureLocation
  ) throws(CaptureProblem) -> CaptureEntry {
    guard let text = unsafe String(validating: line, as: UTF8.self) else {
      throw CaptureProblem("the line is not UTF-8", at: location)
    }
    let target = HTTPTarget(String(text.prefix { $0 != "#" }))
    guard !target.origin.isEmpty, !text.contains(where: { $0 == " " || $0 == "\t" }) else {
      throw CaptureProblem("the line is not a URL", at: location)
    }
    let host = TrafficHosts.host(of: target.origin)
    switch hosts.destination(of: target) {
    case .endpoint: return .request(CapturedRequest(HTTPRequest(target: target), location: location))
    case .otherPath: return .other(TrafficHosts.place(of: target))
    case .otherHost: return .other(host)
    }
  }
}
