#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The significant digits of a number's text at most, as `printf` takes them.
package enum NumberFormat: String {
  /// Those of `NSNumber.stringValue`.
  case sixteenDigits = "%.16g"
  /// Those of Apple's JSON text.
  case seventeenDigits = "%.17g"
}

/// `number` as C prints it.
///
/// Swift prints the shortest text that reads back as the same number, which is not what goes over the wire:
/// 9.99 kept as a float leaves the phone as `9.9899997711181641`.
package func formatted(_ number: Double, _ format: NumberFormat) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 40) { buffer in
    guard let start = buffer.baseAddress else { return "" }
    // The digits stand in the format, as an argument costs more than the printing itself.
    _ = withVaList([number]) { vsnprintf(start, 40, format.rawValue, $0) }
    return String(cString: start)
  }
}
