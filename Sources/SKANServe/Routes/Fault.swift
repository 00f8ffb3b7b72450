import SKANHTTP
import SKANBase

/// A fault that a request's header `X-SKAN-Fault` asks for. There is a name for each hazard of an answer.
package enum Fault: Sendable, Equatable {
  /// Replaces the value of a member; nil removes the member.
  case field(String, String?)
  /// Replaces the body.
  case body(String)
  /// Sends the same body with this HTTP status.
  case status(Int)
  /// Closes the connection without an answer.
  case close
  /// Truncates the body.
  case truncated
  /// Sends bytes that are not HTTP.
  case notHTTP

  package static let header = "X-SKAN-Fault"

  private static let value = "conversion_value"
  private static let coarse = "skan_updated_coarse_value"
  private static let lock = "skan_updated_lock_window_value"

  /// Every name and its fault, apart from `status-NNN`.
  package static let named: [(name: String, fault: Fault)] = [
    ("illegal-values", .field(value, "64")), ("value-negative", .field(value, "-1")),
    ("value-fraction", .field(value, "1.7")), ("value-boolean", .field(value, "true")),
    ("value-string", .field(value, "\"5\"")), ("value-text", .field(value, "\"abc\"")),
    ("value-null", .field(value, "null")), ("value-array", .field(value, "[]")),
    ("value-object", .field(value, "{}")), ("value-beyond-32-bits", .field(value, "4294967297")),
    ("no-value", .field(value, nil)),
    ("illegal-coarse", .field(coarse, "3")), ("coarse-fraction", .field(coarse, "1.9")),
    ("coarse-boolean", .field(coarse, "true")), ("coarse-string", .field(coarse, "\"1\"")),
    ("coarse-text", .field(coarse, "\"high\"")), ("coarse-null", .field(coarse, "null")),
    ("coarse-array", .field(coarse, "[]")), ("coarse-object", .field(coarse, "{}")),
    ("coarse-beyond-32-bits", .field(coarse, "4294967296")), ("no-coarse", .field(coarse, nil)),
    ("lock", .field(lock, "true")), ("lock-number", .field(lock, "1")), ("lock-string", .field(lock, "\"YES\"")),
    ("lock-null", .field(lock, "null")), ("lock-array", .field(lock, "[]")), ("lock-object", .field(lock, "{}")),
    ("index-mismatch", .field("postback_sequence_index", "2")),
    ("status-not-string", .body("{\"status\":1}")), ("status-null", .body("{\"status\":null}")),
    ("server-error", .body("{\"reason\":\"fault on demand\",\"status\":\"error\"}")),
    ("array", .body("[]")), ("empty", .body("")), ("fragment", .body("5")), ("html", .body("<html></html>")),
    ("trailing-garbage", .body("{\"conversion_value\":1}x")), ("truncated-json", .body("{\"conversion_value\":")),
    ("close", .close), ("truncated", .truncated), ("not-http", .notHTTP),
  ]

  /// What the fault does to an answer, for a person.
  package var effect: String {
    switch self {
    case .field(let name, let value?): "\(name) is \(value)"
    case .field(let name, nil): "\(name) is left out"
    case .body(""): "the body is empty"
    case .body(let text): "the body is \(text)"
    case .status(let status): "the HTTP status is \(status)"
    case .close: "the connection closes without an answer"
    case .truncated: "half of the body is sent"
    case .notHTTP: "what is sent is not HTTP"
    }
  }

  /// The fault of a header's value, including `status-503` and the like.
  package init?(_ name: String) {
    if let fault = Self.named.first(where: { $0.name == name })?.fault {
      self = fault
    } else if name.hasPrefix("status-"), let status = Int(name.dropFirst(7)), (200...599).contains(status) {
      self = .status(status)
    } else {
      return nil
    }
  }

  /// The transport fault; nil when only the content is altered.
  func fault(of body: [UInt8]) -> HTTPFault? {
    switch self {
    case .close: .close
    case .truncated: .truncated(body.count / 2)
    case .notHTTP: .raw(Array("This is no HTTP.\r\n".utf8))
    case .field, .body, .status: nil
    }
  }

  /// Applies the fault to an answer's body.
  func applied(to body: [UInt8]) -> [UInt8] {
    switch self {
    case .body(let text): return Array(text.utf8)
    case .status, .close, .truncated, .notHTTP: return body
    case .field(let name, let text):
      guard let node = try? JSONReader.read(body), case .object(let members) = node.content else {
        return body
      }
      // Members are text, so that 1.7 and "5" are sent as written here.
      var parts = members.filter { $0.key != name }.map { ($0.key, JSONWriter.text($0.value.value)) }
      if let text { parts.append((name, text)) }
      if text != nil, name != Self.value, !parts.contains(where: { $0.0 == Self.value }) {
        parts.append((Self.value, "1"))
      }
      let text = parts.sorted { $0.0 < $1.0 }.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
      return Array("{\(text)}".utf8)
    }
  }
}
