import SKANHTTP

extension HTTPTransport {
  /// A GET, as the tests write it.
  func get(
    _ url: String, headers: [(String, String)] = [], deadline: Double, limit: Int = HTTPRequest.defaultMaxBytes,
    isInterrupted: () -> Bool = { false }
  ) -> Result<HTTPExchange, TransportFailure> {
    let headers = headers.map { HTTPHeader($0.0, $0.1) }
    return send(
      HTTPRequest(url: url, headers: headers, maxSeconds: deadline, maxBytes: limit), isInterrupted: isInterrupted)
  }
}
