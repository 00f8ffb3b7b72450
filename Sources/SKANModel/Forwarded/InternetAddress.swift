import SKANBase

/// An IP address in its text form, looked at as far as a sender of the device's address can be wrong.
package struct InternetAddress: Sendable, Equatable {
  /// Whether it is of version 6.
  package let isIPv6: Bool
  /// Whether a device on the Internet can have it: not private, shared, of a link or of this machine.
  package let isPublic: Bool

  /// Reads an address.
  ///
  /// - Returns: nil for another text, such as a name or a digest.
  package init?(_ text: String) {
    isIPv6 = text.contains(":")
    if isIPv6 {
      let groups = text.lowercased().split(separator: ":", omittingEmptySubsequences: false)
      guard (3...9).contains(groups.count),
        groups.allSatisfy({ $0.utf8.count <= 4 && $0.utf8.allSatisfy { $0.hexValue != nil } }),
        groups.count == 8 || text.contains("::")
      else { return nil }
      // RFC 4291 (this machine, and the link: fe80::/10), 4193 (private: fc00::/7).
      isPublic =
        switch UInt16(groups[0], radix: 16) ?? 0 {
        case 0, 0xFC00...0xFDFF, 0xFE80...0xFEBF: false
        default: true
        }
      return
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.count <= 3 && part.utf8.allSatisfy(\.isASCIIDigit) ? UInt8(part) : nil
    }
    guard parts.count == 4, numbers.count == 4 else { return nil }
    isPublic =
      switch (numbers[0], numbers[1]) {
      // RFC 1918, 6598 (shared by carriers), 1122 (this machine), 3927 (the link).
      case (10, _), (127, _), (0, _), (172, 16...31), (192, 168), (169, 254), (100, 64...127): false
      case (let first, _): first < 224
      }
  }
}
