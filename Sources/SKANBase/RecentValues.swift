/// The values of a limited number of keys. The least recently used key is forgotten first.
///
///     var phones = RecentValues<String, Int>(limit: 2)
///     for phone in ["a", "b", "a", "c"] { phones.with(phone, new: 0) { $0 += 1 } }
///     phones.known("b")  // nil
package struct RecentValues<Key: Hashable, Value> {
  private struct Entry {
    var key: Key
    var value: Value
    var older: Int
    var newer: Int
  }

  /// The index of no entry.
  private static var none: Int { -1 }

  /// The most keys with a value.
  package let limit: Int
  private var indices: [Key: Int] = [:]
  private var entries: [Entry] = []
  private var oldest = Self.none
  private var newest = Self.none
  /// The number of keys forgotten so far.
  package private(set) var forgotten = 0

  /// - Parameter limit: at least 1; less counts as 1.
  package init(limit: Int) { self.limit = max(1, limit) }

  /// The number of keys with a value.
  package var count: Int { entries.count }

  /// The values, in the order in which their keys came, as long as none is forgotten.
  package var values: [Value] { entries.map(\.value) }

  /// Reads and changes the value of a key, and makes the key the most recently used.
  ///
  /// - Parameter new: the value of a key that has none.
  package mutating func with<Result>(
    _ key: Key, new: @autoclosure () -> Value, _ body: (inout Value) -> Result
  ) -> Result {
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

  /// The value of a key; nil if it has none. The key does not count as used.
  package func known(_ key: Key) -> Value? { indices[key].map { entries[$0].value } }

  /// The value that is forgotten when this key gets one; nil if there is room, or if the key has a value.
  package func makesForget(_ key: Key) -> Value? {
    entries.count < limit || indices[key] != nil ? nil : entries[oldest].value
  }

  /// Forgets all keys.
  package mutating func removeAll() {
    indices.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    (oldest, newest) = (Self.none, Self.none)
  }

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
