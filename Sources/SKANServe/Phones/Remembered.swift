import SKANBase
import SKANHTTP

/// What is remembered of a phone, and which request was its last.
struct Remembered<Value> {
  var value: Value
  private var last: Int?

  init(_ value: Value) { self.value = value }

  /// Whether the request is the same as the one before: the app may have tried again.
  mutating func repeats(_ request: HTTPRequest) -> Bool {
    let digest = request.digest
    defer { last = digest }
    return last == digest
  }
}

extension HTTPRequest {
  /// Stands for path, query and body, the same in one run of the server.
  fileprivate var digest: Int {
    var (path, query) = (path, query ?? "")
    let parts = unsafe (
      path.withUTF8 { unsafe NameDigest($0).hash }, query.withUTF8 { unsafe NameDigest($0).hash },
      body.withUnsafeBufferPointer { unsafe NameDigest($0).hash }
    )
    // Odd factors keep what is the path's apart from what is the query's, and lose nothing.
    return parts.0 &* 31 &+ parts.1 &* 17 &+ parts.2
  }
}
