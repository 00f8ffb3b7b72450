import SKANDevice

/// What there is of one device, in the order of time.
package struct DeviceRecords {
  let bytes: [UInt8]
  let entries: ArraySlice<PartitionBucket.Entry>

  package var count: Int { entries.count }

  /// Calls `body` with the time and the payload of each record.
  package func forEach<Failure: Error>(
    _ body: (Instant, UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let result = unsafe bytes.withUnsafeBytes { bytes -> Failure? in
      for entry in entries {
        let payload = unsafe UnsafeRawBufferPointer(rebasing: bytes[entry.offset..<entry.offset + entry.count])
        do throws(Failure) { unsafe try body(entry.time, payload) } catch { return error }
      }
      return nil
    }
    if let result { throw result }
  }
}
