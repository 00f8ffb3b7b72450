import SKANHTTP
import skan_http

extension HTTPTransport {
  /// A GET, as the tests write it.
  func get(
    _ url: String, headers: [(String, String)] = [], deadline: Double, limit: Int = HTTPAnswerLimits.defaultBytes,
    isInterrupted: () -> Bool = { false }
  ) -> Result<HTTPExchange, TransportFailure> {
    send(
      .get(url, headers: HTTPFields(headers.map { HTTPField($0.0, $0.1) })),
      within: HTTPAnswerLimits(seconds: deadline, bytes: limit), isInterrupted: isInterrupted)
  }
}
