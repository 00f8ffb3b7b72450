import SKANBase
import SKANDevice
import SKANModel
import SKANRun
import SKANSystem

/// Sorts the rows of an export by device and time, in limited memory.
package final class ExportSorter {
  private let partitions: EventPartitions
  private let block = PartitionedBlock()
  private let keepsTexts: Bool

  /// - Parameters:
  ///   - keepsTexts: whether to keep identifiers and names.
  ///   - mostRows: the most rows of one device.
  package init(keepsTexts: Bool, mostRows: Int = EventPartitions.mostRecords) {
    self.keepsTexts = keepsTexts
    partitions = EventPartitions(mostRecords: mostRows)
  }

  /// Adds the rows of a block of input, and counts them in a report.
  ///
  /// - Returns: the tally of the rows.
  package func add(_ input: ExportBlock, _ parser: ExportParser, _ report: inout ImportReport) -> ImportTally {
    unsafe parser.parse(input) { row in
      unsafe report.add(row)
      let (key, time) = unsafe (DeviceKey(row.device), row.time)
      block.append(key, at: time) { unsafe ImportedRecord.write(row, keepsTexts: keepsTexts, to: &$0) }
    }
  }

  /// Stores the rows so far; must be called regularly.
  package func flush() throws(FileError) { try partitions.append(block) }

  /// Calls `body` for each device, in an order that only depends on the identifiers.
  package func forEachDevice<Failure: Error>(
    _ body: (ImportedDevice) throws(Failure) -> Void
  ) throws(SortFailure<Failure>) {
    do throws(FileError) { try flush() } catch { throw .rows(.file(error)) }
    for bucket in partitions.buckets {
      let records: PartitionBucket
      do throws(EventPartitions.ReadFailure) { records = try partitions.read(bucket) } catch { throw .rows(error) }
      do throws(Failure) {
        try records.forEachDevice { (_, records) throws(Failure) in try body(ImportedDevice(records)) }
      } catch {
        throw .body(error)
      }
    }
  }
}

/// Why sorted rows cannot be provided.
package enum SortFailure<Failure: Error>: Error {
  case rows(EventPartitions.ReadFailure)
  case body(Failure)
}

/// A row stored by ``ExportSorter``.
struct ImportedRecord {
  var kind: ExportedRow.Kind
  var time: Instant
  var revenue: ExportedRow.Revenue?
  var installed: Instant?
  var duplicateKey: UInt64?
  /// The ranges of the texts in the device's bytes; empty if texts are not kept.
  var device = 0..<0
  var name = 0..<0

  /// Flags in the first byte, besides the kind.
  private static let (hasRevenue, isAd, hasInstalled, hasKey): (UInt8, UInt8, UInt8, UInt8) = (4, 8, 16, 32)

  /// Writes a row.
  ///
  /// - Parameter keepsTexts: whether to write device and name, too.
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

  /// Reads a row with this time.
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
