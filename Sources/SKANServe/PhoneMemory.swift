import SKANBase
import SKANHTTP

/// The facts remembered about a limited number of phones. The least recently seen one is forgotten first.
struct PhoneMemory<Value> {
  private struct Entry {
    var key: String
    var value: Value
    var older: Int
    var newer: Int
  }

  /// The index of no entry.
  private static var none: Int { -1 }

  let limit: Int
  private var indices: [String: Int] = [:]
  private var entries: [Entry] = []
  private var oldest = Self.none
  private var newest = Self.none
  /// The number of phones forgotten so far.
  private(set) var forgotten = 0

  init(limit: Int) { self.limit = max(1, limit) }

  var count: Int { entries.count }

  /// Reads and changes a phone's value, and makes the phone the most recently seen.
  mutating func with<Result>(_ key: String, new: @autoclosure () -> Value, _ body: (inout Value) -> Result) -> Result {
    let index: Int
    if let known = indices[key] {
      index = known
      unlink(index)
    } else if entries.count < limit {
      index = entries.count
      entries.append(Entry(key: key, value: new(), older: Self.none, newer: Self.none))
      indices[key] = index
    } else {
      index = oldest
      unlink(index)
      indices.removeValue(forKey: entries[index].key)
      entries[index] = Entry(key: key, value: new(), older: Self.none, newer: Self.none)
      indices[key] = index
      forgotten += 1
    }
    linkAsNewest(index)
    return body(&entries[index].value)
  }

  /// A phone's value, without making the phone the most recently seen.
  func known(_ key: String) -> Value? { indices[key].map { entries[$0].value } }

  private mutating func unlink(_ index: Int) {
    let (older, newer) = (entries[index].older, entries[index].newer)
    if older == Self.none { oldest = newer } else { entries[older].newer = newer }
    if newer == Self.none { newest = older } else { entries[newer].older = older }
  }

  private mutating func linkAsNewest(_ index: Int) {
    entries[index].older = newest
    entries[index].newer = Self.none
    if newest == Self.none { oldest = index } else { entries[newest].newer = index }
    newest = index
  }
}

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

/// Reports when a full ``PhoneMemory`` forgets phones: at the 1st, 10th, 100th and so on.
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
