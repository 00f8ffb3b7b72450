import SKANBase

/// A number of bytes as users write and read it: `65536`, `64KiB`, `1MiB`.
struct ByteSize: Equatable, Sendable {
  var bytes: Int

  private static let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)]

  init(bytes: Int) { self.bytes = bytes }

  /// Nil unless the text is a whole number, with one of the units behind it or none.
  init?(_ text: String) {
    let unit = Self.units.first { text.hasSuffix($0.0) }
    let digits = text.dropLast(unit?.0.count ?? 0)
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int(digits)
    else { return nil }
    let (bytes, overflows) = number.multipliedReportingOverflow(by: unit?.1 ?? 1)
    if overflows { return nil }
    self.bytes = bytes
  }

  /// In the largest unit that leaves a whole number.
  var text: String {
    let unit = Self.units.first { bytes >= $0.1 && bytes % $0.1 == 0 } ?? ("B", 1)
    return unit.1 == 1 ? "\(bytes) bytes" : "\(bytes / unit.1) \(unit.0)"
  }
}
