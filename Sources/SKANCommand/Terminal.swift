/// What goes out to standard output and standard error, all of it: lines and tabs, and otherwise nothing that a terminal
/// would act upon or hide. Formats for machines have escaped that in their own way before, and pass as they are.
enum Terminal {
  static func visible(_ text: String) -> String {
    guard unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe mayHide($0) }) ?? true else { return text }
    var visible = ""
    for scalar in text.unicodeScalars {
      if scalar.isHidden, scalar != "\n", scalar != "\t" {
        visible += scalar.hiddenText
      } else {
        visible.unicodeScalars.append(scalar)
      }
    }
    return visible
  }

  static func visible(_ bytes: [UInt8]) -> [UInt8] {
    guard unsafe bytes.withUnsafeBufferPointer({ unsafe mayHide($0) }) else { return bytes }
    return Array(visible(String(decoding: bytes, as: UTF8.self)).utf8)
  }

  /// Whether a second look is needed: said of nearly nothing that needs none, and of everything that does.
  private static func mayHide(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < bytes.count {
      // Eight at a time, as long as all are printable ASCII: results are megabytes of it.
      if index + 8 <= bytes.count,
        unsafe isPrintable(UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self))
      {
        index += 8
        continue
      }
      let byte = unsafe bytes[index]
      index += 1
      if byte >= 0x20, byte < 0x7F || byte == 0xC3 { continue }
      if byte == 0x0A || byte == 0x09 { continue }
      if unsafe byte < 0x80 || bytes.mayHide(at: index - 1) { return true }
    }
    return false
  }

  /// Whether none of eight bytes is below 0x20, 0x7F or above. A carry may make it doubt one that is, which costs only time.
  private static func isPrintable(_ word: UInt64) -> Bool {
    let (ones, highBits): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    let control = (word &- ones &* 0x20) & ~word
    let delete = word ^ (ones &* 0x7F)
    return (word | control | ((delete &- ones) & ~delete)) & highBits == 0
  }
}
