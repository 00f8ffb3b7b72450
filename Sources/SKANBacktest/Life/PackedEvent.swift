import SKANModel

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

  /// Bytes of the longest one.
  private static let mostBytes = 48

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

  /// Calls `body` with its bytes.
  @inline(__always)
  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    unsafe withUnsafeTemporaryAllocation(byteCount: Self.mostBytes, alignment: 8) { buffer in
      var writer = unsafe Writer(buffer: buffer)
      unsafe writer.add(kind.rawValue | flags.rawValue)
      if kind == .event { unsafe writer.add(name) }
      if let revenue {
        unsafe writer.add(revenue.amount.bitPattern)
        unsafe writer.add(revenue.currency.number)
      }
      if let installed { unsafe writer.add(installed) }
      if group != 0 { unsafe writer.add(group) }
      if let duplicateKey { unsafe writer.add(duplicateKey) }
      if profile != 0 { unsafe writer.add(profile) }
      unsafe body(UnsafeRawBufferPointer(rebasing: buffer[..<writer.count]))
    }
  }

  /// - Parameter bytes: of an event that was packed.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    var reader = unsafe Reader(bytes: bytes)
    let first = unsafe reader.next(UInt8.self)
    let flags = Flags(rawValue: first & ~3)
    kind = ExportedRow.Kind(rawValue: first & 3) ?? .session
    if kind == .event { name = unsafe reader.next(UInt16.self) }
    if flags.contains(.revenue) {
      let amount = unsafe Double(bitPattern: reader.next(UInt64.self))
      revenue = unsafe ExportedRow.Revenue(
        amount: amount, currency: CurrencyCode(number: reader.next(UInt32.self)),
        isAdMonetization: flags.contains(.isAd))
    }
    if flags.contains(.installed) { installed = unsafe reader.next(Int64.self) }
    if flags.contains(.group) { group = unsafe reader.next(UInt32.self) }
    if flags.contains(.duplicateKey) { duplicateKey = unsafe reader.next(UInt64.self) }
    if flags.contains(.profile) { profile = unsafe reader.next(UInt16.self) }
  }

  @unsafe private struct Writer {
    let buffer: UnsafeMutableRawBufferPointer
    var count = 0

    @inline(__always)
    mutating func add(_ value: some BitwiseCopyable) {
      unsafe buffer.storeBytes(of: value, toByteOffset: count, as: type(of: value))
      unsafe count += MemoryLayout.size(ofValue: value)
    }
  }

  @unsafe private struct Reader {
    let bytes: UnsafeRawBufferPointer
    var offset = 0

    @inline(__always)
    mutating func next<Value: BitwiseCopyable>(_ type: Value.Type) -> Value {
      defer { unsafe offset += MemoryLayout<Value>.size }
      return unsafe bytes.loadUnaligned(fromByteOffset: offset, as: type)
    }
  }
}
