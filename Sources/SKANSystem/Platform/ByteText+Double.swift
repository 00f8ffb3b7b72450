import SKANBase

extension ByteText {
  /// Adds a number as `%.NNg` prints it; see ``System/text(of:digits:)``.
  ///
  /// - Parameter digits: 16 or 17.
  package mutating func append(_ number: Double, significant digits: Int32) {
    if append(number, rounded: Int(digits)) { return }
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 40) { buffer in
      guard let start = buffer.baseAddress else { return }
      unsafe Platform.print(number, digits: digits, into: start)
      append(unsafe String(cString: start))
    }
  }
}
