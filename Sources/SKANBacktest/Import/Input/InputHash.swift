import SKANRun

/// A hash of all bytes of some files, in their order, by which parts of a backtest that read different inputs are told apart.
///
/// It does not depend on how the bytes come, and is no protection against someone who makes two inputs with one hash.
package final class InputHash {
  private var (high, low): (UInt64, UInt64) = (0, 0x4528_21E6_38D0_1377)
  /// The bytes that do not fill a word yet.
  private var (word, filled): (UInt64, Int) = (0, 0)
  /// How many bytes the file has so far.
  private var count: UInt64 = 0

  package init() {}

  /// Adds bytes of a file.
  func add(_ bytes: UnsafeRawBufferPointer) {
    count += UInt64(bytes.count)
    var offset = 0
    while filled > 0, offset < bytes.count { unsafe add(bytes[offset], &offset) }
    while offset + 8 <= bytes.count {
      mix(unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    while offset < bytes.count { unsafe add(bytes[offset], &offset) }
  }

  private func add(_ byte: UInt8, _ offset: inout Int) {
    word |= UInt64(byte) << (8 * UInt64(filled))
    filled += 1
    offset += 1
    if filled < 8 { return }
    mix(word)
    (word, filled) = (0, 0)
  }

  private func mix(_ word: UInt64) { (high, low) = DeviceKey.mix(high, low, word) }

  /// Ends a file: what follows belongs to the next one.
  private func endFile() {
    mix(word)
    mix(count)
    (word, filled, count) = (0, 0, 0)
  }

  /// The hash of the files so far, and the end of the last one.
  package func finish() -> UInt64 {
    endFile()
    return high ^ low
  }

  /// Returns a source of the same bytes, which are hashed as the next file as they are read.
  package func watching(_ source: ByteSource) -> ByteSource {
    endFile()
    return unsafe ByteSource(isRegular: source.isRegular, size: source.size, identity: source.identity) {
      (buffer) throws(SourceFailure) in
      let count = try unsafe source.read(buffer)
      unsafe self.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      return count
    }
  }
}
