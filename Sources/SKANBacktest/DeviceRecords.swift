import SKANBase
import SKANDevice

/// The records of one device, in order of time.
package struct DeviceRecords {
  /// The bytes of all devices in the bucket.
  let bytes: [UInt8]
  let entries: ArraySlice<PartitionBucket.Entry>

  package var count: Int { entries.count }

  /// Calls `body` with the time of each record and a reader of its payload.
  @inline(__always)
  package func forEach(_ body: (Instant, inout ByteReader) -> Void) {
    unsafe bytes.withUnsafeBytes { bytes in
      for entry in entries {
        var reader = unsafe ByteReader(UnsafeRawBufferPointer(rebasing: bytes[..<entry.end]), from: entry.offset)
        body(entry.time, &reader)
      }
    }
  }
}

/// The records of the devices in a bucket.
package struct PartitionBucket {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A record of a device.
  struct Entry {
    var time: Instant
    /// The offset of the payload.
    var offset: Int
    var end: Int
  }

  /// Calls `body` for each device, in the order of the keys.
  package func forEachDevice<Failure: Error>(
    _ body: (DeviceKey, DeviceRecords) throws(Failure) -> Void
  ) throws(Failure) {
    var devices = DeviceIndex()
    var (entries, owners): ([Entry], [Int]) = ([], [])
    forEachEntry { key, entry in
      owners.append(devices.insert(key))
      entries.append(entry)
    }
    let (sorted, starts) = Self.grouped(entries, owners, devices.keys.count)
    for index in devices.keys.indices.sorted(by: { devices.keys[$0] < devices.keys[$1] }) {
      let records = sorted[starts[index]..<starts[index + 1]]
      try body(devices.keys[index], DeviceRecords(bytes: bytes, entries: Self.inOrder(records)))
    }
  }

  /// Adds the number of each device's records.
  func count(into counts: inout [DeviceKey: Int]) { forEachEntry { key, _ in counts[key, default: 0] += 1 } }

  @inline(__always)
  private func forEachEntry(_ body: (DeviceKey, Entry) -> Void) {
    unsafe bytes.withUnsafeBytes { bytes in
      var reader = unsafe ByteReader(bytes)
      while reader.rest > 0 {
        let header = RecordHeader(from: &reader)
        let start = reader.offset
        _ = unsafe reader.slice(Int(header.count))
        precondition(!reader.isBroken, "records are not those that were set aside")
        body(header.key, Entry(time: header.time, offset: start, end: reader.offset))
      }
    }
  }

  /// Groups entries by device. Returns the start of each device's entries, followed by the end of all.
  private static func grouped(_ entries: [Entry], _ owners: [Int], _ count: Int) -> ([Entry], [Int]) {
    var starts = [Int](repeating: 0, count: count + 1)
    for owner in owners { starts[owner + 1] += 1 }
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
    var next = starts
    var sorted = [Entry](repeating: Entry(time: Instant(microseconds: 0), offset: 0, end: 0), count: entries.count)
    for (entry, owner) in zip(entries, owners) {
      sorted[next[owner]] = entry
      next[owner] += 1
    }
    return (sorted, starts)
  }

  /// The entries in order of time, in which they usually already are.
  static func inOrder(_ entries: ArraySlice<Entry>) -> ArraySlice<Entry> {
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy { $0.time <= $1.time }
    if isSorted { return entries }
    return entries.sorted { ($0.time, $0.offset) < ($1.time, $1.offset) }[...]
  }
}

/// Devices by key, each with an index in the order of insertion.
struct DeviceIndex {
  private(set) var keys: [DeviceKey] = []
  /// A hash table with open addressing, at most half full; -1 means empty.
  private var table = [Int32](repeating: -1, count: 1024)

  /// The index of a device, which is added if it is new.
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

/// A 128-bit hash of a device's identifier, which replaces it where millions of devices are distinguished.
///
/// Collisions are not expected: among a billion devices the probability is about 1 in 10²⁰.
package struct DeviceKey: Sendable, Hashable, Comparable {
  package let high: UInt64
  package let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The key of an identifier, equal on every machine.
  package init(_ identifier: UnsafeBufferPointer<UInt8>) {
    var (high, low) = (UInt64(truncatingIfNeeded: identifier.count), 0x243F_6A88_85A3_08D3 as UInt64)
    let bytes = UnsafeRawBufferPointer(identifier)
    var offset = 0
    while offset + 8 <= bytes.count {
      let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      (high, low) = Self.mix(high, low, word)
      offset += 8
    }
    if offset < bytes.count {
      var word: UInt64 = 0
      while offset < bytes.count {
        word = unsafe word << 8 | UInt64(bytes[offset])
        offset += 1
      }
      (high, low) = Self.mix(high, low, word)
    }
    (self.high, self.low) = Self.mix(high, low, 0)
  }

  package init(_ identifier: String) {
    var identifier = identifier
    self = identifier.withUTF8 { unsafe DeviceKey($0) }
  }

  @inline(__always)
  static func mix(_ high: UInt64, _ low: UInt64, _ word: UInt64) -> (UInt64, UInt64) {
    (
      folded(high ^ word ^ 0x9E37_79B9_7F4A_7C15, by: 0xD6E8_FEB8_6659_FD93),
      folded(low ^ word ^ 0xA409_3822_299F_31D0, by: 0xBF58_476D_1CE4_E5B9) &+ high
    )
  }

  @inline(__always)
  private static func folded(_ left: UInt64, by right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  package static func < (left: DeviceKey, right: DeviceKey) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
