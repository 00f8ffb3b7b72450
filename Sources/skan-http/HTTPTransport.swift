import Foundation
import SKANHTTP
#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests with URLSession in this process, one after another, each with a total deadline.
///
/// On Linux, an answer can make URLSession hang, crash or use unlimited memory. The program therefore uses this in a
/// separate process (``HelperTransport``), which can be ended at any time.
package struct HTTPTransport: Sendable {
  /// The most redirects that are followed.
  package static let redirectLimit = 20

  /// Does not create the session yet; the first request does.
  package init() {}

  /// Creates the session.
  func prepare() { _ = HTTPSession.shared }

  /// Sends a request and waits for the answer, blocking the calling thread.
  ///
  /// An answer may have any status. A redirect is followed only where ``HTTPAddress/allowsRedirect(to:)`` allows it,
  /// and never after a POST.
  ///
  /// - Parameters:
  ///   - request: has an absolute, percent-encoded URL without user info.
  ///   - isInterrupted: asked about every 50 ms, on the calling thread.
  package func send(
    _ request: HTTPRequest, within limits: HTTPAnswerLimits, isInterrupted: () -> Bool = { false }
  ) -> Result<HTTPExchange, TransportFailure> {
    do throws(TransportFailure) {
      return .success(try follow(request, limits, isInterrupted: isInterrupted))
    } catch {
      return .failure(error)
    }
  }

  private func follow(
    _ request: HTTPRequest, _ limits: HTTPAnswerLimits, isInterrupted: () -> Bool
  ) throws(TransportFailure) -> HTTPExchange {
    if let field = request.headers.first(where: { !$0.isWellFormed }) { throw .badHeader(field.name) }
    let began = ContinuousClock.now
    var hops: [HTTPHop] = []
    var request = request
    while true {
      let url = request.target.text
      guard let address = Self.address(of: url) else { throw .badURL }
      let call = HTTPCall(address: address, bodyLimit: limits.bytes)
      let ending = HTTPSession.shared.run(call, request, limits) { call in
        call.wait(until: began + .seconds(limits.boundedSeconds), isInterrupted: isInterrupted)
      }
      let response: HTTPResponse
      switch ending {
      case .done(let result): response = try result.get()
      case .deadline: throw .timedOut(limits.seconds)
      case .interrupted: throw .interrupted
      }
      hops.append(HTTPHop(request, HTTPResponse(status: response.status, headers: response.headers)))
      try Self.requireShortHeads(hops)
      guard request.method == "GET", let next = try Self.redirect(of: response, at: url, address) else {
        return HTTPExchange(response, url: url, hops: hops, seconds: began.duration(to: .now) / .seconds(1))
      }
      guard hops.count <= Self.redirectLimit else { throw .tooManyRedirects(Self.redirectLimit) }
      request.target = HTTPTarget(next)
    }
  }

  private static func requireShortHeads(_ hops: [HTTPHop]) throws(TransportFailure) {
    let bytes = hops.reduce(0) { count, hop in
      hop.response?.headers.reduce(count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 } ?? count
    }
    if bytes > HTTPAnswerLimits.headBytes { throw .headTooLarge(HTTPAnswerLimits.headBytes) }
  }

  /// The URL to which an answer redirects; nil when it is not a redirect.
  private static func redirect(
    of response: HTTPResponse, at url: String, _ address: HTTPAddress
  ) throws(TransportFailure) -> String? {
    guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["Location"],
      !location.isEmpty
    else { return nil }
    guard let next = HTTPSession.resolve(location, at: url), let target = self.address(of: next) else {
      throw .redirectRefused(to: TransportFailure.cleaned(location))
    }
    guard address.allowsRedirect(to: target) else { throw .redirectRefused(to: target.text) }
    return next
  }

  /// The address of a URL; nil for an invalid URL, and for one with user info, which must not be sent.
  private static func address(of url: String) -> HTTPAddress? {
    guard let parts = try? URLParts(url), !parts.hasUserInfo else { return nil }
    return parts.address
  }
}

