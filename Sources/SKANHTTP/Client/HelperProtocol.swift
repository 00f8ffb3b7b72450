import SKANBase

/// The protocol between `skan` and `skan-http`, the program that sends its requests.
///
/// `skan` starts `skan-http` with one end of a socket as its standard input. The first frame is the greeting, which
/// `skan-http` answers. After it, `skan` sends requests, each of which `skan-http` answers with a frame.
package enum HelperProtocol {
  /// The file name of the program that sends requests.
  package static let programName = "skan-http"

  /// The exit status of `skan-http` if an answer takes too much memory.
  package static let memoryExitCode: Int32 = 3

  /// The exit status of `skan-http` if the greeting does not match its version.
  package static let versionExitCode: Int32 = 4

  /// The longest time in seconds from the start of `skan-http` to its greeting. It does not count for a request.
  static let startSeconds = 8.0

  /// The content of the first frame: the version, because frames may differ between versions.
  package static var greeting: [UInt8] { greeting(version: ProgramVersion.text) }

  /// The answer to the greeting. It differs from the greeting, which any program may return.
  package static var answerToGreeting: [UInt8] { greeting + " is ready".utf8 }

  static func greeting(version: String) -> [UInt8] { Array("\(programName) \(version)".utf8) }

  /// The possible paths of `skan-http`: in `libexec`, where `scripts/install` puts it, and beside `skan`, where a build
  /// does. The `PATH` is not searched.
  ///
  /// - Parameter folder: the folder of `skan` itself, links resolved.
  package static func places(besideProgramIn folder: String) -> [String] {
    ["\(folder)/../libexec/skan/\(programName)", "\(folder)/\(programName)"]
  }
}

/// A message between this process and the one that sends its requests: a length, and that many bytes.
package enum Frame {
  /// The number of bytes of the length.
  package static let headLength = 8

  /// The bytes do not encode a frame's content.
  package struct Malformed: Error {}

  /// A frame with the content that `write` writes.
  static func of(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
    [UInt8](writing: { writer in
      writer.put(fixed: Int64(0))
      write(&writer)
      writer.replace(at: 0, fixed: Int64(writer.count - headLength))
    })
  }

  /// A frame with the given content.
  package static func of(_ content: [UInt8]) -> [UInt8] { of { $0.putPlain(content) } }

  /// The length in a frame's head.
  package static func length(_ head: [UInt8]) -> Int? { head.reading { Int($0.fixed(Int64.self)) } }

  private static func read<Value>(
    _ bytes: [UInt8], _ read: (inout ByteReader) -> Value
  ) throws(Malformed) -> Value {
    guard let value = bytes.reading(read) else { throw Malformed() }
    return value
  }

  /// A frame with a request of the parent.
  static func of(_ request: HTTPRequest, _ limits: HTTPAnswerLimits) -> [UInt8] {
    of { writer in
      writer.put(request)
      writer.put(limits.seconds)
      writer.put(limits.bytes)
    }
  }

  /// Reads a request of the parent.
  package static func request(_ bytes: [UInt8]) throws(Malformed) -> (HTTPRequest, HTTPAnswerLimits) {
    try read(bytes) { ($0.request(), HTTPAnswerLimits(seconds: $0.double(), bytes: $0.number())) }
  }

  /// A frame with the outcome of a request.
  package static func of(_ outcome: Result<HTTPExchange, TransportFailure>) -> [UInt8] {
    of { writer in
      switch outcome {
      case .success(let exchange):
        writer.put(true)
        writer.put(exchange)
      case .failure(let failure):
        writer.put(false)
        failure.write(to: &writer)
      }
    }
  }

  static func outcome(_ bytes: [UInt8]) throws(Malformed) -> Result<HTTPExchange, TransportFailure> {
    try read(bytes) { $0.flag() ? .success($0.exchange()) : .failure(TransportFailure(from: &$0)) }
  }
}

extension ByteWriter {
  fileprivate mutating func put(_ request: HTTPRequest) {
    put(request.method)
    put(request.target.text)
    put(request.headers)
    put(request.body)
  }

