import SKANHTTP

/// Requests by URLSession in this process, one after another, each with a deadline for the whole of it.
///
/// URLSession on Linux can be brought to a standstill, to a crash or to any use of memory by what answers it. The program
/// therefore lets a process of its own do this (``HelperTransport``), which can be ended whatever it is at.
package struct HTTPTransport: Sendable {
  /// The most redirects that are followed.
  package static let redirectLimit = 20

  /// Costs nothing; the session is made at the first request.
  package init() {}

  /// Makes the session now.
  func prepare() { _ = HTTPSession.shared }

  /// Asks and waits, blocking the calling thread.
  ///
  /// Any status is an answer. A redirect is followed only to where ``HTTPAddress/allowsRedirect(to:)`` lets it go, and
  /// none after a POST.
  ///
  /// - Parameters:
  ///   - request: of an absolute URL without user info, percent-encoded.
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

  /// Where the answer sends the client; nil when it is not a redirect.
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

  /// nil when the URL cannot be asked; one with a user name cannot, lest it be sent.
  private static func address(of url: String) -> HTTPAddress? {
    guard let parts = try? URLParts(url), !parts.hasUserInfo else { return nil }
    return parts.address
  }
}
