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
  /// Where the texts are in the device's bytes; empty where they are not kept.
  var device = 0..<0
  var name = 0..<0

  /// Bits of the first byte beside the kind.
  private static let (hasRevenue, isAd, hasInstalled, hasKey): (UInt8, UInt8, UInt8, UInt8) = (4, 8, 16, 32)

  /// Writes a row.
  ///
  /// - Parameter keepsTexts: whether device and name are written, too.
  @inline(__always)
  static func write(_ row: borrowing ExportedRow, keepsTexts: Bool, to writer: inout ByteWriter) {
    var flags = unsafe row.kind.rawValue
    if let revenue = unsafe row.revenue { flags |= revenue.isAdMonetization ? hasRevenue | isAd : hasRevenue }
    if unsafe row.installed != nil { flags |= hasInstalled }
    if unsafe row.duplicateKey != nil { flags |= hasKey }
    writer.put(fixed: flags)
    if let revenue = unsafe row.revenue {
      writer.put(revenue.amount)
      writer.put(fixed: revenue.currency.number)
    }
    if let installed = unsafe row.installed { writer.put(fixed: installed.microseconds) }
    if let key = unsafe row.duplicateKey { writer.put(fixed: key) }
    guard keepsTexts else { return }
    unsafe writer.put(row.device)
    unsafe writer.put(row.name)
  }

  /// A row that was written at this time.
  @inline(__always)
  init(from reader: inout ByteReader, at time: Instant) {
    self.time = time
    let flags = reader.fixed(UInt8.self)
    kind = ExportedRow.Kind(rawValue: flags & 3) ?? .session
    if flags & Self.hasRevenue != 0 {
      let amount = reader.double()
      revenue = ExportedRow.Revenue(
        amount: amount, currency: CurrencyCode(number: reader.fixed()), isAdMonetization: flags & Self.isAd != 0)
    }
    if flags & Self.hasInstalled != 0 { installed = Instant(microseconds: reader.fixed()) }
    if flags & Self.hasKey != 0 { duplicateKey = reader.fixed(UInt64.self) }
    if reader.rest > 0 {
      device = Self.text(&reader)
      name = Self.text(&reader)
    }
  }

  @inline(__always)
  private static func text(_ reader: inout ByteReader) -> Range<Int> {
    let count = reader.number()
    let start = reader.offset
    _ = unsafe reader.slice(count)
    return start..<reader.offset
  }
}
