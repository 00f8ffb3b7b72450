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
    var hasher = Hasher()
    for text in [path, query ?? ""] {
      hasher.combine(text.utf8.count)
      unsafe text.utf8.withContiguousStorageIfAvailable { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        ?? text.utf8.forEach { hasher.combine($0) }
    }
    hasher.combine(body)
    return hasher.finalize()
  }
}
