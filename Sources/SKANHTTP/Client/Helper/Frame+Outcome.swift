extension Frame {
  /// A frame of how a request ended.
  package static func of(_ outcome: Result<HTTPExchange, TransportFailure>) -> [UInt8] {
    of { writer in
      switch outcome {
      case .success(let exchange):
        writer.put(0)
        writer.put(exchange)
      case .failure(let failure):
        writer.put(1)
        failure.write(to: &writer)
      }
    }
  }

  static func outcome(_ bytes: [UInt8]) throws(FrameReader.Malformed) -> Result<HTTPExchange, TransportFailure> {
    var reader = FrameReader(bytes)
    switch try reader.number() {
    case 0: return .success(try reader.exchange())
    case 1: return .failure(try TransportFailure(from: &reader))
    default: throw FrameReader.Malformed()
    }
  }
}

extension TransportFailure {
  fileprivate func write(to writer: inout FrameWriter) {
    let (kind, text, number) = parts
    writer.put(kind)
    writer.put(text) { $0.put($1) }
    writer.put(number)
  }

  /// The number of its case below, its text and its number.
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

  fileprivate init(from reader: inout FrameReader) throws(FrameReader.Malformed) {
    let kind = try reader.number()
    let text = try reader.optional { (reader) throws(FrameReader.Malformed) in try reader.text() }
    let number = try reader.double()
    guard let failure = TransportFailure.of(kind, text, number) else { throw FrameReader.Malformed() }
    self = failure
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
