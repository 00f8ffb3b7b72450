/// Devices by their keys, each with an index in the order in which they came.
struct DeviceIndex {
  private(set) var keys: [DeviceKey] = []
  /// Open addressing, never more than half full; -1 = empty.
  private var table = [Int32](repeating: -1, count: 1024)

  /// The index of a device, which is the next one when it did not come yet.
  mutating func insert(_ key: DeviceKey) -> Int {
    var slot = slot(of: key)
    if table[slot] >= 0 { return Int(table[slot]) }
    keys.append(key)
    if keys.count * 2 > table.count {
      table = Array(repeating: -1, count: table.count * 2)
      for (index, key) in keys.enumerated() { table[self.slot(of: key)] = Int32(truncatingIfNeeded: index) }
    } else {
      slot = self.slot(of: key)
      table[slot] = Int32(truncatingIfNeeded: keys.count - 1)
    }
    return keys.count - 1
  }

  private func slot(of key: DeviceKey) -> Int {
    var slot = Int(truncatingIfNeeded: key.high) & (table.count - 1)
    while table[slot] >= 0, keys[Int(table[slot])] != key { slot = (slot + 1) & (table.count - 1) }
    return slot
  }
}
