import SKANBase

/// An amount of money in millionths, so that a sum does not depend on the order of what is added.
package struct MicroAmount: Sendable, Hashable, Comparable {
  /// At the end of its range it stays there.
  package private(set) var millionths: Int64

  package static let zero = MicroAmount(0)

  /// - Parameter amount: is rounded to millionths; below 0 it counts as 0, which no range of revenue is.
  package init(_ amount: Double) {
    let rounded = (amount * 1_000_000).rounded()
    millionths = rounded >= 9e18 ? .max : rounded > 0 ? Int64(rounded) : 0
  }

  package static func < (left: MicroAmount, right: MicroAmount) -> Bool { left.millionths < right.millionths }

  package static func += (left: inout MicroAmount, right: MicroAmount) {
    let (sum, overflow) = left.millionths.addingReportingOverflow(right.millionths)
    left.millionths = overflow ? .max : sum
  }

  /// In whole units.
  package var units: Double { Double(millionths) / 1_000_000 }
}

extension MicroAmount: CustomStringConvertible {
  /// With two to six decimals: `12.50`, `0.015`.
  package var description: String {
    let fraction = String(millionths % 1_000_000).leftPadded(to: 6, with: "0")
    let rest = fraction.dropFirst(2).trimmingSuffix { $0 == "0" }
    return "\(millionths / 1_000_000).\(fraction.prefix(2))\(rest)"
  }
}
