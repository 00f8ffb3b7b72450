import SKANDevice

/// What an export has of one device, in the order of time, duplicates left out.
package struct ImportedDevice {
  /// When the app was installed; nil when the beginning is not in the export.
  package private(set) var start: Instant?
  private(set) var records: [ImportedRecord] = []
  /// Where the records' texts are.
  let bytes: [UInt8]
  /// How many rows were left out.
  package private(set) var duplicates = 0
  /// Installs after the first row, which begin no new life here.
  package private(set) var laterInstalls = 0

  init(_ all: DeviceRecords) {
    var seen: Set<UInt64> = []
    var installRow: Instant?
    bytes = all.bytes
    records.reserveCapacity(all.count)
    all.forEach { time, reader in
      let record = ImportedRecord(from: &reader, at: time)
      if let key = record.duplicateKey, !seen.insert(key).inserted {
        duplicates += 1
        return
      }
      if record.kind == .install {
        if installRow == nil { installRow = time } else { laterInstalls += 1 }
      }
      records.append(record)
    }
    guard let first = records.first else { return }
    start = DeviceBeginning.start(first: first.time, installRow: installRow, installed: first.installed)
    if installRow != nil, start == nil { laterInstalls += 1 }
  }
}