  private mutating func put(_ response: HTTPResponse) {
    put(response.status)
    put(response.headers)
    put(response.body)
  }

  fileprivate mutating func put(_ exchange: HTTPExchange) {
    put(exchange.response)
    put(exchange.url)
    put(all: exchange.hops) { writer, hop in
      writer.put(hop.request)
      writer.put(hop.response) { $0.put($1) }
    }
    put(exchange.seconds)
  }

  private mutating func put(_ headers: HTTPFields) {
    put(all: headers) { writer, field in
      writer.put(field.name)
      writer.put(field.value)
    }
  }
}

extension ByteReader {
  fileprivate mutating func request() -> HTTPRequest {
    HTTPRequest(method: text(), target: HTTPTarget(text()), headers: headers(), body: data())
  }

  private mutating func response() -> HTTPResponse {
    HTTPResponse(status: number(), headers: headers(), body: data())
  }

  fileprivate mutating func exchange() -> HTTPExchange {
    HTTPExchange(
      response(), url: text(), hops: all { HTTPHop($0.request(), $0.optional { $0.response() }) }, seconds: double())
  }

  private mutating func headers() -> HTTPFields { HTTPFields(all { HTTPField($0.text(), $0.text()) }) }
}

extension TransportFailure {
  fileprivate func write(to writer: inout ByteWriter) {
    let (kind, text, number) = parts
    writer.put(kind)
    writer.put(text) { $0.put($1) }
    writer.put(number)
  }

  /// The failure as a number for its case, a text and a number.
  private var parts: (kind: Int, text: String?, number: Double) {
    switch self {
    case .badURL: (0, nil, 0)
    case .badHeader(let name): (1, name, 0)
    case .noSuchHost: (2, nil, 0)
    case .connectionRefused(let proxy): (3, proxy, 0)
    case .unreachable(let reason): (4, reason, 0)
    case .timedOut(let seconds): (5, nil, seconds)
    case .interrupted: (6, nil, 0)
    case .closedWithoutAnswer: (7, nil, 0)
    case .connectionReset: (8, nil, 0)
    case .truncated: (9, nil, 0)
    case .notHTTP: (10, nil, 0)
    case .malformedHTTP(let text): (11, text, 0)
    case .badCompression: (12, nil, 0)
    case .tls(let text): (13, text, 0)
    case .redirectRefused(let target): (14, target, 0)
    case .tooManyRedirects(let limit): (15, nil, Double(limit))
    case .bodyTooLarge(let limit): (16, nil, Double(limit))
    case .headTooLarge(let limit): (17, nil, Double(limit))
    case .crashed: (18, nil, 0)
    case .noHelper(let reason): (19, reason, 0)
    case .tooMuchMemory(let limit): (20, nil, Double(limit))
    case .other(let code, let text): (21, text, Double(code))
    }
  }

  fileprivate init(from reader: inout ByteReader) {
    let failure = Self.of(reader.number(), reader.optional { $0.text() }, reader.double())
    if failure == nil { reader.fail() }
    self = failure ?? .crashed
  }

  private static func of(_ kind: Int, _ text: String?, _ number: Double) -> TransportFailure? {
    guard let whole = kind == 5 ? 0 : Int(exactly: number) else { return nil }
    return switch kind {
    case 0: .badURL
    case 1: text.map { .badHeader($0) }
    case 2: .noSuchHost
    case 3: .connectionRefused(proxy: text)
    case 4: text.map { .unreachable($0) }
    case 5: .timedOut(number)
    case 6: .interrupted
    case 7: .closedWithoutAnswer
    case 8: .connectionReset
    case 9: .truncated
    case 10: .notHTTP
    case 11: text.map { .malformedHTTP($0) }
    case 12: .badCompression
    case 13: text.map { .tls($0) }
    case 14: text.map { .redirectRefused(to: $0) }
    case 15: .tooManyRedirects(whole)
    case 16: .bodyTooLarge(whole)
    case 17: .headTooLarge(whole)
    case 18: .crashed
    case 19: text.map { .noHelper($0) }
    case 20: .tooMuchMemory(whole)
    case 21: text.map { .other(code: whole, text: $0) }
    default: nil
    }
  }
}
