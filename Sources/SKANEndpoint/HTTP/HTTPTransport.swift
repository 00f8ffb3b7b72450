/// Requests for a command-line tool: one after another, each with a deadline for the whole of it.
///
///     let transport = HTTPTransport()
///     switch transport.get("http://localhost:8080/api/v2/conversion_value?a=…", deadline: 2.5) {
///     case .success(let exchange): print(exchange.status)
///     case .failure(let failure): print(failure.words(address: address))
///     }
package final class HTTPTransport: Sendable {
  /// The most bytes of an unpacked body that are taken.
  package let bodyLimit: Int
  /// The most redirects that are followed.
  package static let redirectLimit = 20

  /// Costs nothing; the session is made at the first request.
  package init(bodyLimit: Int = 64 << 20) {
    self.bodyLimit = bodyLimit
  }

  /// Asks and waits, blocking the calling thread.
  ///
  /// Any status is an answer. A redirect is followed only to where ``HTTPAddress/allowsRedirect(to:)`` lets it go.
  ///
  /// - Parameters:
  ///   - url: absolute, http or https, percent-encoded.
  ///   - headers: added to those that URLSession sends by itself.
  ///   - seconds: from the call to the last byte of the body, redirects included; fractions count, and zero or less
  ///     ends the request at once.
  ///   - isInterrupted: asked about every 50 ms, on the calling thread.
  package func get(
    _ url: String, headers: [(String, String)] = [], deadline seconds: Double,
    isInterrupted: () -> Bool = { false }
  ) -> Result<HTTPExchange, TransportFailure> {
    exchange(url, headers: headers, body: nil, seconds: seconds, isInterrupted: isInterrupted)
  }

  /// Posts and waits, blocking the calling thread. A redirect is an answer like any other.
  package func post(
    _ url: String, headers: [(String, String)] = [], body: [UInt8], deadline seconds: Double,
    isInterrupted: () -> Bool = { false }
  ) -> Result<HTTPExchange, TransportFailure> {
    exchange(url, headers: headers, body: body, seconds: seconds, isInterrupted: isInterrupted)
  }

  private func exchange(
    _ url: String, headers: [(String, String)], body: [UInt8]?, seconds: Double, isInterrupted: () -> Bool
  ) -> Result<HTTPExchange, TransportFailure> {
    let headers = headers.map { HTTPHeader($0.0, $0.1) }
    guard FoundationCrash.happened == 0 else { return .failure(.sessionLost) }
    return FoundationCrash.watching {
      do throws(TransportFailure) {
        return .success(try follow(url, headers: headers, body: body, seconds: seconds, isInterrupted: isInterrupted))
      } catch {
        return .failure(error)
      }
    }
  }

  /// - Parameter body: nil asks for something, and follows redirects.
  private func follow(
    _ start: String, headers: [HTTPHeader], body: [UInt8]?, seconds: Double, isInterrupted: () -> Bool
  ) throws(TransportFailure) -> HTTPExchange {
    if let header = headers.first(where: { !$0.isWellFormed }) { throw .badHeader(header.name) }
    // Bounded, because neither clock nor session takes any number; a NaN counts as zero.
    let bounded = seconds > 0 ? min(seconds, 1_000_000) : 0
    let began = ContinuousClock.now
    var hops: [HTTPHop] = []
    var url = start
    while true {
      guard let address = Self.address(of: url) else { throw .badURL }
      let call = HTTPCall(address: address, bodyLimit: bodyLimit)
      let ending = HTTPSession.shared.run(call, url: url, headers: headers, body: body, seconds: bounded) { call in
        call.wait(until: began + .seconds(bounded), isInterrupted: isInterrupted)
      }
      let answer: HTTPCall.Answer
      switch ending {
      case .done(let result): answer = try result.get()
      case .deadline: throw .timedOut(seconds)
      case .interrupted: throw .interrupted
      }
      hops.append(
        HTTPHop(
          url: url, sent: headers, status: answer.status, received: answer.headers,
          method: body == nil ? "GET" : "POST"))
      guard body == nil, let next = try Self.redirect(of: answer, at: url, address) else {
        return HTTPExchange(
          status: answer.status, headers: answer.headers, body: answer.body, url: url, hops: hops,
          seconds: began.duration(to: .now) / .seconds(1))
      }
      guard hops.count <= Self.redirectLimit else { throw .tooManyRedirects(Self.redirectLimit) }
      url = next
    }
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
