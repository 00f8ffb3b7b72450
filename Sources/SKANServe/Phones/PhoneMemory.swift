/// What is remembered of each phone, for a limited number of phones: the one not heard of for longest goes first.
struct PhoneMemory<Value> {
  private struct Entry {
    var key: String
    var value: Value
    var older: Int
    var newer: Int
  }

  /// No entry.
  private static var none: Int { -1 }

  let limit: Int
  private var indices: [String: Int] = [:]
  private var entries: [Entry] = []
  private var oldest = Self.none
  private var newest = Self.none
  /// How many phones were forgotten so far.
  private(set) var forgotten = 0

  init(limit: Int) { self.limit = max(1, limit) }

  var count: Int { entries.count }

  /// Reads and changes what is known of a phone, which is then the one heard of last.
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

  /// What is known of a phone, without hearing of it.
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
