import SKANBase
import SKANDevice

/// The records of some devices, of each in the order of time.
package struct PartitionBucket {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A record of a device.
  struct Entry {
    var time: Instant
    /// Where the payload is.
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

  /// Adds how many records each device has.
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

  /// The entries by their devices, and where those of each device begin, with the end behind the last.
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

  /// In the order of time; mostly they are.
  static func inOrder(_ entries: ArraySlice<Entry>) -> ArraySlice<Entry> {
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy { $0.time <= $1.time }
    if isSorted { return entries }
    return entries.sorted { ($0.time, $0.offset) < ($1.time, $1.offset) }[...]
  }
}
