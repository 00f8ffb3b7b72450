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
    var hasher = Hasher()
    hasher.combine(path.withUTF8 { unsafe NameDigest($0).hash })
    hasher.combine(query.withUTF8 { unsafe NameDigest($0).hash })
    hasher.combine(unsafe body.withUnsafeBufferPointer { unsafe NameDigest($0).hash })
    return hasher.finalize()
  }
}
