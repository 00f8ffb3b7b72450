import SKANDevice
import SKANModel
import SKANBase

/// A row as it waits for its device's others; see ``ExportSorter``.
struct ImportedRecord {
  var kind: ExportedRow.Kind
  var time: Instant
  var revenue: ExportedRow.Revenue?
  var installed: Instant?
  var duplicateKey: UInt64?
  var device: String
  var name: String

  /// Bits of the first byte beside the kind.
  private static let (hasRevenue, isAd, hasInstalled, hasKey): (UInt8, UInt8, UInt8, UInt8) = (4, 8, 16, 32)

  /// Adds the bytes of a row.
  ///
  /// - Parameter keepsTexts: whether device and name are among them.
  static func encode(_ row: borrowing ExportedRow, keepsTexts: Bool, to bytes: inout [UInt8]) {
    var flags = unsafe row.kind.rawValue
    if let revenue = unsafe row.revenue { flags |= revenue.isAdMonetization ? hasRevenue | isAd : hasRevenue }
    if unsafe row.installed != nil { flags |= hasInstalled }
    if unsafe row.duplicateKey != nil { flags |= hasKey }
    bytes.append(flags)
    func add(_ number: UInt64) { unsafe withUnsafeBytes(of: number) { unsafe bytes.append(contentsOf: $0) } }
    if let revenue = unsafe row.revenue {
      add(revenue.amount.bitPattern)
      add(UInt64(revenue.currency.number))
    }
    if let installed = unsafe row.installed { add(UInt64(bitPattern: installed.microseconds)) }
    if let key = unsafe row.duplicateKey { add(key) }
    guard keepsTexts else { return }
    add(UInt64(unsafe row.device.count))
    unsafe bytes.append(contentsOf: row.device)
    unsafe bytes.append(contentsOf: row.name)
  }

  /// - Parameter bytes: of a row that was encoded.
  init(_ bytes: UnsafeRawBufferPointer, at time: Instant) {
    self.time = time
    let flags = unsafe bytes[0]
    kind = ExportedRow.Kind(rawValue: flags & 3) ?? .session
    var offset = 1
    func next() -> UInt64 {
      defer { offset += 8 }
      return unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    if flags & Self.hasRevenue != 0 {
      let amount = Double(bitPattern: next())
      revenue = ExportedRow.Revenue(
        amount: amount, currency: CurrencyCode(number: UInt32(truncatingIfNeeded: next())),
        isAdMonetization: flags & Self.isAd != 0)
    }
    if flags & Self.hasInstalled != 0 { installed = Instant(microseconds: Int64(bitPattern: next())) }
    if flags & Self.hasKey != 0 { duplicateKey = next() }
    guard offset + 8 <= bytes.count else {
      (device, name) = ("", "")
      return
    }
    let length = Int(truncatingIfNeeded: next())
    device = unsafe String(decoding: bytes[offset..<offset + length], as: UTF8.self)
    name = unsafe String(decoding: bytes[(offset + length)...], as: UTF8.self)
  }
}
