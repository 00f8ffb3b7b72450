import SKANBase
import SKANHTTP

/// A phone's value, and a digest of its last request.
struct Remembered<Value> {
  var value: Value
  private var last: Int?

  init(_ value: Value) { self.value = value }

  /// Whether the request equals the previous one, which may mean a retry by the app.
  mutating func repeats(_ request: HTTPRequest) -> Bool {
    let digest = request.digest
    defer { last = digest }
    return last == digest
  }
}

extension HTTPRequest {
  /// A digest of path, query and body, valid within one run of the server.
  fileprivate var digest: Int {
    var (path, query) = (path, query ?? "")
    let parts = unsafe (
      path.withUTF8 { unsafe NameDigest($0).hash }, query.withUTF8 { unsafe NameDigest($0).hash },
      body.withUnsafeBufferPointer { unsafe NameDigest($0).hash }
    )
    // Odd factors lose no bits, and distinguish path, query and body.
    return parts.0 &* 31 &+ parts.1 &* 17 &+ parts.2
  }
}

/// Reports when a full memory of phones (``RecentValues``) forgets some: at the 1st, 10th, 100th and so on.
struct ForgottenPhones {
  /// The most phones that a memory holds.
  let limit: Int
  /// Receives a line for the person at the server.
  let report: (String) -> Void

  /// - Parameters:
  ///   - before: the number of phones forgotten before a request.
  ///   - count: the number after it.
  func note(before: Int, after count: Int) {
    guard count > before, String(count).reversed().drop(while: { $0 == "0" }).elementsEqual("1") else { return }
    report(
      count == 1
        ? "forgot the phone not heard of for longest: \(limit) are remembered"
        : "forgot \(count) phones so far: \(limit) are remembered")
  }
}
