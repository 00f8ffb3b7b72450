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
  private var places: [String: Int] = [:]
  private var entries: [Entry] = []
  private var oldest = Self.none
  private var newest = Self.none
  /// How many phones were forgotten so far.
  private(set) var forgotten = 0

  init(limit: Int) { self.limit = max(1, limit) }

  var count: Int { entries.count }

  /// Reads and changes what is known of a phone, which is then the one heard of last.
  mutating func with<Result>(_ key: String, new: @autoclosure () -> Value, _ body: (inout Value) -> Result) -> Result {
    let place: Int
    if let known = places[key] {
      place = known
      unlink(place)
    } else if entries.count < limit {
      place = entries.count
      entries.append(Entry(key: key, value: new(), older: Self.none, newer: Self.none))
      places[key] = place
    } else {
      place = oldest
      unlink(place)
      places.removeValue(forKey: entries[place].key)
      entries[place] = Entry(key: key, value: new(), older: Self.none, newer: Self.none)
      places[key] = place
      forgotten += 1
    }
    linkAsNewest(place)
    return body(&entries[place].value)
  }

  /// What is known of a phone, without hearing of it.
  func known(_ key: String) -> Value? { places[key].map { entries[$0].value } }

  private mutating func unlink(_ place: Int) {
    let (older, newer) = (entries[place].older, entries[place].newer)
    if older == Self.none { oldest = newer } else { entries[older].newer = newer }
    if newer == Self.none { newest = older } else { entries[newer].older = older }
  }

  private mutating func linkAsNewest(_ place: Int) {
    entries[place].older = newest
    entries[place].newer = Self.none
    if newest == Self.none { oldest = place } else { entries[newest].newer = place }
    newest = place
  }
}
