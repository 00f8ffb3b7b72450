import SKANBase
import SKANDevice

/// What there is of one device, in the order of time.
package struct DeviceRecords {
  /// Those of all devices of the bucket.
  let bytes: [UInt8]
  let entries: ArraySlice<PartitionBucket.Entry>

  package var count: Int { entries.count }

  /// Calls `body` with the time of each record, and with what reads its payload.
  @inline(__always)
  package func forEach(_ body: (Instant, inout ByteReader) -> Void) {
    unsafe bytes.withUnsafeBytes { bytes in
      for entry in entries {
        var reader = unsafe ByteReader(UnsafeRawBufferPointer(rebasing: bytes[..<entry.end]), from: entry.offset)
        body(entry.time, &reader)
      }
    }
  }
}
