import SKANDevice
import SKANBase

/// Packs rows of an export for ``EventPartitions``; each thread has one of its own.
package struct EventPacker {
  /// Stands for every name that no model asks for.
  static let otherName = UInt16.max

  private let names: EventNames
  private let groups: GroupTable
  private let shard: Shard
  /// The groups that this thread has met, and their indices in the shared table.
  private let metGroups = NameTable()
  private var groupIndices: [UInt32] = []

  init(names: EventNames, groups: GroupTable, shard: Shard) {
    self.names = names
    self.groups = groups
    self.shard = shard
  }

  /// Whether the row's device is in the shard.
  @inline(__always)
  func includes(_ row: borrowing ExportedRow) -> Bool { unsafe shard.contains(row.device) }

  /// The row, packed.
  @inline(__always)
  mutating func pack(_ row: borrowing ExportedRow) -> PackedEvent {
    var event = unsafe PackedEvent(row.kind)
    if unsafe row.kind == .event {
      event.name = unsafe names.index(of: row.name).map { UInt16(truncatingIfNeeded: $0) } ?? Self.otherName
    }
    event.revenue = unsafe row.revenue
    event.installed = unsafe row.installed?.microseconds
    event.duplicateKey = unsafe row.duplicateKey
    if unsafe !row.group.isEmpty { event.group = unsafe group(row.group) }
    return event
  }

  private mutating func group(_ name: UnsafeBufferPointer<UInt8>) -> UInt32 {
    if let met = unsafe metGroups.index(of: name) { return groupIndices[met] }
    guard let index = unsafe groups.index(of: name) else { return 0 }
    _ = unsafe metGroups.insert(name)
    groupIndices.append(index)
    return index
  }
}
