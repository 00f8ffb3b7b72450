import SKANDevice
import SKANEndpoint

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
    server.unixTime = { Int(now().wholeSeconds) }
  }

  /// Listens; from then on clients can connect.
  package func bind() throws(HTTPBindFailure) -> HTTPServerAddress { try server.bind() }

  /// Serves until told to stop, or for so many requests.
  package func run(stopAfter count: Int?, until shouldStop: () -> Bool) throws(HTTPBindFailure) {
    try server.run(stopAfter: count, until: shouldStop)
  }

  private static func response(to request: HTTPServerRequest, from service: ReferenceService) -> HTTPServerResponse {
    let reply = service.reply(
      to: ReferenceService.Request(
        method: request.method, path: request.path, query: request.query ?? "", peer: request.peer,
        deviceTime: request.fields[ReferenceEndpoint.deviceTimeHeader], fault: request.fields[Fault.header]))
    var response = HTTPServerResponse(
      status: reply.status, fields: [HTTPField("Content-Type", reply.contentType)], body: reply.body)
    if let allow = reply.allow { response.fields.append(HTTPField("Allow", allow)) }
    switch reply.fault {
    case .close?: response.fault = .close
    case .truncated?: response.fault = .truncated(reply.body.count / 2)
    case .notHTTP?: response.fault = .raw(Array("This is no HTTP.\r\n".utf8))
    case .field?, .body?, .status?, nil: break
    }
    return response
  }
}

extension HTTPBindFailure {
  /// The failure in words.
  package var words: String {
    switch self {
    case .addressInUse(let host, let port): "\(host):\(port) is in use already; --port 0 picks a free port"
    case .noPermission(let host, let port): "no permission to listen on \(host):\(port)"
    case .unknownHost(let host, let reason): "--host \(host) cannot be used: \(reason)"
    case .foreignHost(let host): "--host \(host) is no address of this machine"
    case .system(let call, _, let reason): "cannot listen: \(call): \(reason)"
    }
  }
}
