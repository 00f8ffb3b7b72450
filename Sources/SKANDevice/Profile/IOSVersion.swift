/// A version of iOS, compared number by number: 16.1 = 16.1.0 < 16.1.2 < 16.10.
package struct IOSVersion: Sendable, Hashable {
  /// As it was written; what `UIDevice.systemVersion` says and the request's `v` carries.
  package let text: String
  private let numbers: [Int]

  package init(_ major: Int, _ minor: Int) {
    text = "\(major).\(minor)"
    numbers = [major, minor]
  }

  /// - Returns: nil unless `text` is one to three whole numbers of at most four digits, joined by dots.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.count <= 4 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    guard (1...3).contains(parts.count), numbers.count == parts.count, numbers[0] > 0 else { return nil }
    self.text = text
    self.numbers = numbers
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
