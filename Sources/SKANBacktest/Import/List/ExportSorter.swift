import SKANSystem
import SKANRun

/// Puts the rows of an export in the order of devices and times, in bounded memory.
package final class ExportSorter {
  private let partitions: EventPartitions
  private let block = PartitionedBlock()
  private let keepsTexts: Bool

  /// - Parameters:
  ///   - keepsTexts: whether identifiers and names are wanted again.
  ///   - mostRows: how many rows of one device there may be.
  package init(keepsTexts: Bool, mostRows: Int = EventPartitions.mostRecords) {
    self.keepsTexts = keepsTexts
    partitions = EventPartitions(mostRecords: mostRows)
  }

  /// Adds the rows of a block of input, here and to a report.
  ///
  /// - Returns: what became of the rows.
  package func add(_ input: ExportBlock, _ parser: ExportParser, _ report: inout ImportReport) -> ImportTally {
    unsafe parser.parse(input) { row in
      unsafe report.add(row)
      let (key, time) = unsafe (DeviceKey(row.device), row.time)
      block.append(key, at: time) { unsafe ImportedRecord.write(row, keepsTexts: keepsTexts, to: &$0) }
    }
  }

  /// Puts the rows so far aside; to be called now and then.
  package func flush() throws(FileError) { try partitions.append(block) }

  /// Calls `body` for each device, in an order that depends on the identifiers alone.
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

/// Why sorted rows do not come.
package enum SortFailure<Failure: Error>: Error {
  case rows(EventPartitions.ReadFailure)
  case body(Failure)
}
