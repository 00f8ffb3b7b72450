import SKANBase
import Synchronization

/// The result of a handler: a response, and how the server sends it.
package struct HTTPReply: Equatable, Sendable {
  /// The response. A status outside 200 to 999 is sent as 500: a lower one would make the client wait for another
  /// response.
  package var response: HTTPResponse
  /// The seconds to wait before sending, at most ``HTTPLimits/delaySeconds``; other connections do not wait.
  package var delay: Double
  /// Whether the connection closes afterwards even if the client would continue.
  package var closes: Bool
  /// The fault to simulate.
  package var fault: HTTPFault?
  /// Whether the reply counts towards the number after which the server stops.
  package var isCounted = true
  /// A response that replaces this one once it is known; delay and count are this reply's.
  package var late: HTTPLateReply?
  /// The stream that follows the head instead of a body (``HTTPServer/nextOfStream``); nil for none. The connection ends
  /// with it.
  package var stream: Int?

  package init(_ response: HTTPResponse, delay: Double = 0, closes: Bool = false, fault: HTTPFault? = nil) {
    self.response = response
    self.delay = delay
    self.closes = closes
    self.fault = fault
  }

  /// A reply that will be known later.
  package init(_ late: HTTPLateReply) {
    self.init(HTTPResponse(status: 500))
    self.late = late
  }
}

/// The reply to a request that is known only later: after the other ready requests were read
/// (``HTTPServer/beforeSending``), or once another thread has made it.
package final class HTTPLateReply: Sendable, Equatable {
  private let reply = Mutex<HTTPReply?>(nil)

  package init() {}

  /// Sets the reply, on any thread. It has no effect after the answer was sent.
  package func settle(_ reply: HTTPReply) { self.reply.withLock { $0 = reply } }

  /// The reply; nil until it is set. The connection waits for it, and for nothing else.
  package var value: HTTPReply? { reply.withLock { $0 } }

  package static func == (left: HTTPLateReply, right: HTTPLateReply) -> Bool { left === right }
}

/// A fault of an answer, for testing a client. The connection ends with each of them.
package enum HTTPFault: Equatable, Sendable {
  /// The connection closes without an answer.
  case close
  /// These bytes are sent instead of the answer.
  case raw([UInt8])
  /// Only this number of bytes of the body is sent; `Content-Length` states the whole body.
  case truncated(Int)
  /// The whole body is sent with this `Content-Length`, which may be too small or too large.
  case declaredLength(Int)
}

/// A reply with everything that its form on the wire depends on.
struct HTTPAnswer {
  var reply: HTTPReply
  var isHead = false
  /// Whether the connection stays open afterwards, and how that is stated.
  var persistence = HTTPPersistence(keepsAlive: false)

  /// The answer with its late reply; nil while that is not known.
  var settled: HTTPAnswer? {
    guard let late = reply.late else { return self }
    guard let value = late.value else { return nil }
    var answer = self
    answer.reply = value
    answer.reply.delay = reply.delay
    return answer
  }

  /// Whether the connection ends after the answer.
  var isLast: Bool { !persistence.keepsAlive || reply.closes || reply.fault != nil || reply.stream != nil }

  /// Appends the bytes of the answer. A nil date is omitted.
  func write(to output: inout ByteText, date: String?) {
    let length = reply.response.body.count
    switch reply.fault {
    case .close: break
    case .raw(let bytes): output.append(bytes)
    case .truncated(let count): writeMessage(&output, date, length: length, bytes: max(0, count))
    case .declaredLength(let declared): writeMessage(&output, date, length: declared, bytes: length)
    case nil: writeMessage(&output, date, length: length, bytes: length)
    }
  }

  private func writeMessage(_ output: inout ByteText, _ date: String?, length: Int, bytes: Int) {
    let status = (200...999).contains(reply.response.status) ? reply.response.status : 500
    output.append("HTTP/1.1 ")
    output.append(Int64(status))
    output.append(" ")
    output.append(HTTPReason.phrase(of: status))
    if let date {
      output.append("\r\nDate: ")
      output.append(date)
    }
    unsafe reply.response.headers.forEachLine { name, value in
      if unsafe Self.isOurs(name) { return }
      output.append("\r\n")
      unsafe output.append(line: name)
      output.append(": ")
      unsafe output.append(line: value)
    }
    let hasBody = status != 204 && status != 304
    if status != 204, reply.stream == nil {
      output.append("\r\nContent-Length: ")
      output.append(Int64(length))
    }
    if isLast {
      output.append("\r\nConnection: close")
    } else if persistence.minorVersion == 0 {
      output.append("\r\nConnection: keep-alive")
    }
    output.append("\r\n\r\n")
    if hasBody, !isHead { output.append(reply.response.body, first: bytes) }
  }

  /// Whether a header states where the answer ends: the server writes those itself.
  private static func isOurs(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    switch name.count {
    case 10: unsafe name.isWord("connection")
    case 14: unsafe name.isWord("content-length")
    case 17: unsafe name.isWord("transfer-encoding")
    default: false
    }
  }
}

extension ByteText {
  /// Adds text for a single line: each control character becomes a space.
  fileprivate mutating func append(line text: UnsafeBufferPointer<UInt8>) {
    if unsafe text.endOfText(from: 0, to: text.count, isASCII: false) == text.count { return unsafe append(text) }
    for index in text.indices { unsafe append(text[index].isControl ? .space : text[index]) }
  }
}

/// The reason phrase of a status (RFC 9110, section 15), for people who read a trace; clients ignore it.
enum HTTPReason {
  static func phrase(of status: Int) -> String {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 418: "I'm a Teapot"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    default: "Status"
    }
  }
}
