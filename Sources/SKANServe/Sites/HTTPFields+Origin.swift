import SKANHTTP
import SKANModel

extension HTTPFields {
  /// Lets the pages of a site read the answer and, where the methods are named, send what the server takes.
  mutating func allow(_ origin: String, methods: String?) {
    append("Access-Control-Allow-Origin", origin)
    append("Vary", "Origin")
    append("Access-Control-Expose-Headers", ExplainedReply.header)
    guard let methods else { return }
    append("Access-Control-Allow-Methods", methods)
    append("Access-Control-Allow-Headers", "\(ReferenceEndpoint.deviceTimeHeader), \(Fault.header)")
  }
}
