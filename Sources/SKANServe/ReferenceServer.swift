import SKANDevice
import SKANHTTP
import SKANModel

/// The reference endpoint over HTTP/1.1: a service behind a server.
package final class ReferenceServer {
  private let server: HTTPServer

  /// - Parameters:
  ///   - latency: seconds that each answer takes.
  ///   - now: for the `Date` header.
  package init(
    _ service: ReferenceService, host: String, port: UInt16, latency: Double = 0, limits: HTTPLimits = HTTPLimits(),
    now: @escaping () -> Instant
  ) {
    server = HTTPServer(host: host, port: port, limits: limits) { request in
      var response = Self.response(to: request, from: service)
      response.after = latency
      return response
    }
    server.beforeSending = { service.flush() }
    server.onFailure = { failure, _ in service.record(failure) }
    server.unixTime = { Int(now().wholeSeconds) }
  }

  /// Listens; from then on clients can connect.
  package func bind() throws(HTTPBindFailure) -> HTTPServerAddress { try server.bind() }

  /// Serves until told to stop, or for so many requests.
  package func run(stopAfter count: Int?, until shouldStop: () -> Bool) throws(HTTPBindFailure) {
    try server.run(stopAfter: count, until: shouldStop)
  }

  /// Says in one line of ASCII what the journal says.
  package static let explanationHeader = "X-SKAN-Explanation"

  /// Lets the pages of a site read the answer, and send what the server takes.
  private static func permission(_ origin: String, _ methods: String?) -> [HTTPField] {
    var fields = [
      HTTPField("Access-Control-Allow-Origin", origin), HTTPField("Vary", "Origin"),
      HTTPField("Access-Control-Expose-Headers", explanationHeader),
    ]
    if let methods {
      fields.append(HTTPField("Access-Control-Allow-Methods", methods))
      fields.append(
        HTTPField("Access-Control-Allow-Headers", "\(ReferenceEndpoint.deviceTimeHeader), \(Fault.header)"))
    }
    return fields
  }

  private static func response(to request: HTTPServerRequest, from service: ReferenceService) -> HTTPServerResponse {
    let reply = service.reply(
      to: ReferenceService.Request(
        method: request.method, path: request.path, query: request.query ?? "", peer: request.peer,
        deviceTime: request.fields[ReferenceEndpoint.deviceTimeHeader], fault: request.fields[Fault.header],
        site: RequestSite(
          host: request.fields["Host"], origin: request.fields["Origin"], referer: request.fields["Referer"],
          fetchSite: request.fields["Sec-Fetch-Site"])))
    var response = HTTPServerResponse(
      status: reply.status, fields: [HTTPField("Content-Type", reply.contentType)], body: reply.body)
    response.isCounted = reply.isCounted
    if !reply.explanation.isEmpty {
      response.fields.append(HTTPField(explanationHeader, reply.explanation.headerText))
    }
    if let allow = reply.allow { response.fields.append(HTTPField("Allow", allow)) }
    if let origin = reply.allowedOrigin { response.fields += permission(origin, reply.allow) }
    switch reply.fault {
    case .close?: response.fault = .close
    case .truncated?: response.fault = .truncated(reply.body.count / 2)
    case .notHTTP?: response.fault = .raw(Array("This is no HTTP.\r\n".utf8))
    case .field?, .body?, .status?, nil: break
    }
    return response
  }
}
