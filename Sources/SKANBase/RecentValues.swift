/// The values of a limited number of keys. The least recently used key is forgotten first.
///
///     var phones = RecentValues<String, Int>(limit: 2)
///     for phone in ["a", "b", "a", "c"] { phones.with(phone, new: 0) { $0 += 1 } }
///     phones.known("b")  // nil
///
/// Public and inlinable, so that it is specialized where it is used: `skan serve` looks a phone up for each request.
public struct RecentValues<Key: Hashable, Value> {
  @usableFromInline
  struct Entry {
    @usableFromInline var key: Key
    @usableFromInline var value: Value
    @usableFromInline var older: Int
    @usableFromInline var newer: Int

    @inlinable
    init(key: Key, value: Value) { (self.key, self.value, older, newer) = (key, value, -1, -1) }
  }

  /// The most keys with a value.
  public let limit: Int
  @usableFromInline var indices: [Key: Int] = [:]
  @usableFromInline var entries: [Entry] = []
  /// The indices of two entries; -1 for no entry.
  @usableFromInline var oldest = -1
  @usableFromInline var newest = -1
  /// The number of keys forgotten so far.
  public var forgotten = 0

  /// - Parameter limit: at least 1; less counts as 1.
  @inlinable
  public init(limit: Int) { self.limit = max(1, limit) }

  /// The number of keys with a value.
  @inlinable public var count: Int { entries.count }

  /// The values, in the order in which their keys came, as long as none is forgotten.
  @inlinable public var values: [Value] { entries.map(\.value) }

  /// Reads and changes the value of a key, and makes the key the most recently used.
  ///
  /// - Parameter new: the value of a key that has none.
  @inlinable
  public mutating func with<Result>(
    _ key: Key, new: @autoclosure () -> Value, _ body: (inout Value) -> Result
  ) -> Result {
    let index: Int
    if let known = indices[key] {
      index = known
      unlink(index)
    } else if entries.count < limit {
      index = entries.count
      entries.append(Entry(key: key, value: new()))
      indices[key] = index
    } else {
      index = oldest
      unlink(index)
      indices.removeValue(forKey: entries[index].key)
      entries[index] = Entry(key: key, value: new())
      indices[key] = index
      forgotten += 1
    }
    linkAsNewest(index)
    return body(&entries[index].value)
  }

  /// The value of a key; nil if it has none. The key does not count as used.
  @inlinable
  public func known(_ key: Key) -> Value? { indices[key].map { entries[$0].value } }

  /// The value that is forgotten when this key gets one; nil if there is room, or if the key has a value.
  @inlinable
  public func makesForget(_ key: Key) -> Value? {
    entries.count < limit || indices[key] != nil ? nil : entries[oldest].value
  }

  /// Forgets all keys.
  @inlinable
  public mutating func removeAll() {
    indices.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    (oldest, newest) = (-1, -1)
  }

  @inlinable
  mutating func unlink(_ index: Int) {
    let (older, newer) = (entries[index].older, entries[index].newer)
    if older == -1 { oldest = newer } else { entries[older].newer = newer }
    if newer == -1 { newest = older } else { entries[newer].older = older }
  }

  @inlinable
  mutating func linkAsNewest(_ index: Int) {
    entries[index].older = newest
    entries[index].newer = -1
    if newest == -1 { oldest = index } else { entries[newest].newer = index }
    newest = index
  }
}
