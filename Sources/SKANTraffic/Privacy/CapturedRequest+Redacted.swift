import SKANHTTP
import SKANModel

extension CapturedRequest {
  /// The URL with a mark for each secret, for a message.
  package var redactedURL: String { request.target.redacted.text }

  /// The form of a POST with a mark for each secret; nil where the body is not a text, or is JSON.
  package var redactedForm: String? {
    guard !request.body.isEmpty, let text = String(validating: request.body, as: UTF8.self),
      request.body.first != UInt8(ascii: "{"), request.body.first != UInt8(ascii: "[")
    else { return nil }
    return SecretParameter.redacted(text)
  }

  /// The values of the request's secrets, each once.
  package var secrets: [String] {
    var known: Set<String> = []
    let all =
      SecretParameter.values(in: request.query ?? "")
      + SecretParameter.values(in: String(decoding: request.body, as: UTF8.self))
    return all.filter { known.insert($0).inserted }
  }
}

extension HTTPTarget {
  fileprivate var redacted: HTTPTarget {
    var target = self
    target.query = query.map { SecretParameter.redacted($0) }
    if let at = origin.lastIndex(of: "@"), let slashes = origin.firstRange(of: "//"), slashes.upperBound < at {
      target.origin.replaceSubrange(slashes.upperBound..<at, with: SecretParameter.mark)
    }
    return target
  }
}
