import SKANDevice
import SKANHTTP
import SKANModel

/// A phone's request as a handler gets it.
struct PhoneRequest {
  let request: HTTPRequest
  /// The parameters of its query.
  let query: ConversionQuery
  /// The phone's clock, or else the server's.
  let time: Instant
  /// Whether the phone said what time it has.
  let statesTime: Bool
  /// The address that it came from.
  let peer: String

  /// A HEAD is answered as a GET would be, and changes nothing.
  var isHead: Bool { request.method == "HEAD" }
}
