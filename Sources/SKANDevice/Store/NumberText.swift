import SKANBase

/// `number` as `%.NNg` prints it: `NSNumber.stringValue` has 16 digits, Apple's JSON text 17.
///
/// Swift prints the shortest text that reads back as the same number, which is not what goes over the wire:
/// 9.99 kept as a float leaves the phone as `9.9899997711181641`.
package func formatted(_ number: Double, digits: Int32) -> String {
  unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 40) { buffer in
    guard let start = buffer.baseAddress else { return "" }
    #if canImport(Glibc)
      // Glibc's does just the same, and without a list of arguments, which costs more than the printing.
      _ = unsafe gcvt(number, digits, start)
    #else
      _ = withVaList([digits, number]) { vsnprintf(start, 40, "%.*g", $0) }
    #endif
    return unsafe String(cString: start)
  }
}
