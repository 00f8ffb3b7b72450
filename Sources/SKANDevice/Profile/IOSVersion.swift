/// A version of iOS, compared number by number: 16.1 = 16.1.0 < 16.1.2 < 16.10.
package struct IOSVersion: Sendable, Hashable {
  /// As it was written; what `UIDevice.systemVersion` says and the request's `v` carries.
  package let text: String
  private let numbers: [Int]

  package init(_ major: Int, _ minor: Int) {
    text = "\(major).\(minor)"
    numbers = [major, minor]
  }

  /// Whether ``init(_:)`` takes a text, without making anything of it.
  package static func isWellFormed(_ text: String) -> Bool {
    var parts = 1
    var digits = 0
    var isZero = true
    var isFirstZero = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: ".") {
        if digits == 0 { return false }
        if parts == 1 { isFirstZero = isZero }
        (parts, digits) = (parts + 1, 0)
      } else {
        guard (0x30...0x39).contains(byte) else { return false }
        if byte != 0x30 { isZero = false }
        digits += 1
        if digits > 4 { return false }
      }
    }
    if parts == 1 { isFirstZero = isZero }
    return digits > 0 && parts <= 3 && !isFirstZero
  }

  /// - Returns: nil unless `text` is one to three whole numbers of at most four digits, joined by dots.
  package init?(_ text: String) {
    guard Self.isWellFormed(text) else { return nil }
    self.text = text
    numbers = text.split(separator: ".").compactMap { Int($0) }
  }

  /// The first iOS with `updatePostbackConversionValue(_:completionHandler:)`.
  package static let singleValueUpdate = IOSVersion(15, 4)
  /// The first iOS with SKAdNetwork 4: coarse values and locks.
  package static let coarseValueUpdate = IOSVersion(16, 1)
  /// The first iOS with `updateConversionValue(_:)`.
  package static let conversionValueUpdate = IOSVersion(14, 0)
}

extension IOSVersion: Comparable {
  private var padded: [Int] { numbers + Array(repeating: 0, count: 3 - numbers.count) }

  package static func == (left: IOSVersion, right: IOSVersion) -> Bool { left.padded == right.padded }

  package static func < (left: IOSVersion, right: IOSVersion) -> Bool {
    left.padded.lexicographicallyPrecedes(right.padded)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(padded) }
}
