import SKANDevice
import SKANModel

/// A row of an export of events, as its mapping reads it: what a user did, on which device, and when.
///
/// The texts are borrowed from the input, since ten million rows must not cost a `String` each: they are valid until the
/// parser goes on to the next row.
@unsafe package struct ExportedRow {
  /// What a row reports.
  package enum Kind: UInt8, Sendable {
    /// The app was installed, or opened for the first time: the beginning of the device is in the input.
    case install
    case session
    case event
    /// Revenue without an event of its own.
    case revenue
  }

  /// Revenue of a row. `amount` is read as decimal text, and is negative for a refund.
  package struct Revenue: Sendable, Equatable {
    package var amount: Double
    package var currency: CurrencyCode
    package var isAdMonetization: Bool

    package init(amount: Double, currency: CurrencyCode, isAdMonetization: Bool) {
      self.amount = amount
      self.currency = currency
      self.isAdMonetization = isAdMonetization
    }
  }

  package var kind: Kind
  /// The identifier of the device, UTF-8, never empty.
  package var device: UnsafeBufferPointer<UInt8>
  package var time: Instant
  /// The event's name, UTF-8, after the mapping's renames; empty unless `kind` is `event`.
  package var name = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// Of an event or of revenue alone. The app reports revenue first and its event next, as the guides' code does.
  package var revenue: Revenue?
  /// When the app was installed, where a column of each row holds it.
  package var installed: Instant?
  /// The value of the column of `--by`; empty where none is asked for.
  package var group = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// A hash of the fields of `--dedupe`; of the rows of a device with the same one only the first counts. Nil without
  /// `--dedupe`.
  package var duplicateKey: UInt64?

  /// In its file, from 1.
  package var line = 0

  package init(_ kind: Kind, device: UnsafeBufferPointer<UInt8>, time: Instant) {
    unsafe self.kind = kind
    unsafe self.device = unsafe device
    unsafe self.time = time
  }
}