extension TransportFailure {
  /// The failure that a URLSession error means.
  ///
  /// On Linux many causes share the code -1, and one has a misleading code, so that only curl's sentence distinguishes
  /// them. On Darwin the code does.
  ///
  /// - Parameters:
  ///   - address: the requested address.
  ///   - hasAnswer: whether the head of an answer was received.
  ///   - seconds: the seconds since the request began.
  init(_ error: URLError, address: HTTPAddress, hasAnswer: Bool, seconds: Double) {
    let text = error.localizedDescription
    self = Self.of(error.code, text, address: address, hasAnswer: hasAnswer, seconds: seconds)
  }

  /// The failure that an error's parts mean.
  static func of(
    _ code: URLError.Code, _ text: String, address: HTTPAddress, hasAnswer: Bool, seconds: Double
  ) -> TransportFailure {
    switch code {
    case .badURL: return .badURL
    case .cannotFindHost, .dnsLookupFailed: return .noSuchHost
    case .cannotConnectToHost: return .connectionRefused(proxy: proxy(in: text, address: address))
    case .notConnectedToInternet: return .unreachable("there is no network")
    case .timedOut: return .timedOut(seconds)
    case .networkConnectionLost, .badServerResponse:
      if hasAnswer { return .truncated }
      return text.contains("eset by peer") ? .connectionReset : .closedWithoutAnswer
    case .cannotParseResponse: return .notHTTP
    case .cannotDecodeContentData, .cannotDecodeRawData: return .badCompression
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRequired,
      .clientCertificateRejected:
      return .tls(cleaned(text))
    default: return of(code.rawValue, sentence: text)
    }
  }

  /// The failures that only curl's sentence distinguishes.
  private static func of(_ code: Int, sentence text: String) -> TransportFailure {
    let lower = text.lowercased()
    if lower.contains("http/0.9") || lower.contains("unsupported http") { return .notHTTP }
    if malformed.contains(where: lower.hasPrefix) { return .malformedHTTP(cleaned(text)) }
    if lower.hasPrefix("transfer closed") || lower.contains("end of response with") { return .truncated }
    if lower.contains("content unencoding") || lower.contains("content encoding") { return .badCompression }
    if ["ssl", "tls", "certificate"].contains(where: lower.contains) { return .tls(cleaned(text)) }
    if lower.hasPrefix("failed to connect") || lower.hasPrefix("couldn't connect") {
      return .unreachable("the host cannot be reached")
    }
    return .other(code: code, text: cleaned(text))
  }

  /// The beginnings of curl's sentences about a malformed head or chunk.
  private static let malformed = [
    "failed writing header", "header without colon", "invalid content-length", "illegal or missing hexadecimal",
    "unsupported response code", "a libcurl function was given a bad argument", "invalid header",
    "malformed encoding found", "too long hexadecimal", "nul byte in header",
  ]

  /// The peer in "Failed to connect to 127.0.0.1 port 9 after 0 ms", if it is not the requested address.
  private static func proxy(in text: String, address: HTTPAddress) -> String? {
    let words = text.split(separator: " ")
    guard words.count > 6, words.starts(with: ["Failed", "to", "connect", "to"]), words[5] == "port",
      words[4].lowercased() != address.host || Int(words[6]) != address.port
    else { return nil }
    return "\(words[4]):\(words[6])"
  }

  /// The text for a message: one line of limited length, without queries, OpenSSL numbers and a final full stop.
  static func cleaned(_ text: String) -> String {
    var words = text.split(whereSeparator: \.isWhitespace).map { $0.prefix { $0 != "?" } }
    // "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number"
    if let error = words.firstIndex(where: { $0.hasPrefix("error:") }), error + 1 < words.count,
      let mark = words[error + 1].firstRange(of: "::")
    {
      words[error + 1] = words[error + 1][mark.upperBound...]
      words.removeFirst(error + 1)
    }
    let whole = words.joined(separator: " ")
    var line = String(whole.prefix(200))
    // The ellipsis also shows that an SDK key in the text may be truncated.
    if line.utf8.count < whole.utf8.count { return line + "…" }
    while line.hasSuffix(".") { line.removeLast() }
    return line.isEmpty ? "no reason given" : line
  }
}
