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
  /// - Parameter isInterrupted: asked about every 50 ms, on the calling thread.
  package func send(
    _ request: HTTPRequest, isInterrupted: () -> Bool = { false }
  ) -> Result<HTTPExchange, TransportFailure> {
    do throws(TransportFailure) {
      return .success(try follow(request, isInterrupted: isInterrupted))
    } catch {
      return .failure(error)
    }
  }

  private func follow(
    _ request: HTTPRequest, isInterrupted: () -> Bool
  ) throws(TransportFailure) -> HTTPExchange {
    if let header = request.headers.first(where: { !$0.isWellFormed }) { throw .badHeader(header.name) }
    let began = ContinuousClock.now
    var hops: [HTTPHop] = []
    var request = request
    while true {
      guard let address = Self.address(of: request.url) else { throw .badURL }
      let call = HTTPCall(address: address, bodyLimit: request.maxBytes)
      let ending = HTTPSession.shared.run(call, request) { call in
        call.wait(until: began + .seconds(request.boundedSeconds), isInterrupted: isInterrupted)
      }
      let answer: HTTPCall.Answer
      switch ending {
      case .done(let result): answer = try result.get()
      case .deadline: throw .timedOut(request.maxSeconds)
      case .interrupted: throw .interrupted
      }
      hops.append(
        HTTPHop(
          url: request.url, sent: request.headers, status: answer.status, received: answer.headers,
          method: request.body == nil ? "GET" : "POST"))
      try Self.requireShortHeads(hops)
      guard request.body == nil, let next = try Self.redirect(of: answer, at: request.url, address) else {
        return HTTPExchange(
          status: answer.status, headers: answer.headers, body: answer.body, url: request.url, hops: hops,
          seconds: began.duration(to: .now) / .seconds(1))
      }
      guard hops.count <= Self.redirectLimit else { throw .tooManyRedirects(Self.redirectLimit) }
      request.url = next
    }
  }

  private static func requireShortHeads(_ hops: [HTTPHop]) throws(TransportFailure) {
    let bytes = hops.reduce(0) { count, hop in
      hop.received.reduce(count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }
    if bytes > HTTPRequest.maxHeadBytes { throw .headTooLarge(HTTPRequest.maxHeadBytes) }
  }

  /// Where the answer sends us; nil when it is no redirect.
  private static func redirect(
    of answer: HTTPCall.Answer, at url: String, _ address: HTTPAddress
  ) throws(TransportFailure) -> String? {
    guard [301, 302, 303, 307, 308].contains(answer.status), let location = answer.headers.value(of: "Location"),
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
