import SKANBase
import SKANDevice
import SKANSystem

/// A row in a form with few bytes, since there are millions of rows.
struct PackedEvent: Equatable {
  var kind: ExportedRow.Kind
  /// The index of the event's name among those that a model uses; ``EventPacker/otherName`` for all others.
  var name: UInt16 = 0
  var revenue: ExportedRow.Revenue?
  /// The index of the kind of phone; 0 for the default.
  var profile: UInt16 = 0
  /// The index of the group; 0 for the empty one.
  var group: UInt32 = 0
  /// The install time in microseconds since 1970.
  var installed: Int64?
  var duplicateKey: UInt64?
  /// Whether the device makes its first call with this row, which has no revenue. Steps of lists say so; rows of exports
  /// do not.
  var begins = false

  init(_ kind: ExportedRow.Kind) { self.kind = kind }

  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let revenue = Flags(rawValue: 4)
    static let isAd = Flags(rawValue: 8)
    /// In rows without revenue.
    static let begins = isAd
    static let installed = Flags(rawValue: 16)
    static let group = Flags(rawValue: 32)
    static let duplicateKey = Flags(rawValue: 64)
    static let profile = Flags(rawValue: 128)
  }

  private var flags: Flags {
    var flags: Flags = []
    if let revenue {
      flags.formUnion(revenue.isAdMonetization ? [.revenue, .isAd] : .revenue)
    } else if begins {
      flags.insert(.begins)
    }
    if installed != nil { flags.insert(.installed) }
    if group != 0 { flags.insert(.group) }
    if duplicateKey != nil { flags.insert(.duplicateKey) }
    if profile != 0 { flags.insert(.profile) }
    return flags
  }

  @inline(__always)
  func write(to writer: inout ByteWriter) {
    writer.put(fixed: kind.rawValue | flags.rawValue)
    if kind == .event { writer.put(fixed: name) }
    if let revenue {
      writer.put(revenue.amount)
      writer.put(fixed: revenue.currency.number)
    }
    if let installed { writer.put(fixed: installed) }
    if group != 0 { writer.put(fixed: group) }
    if let duplicateKey { writer.put(fixed: duplicateKey) }
    if profile != 0 { writer.put(fixed: profile) }
  }

  /// Reads an event.
  @inline(__always)
  init(from reader: inout ByteReader) {
    let first = reader.fixed(UInt8.self)
    let flags = Flags(rawValue: first & ~3)
    kind = ExportedRow.Kind(rawValue: first & 3) ?? .session
    if kind == .event { name = reader.fixed() }
    if flags.contains(.revenue) {
      let amount = reader.double()
      revenue = ExportedRow.Revenue(
        amount: amount, currency: CurrencyCode(number: reader.fixed()), isAdMonetization: flags.contains(.isAd))
    } else {
      begins = flags.contains(.begins)
    }
    if flags.contains(.installed) { installed = reader.fixed(Int64.self) }
    if flags.contains(.group) { group = reader.fixed() }
    if flags.contains(.duplicateKey) { duplicateKey = reader.fixed(UInt64.self) }
    if flags.contains(.profile) { profile = reader.fixed() }
  }
}

/// Packs rows of an export for ``EventPartitions``; each thread has its own packer.
package struct EventPacker {
  /// Represents all names that no model uses.
  static let otherName = UInt16.max

  private let names: NameIndex
  private let groups: GroupTable
  private let shard: Shard
  /// The groups that occurred on this thread; their indices in the shared table follow.
  private let metGroups = NameTable()
  private var groupIndices: [UInt32] = []

  init(names: NameIndex, groups: GroupTable, shard: Shard) {
    self.names = names
    self.groups = groups
    self.shard = shard
  }

  /// Whether the row's device is in the shard.
  @inline(__always)
  func includes(_ row: borrowing ExportedRow) -> Bool { unsafe shard.contains(row.device) }

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

/// The groups of a backtest with their indices, shared by several threads.
final class GroupTable: Sendable {
  /// The most groups; a column with more values probably contains identifiers.
  static let mostGroups = 10_000

  private struct State {
    let table = NameTable()
    /// Whether there are more than ``mostGroups``.
    var isFull = false
  }

  private let state = Monitor(State())

  /// A table with the empty group.
  init() { state.withLock { _ = $0.table.insert("") } }

  /// The index of a group, which is added if it is new; nil when there are too many groups.
  func index(of name: UnsafeBufferPointer<UInt8>) -> UInt32? {
    state.withLock { state in
      if let index = unsafe state.table.index(of: name) { return UInt32(truncatingIfNeeded: index) }
      guard state.table.names.count <= Self.mostGroups else {
        state.isFull = true
        return nil
      }
      return unsafe UInt32(truncatingIfNeeded: state.table.insert(name))
    }
  }

  var overflowed: Bool { state.withLock { $0.isFull } }

  /// The names of the groups by index.
  var names: [String] { state.withLock { $0.table.names } }

  /// The name of a group.
  func name(at index: Int) -> String { state.withLock { $0.table.names[index] } }
}
