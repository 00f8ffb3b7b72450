import SKANBase
import SKANDevice

/// What a backtest keeps of a row: as few bytes as possible, since there are millions of them.
struct PackedEvent: Equatable {
  var kind: ExportedRow.Kind
  /// The index of the event's name among those that a model asks for; ``EventPacker/otherName`` for all others.
  var name: UInt16 = 0
  var revenue: ExportedRow.Revenue?
  /// The index of a phone's iOS and snippet; 0 = the usual ones.
  var profile: UInt16 = 0
  /// The index of the group; 0 = the empty one.
  var group: UInt32 = 0
  /// Microseconds since 1970.
  var installed: Int64?
  var duplicateKey: UInt64?

  init(_ kind: ExportedRow.Kind) { self.kind = kind }

  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let revenue = Flags(rawValue: 4)
    static let isAd = Flags(rawValue: 8)
    static let installed = Flags(rawValue: 16)
    static let group = Flags(rawValue: 32)
    static let duplicateKey = Flags(rawValue: 64)
    static let profile = Flags(rawValue: 128)
  }

  private var flags: Flags {
    var flags: Flags = []
    if let revenue { flags.formUnion(revenue.isAdMonetization ? [.revenue, .isAd] : .revenue) }
    if installed != nil { flags.insert(.installed) }
    if group != 0 { flags.insert(.group) }
    if duplicateKey != nil { flags.insert(.duplicateKey) }
    if profile != 0 { flags.insert(.profile) }
    return flags
  }

  /// Writes its bytes.
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

  /// An event that was written.
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
    }
    if flags.contains(.installed) { installed = reader.fixed(Int64.self) }
    if flags.contains(.group) { group = reader.fixed() }
    if flags.contains(.duplicateKey) { duplicateKey = reader.fixed(UInt64.self) }
    if flags.contains(.profile) { profile = reader.fixed() }
  }
}
