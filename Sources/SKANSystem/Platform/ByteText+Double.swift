import SKANBase

extension JSONWriter {
  /// Adds a number as `%.17g` prints it; copies it if the text already contains it.
  package mutating func append(sent number: Double) {
    if let place = sentNumbers[number] { return text.append(again: place) }
    let start = text.count
    text.append(number, significant: 17)
    sentNumbers[number] = start..<text.count
  }
}

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
