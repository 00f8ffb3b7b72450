import SKANDevice
import SKANText

/// Packs rows of an export for ``EventPartitions``; each thread has one of its own.
package struct EventPacker {
  /// Stands for every name that no model asks for.
  static let otherName = UInt16.max

  private let names: EventNames
  private let groups: GroupTable
  private let shard: Shard
  /// The group of the last row, which is mostly that of the next one, too.
  private var lastGroup: (name: [UInt8], index: UInt32) = ([], 0)

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
    if unsafe lastGroup.name.elementsEqual(name) { return lastGroup.index }
    let index = unsafe groups.index(of: name) ?? 0
    lastGroup = unsafe (Array(name), index)
    return index
  }
}
