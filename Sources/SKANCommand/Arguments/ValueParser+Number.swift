import SKANDevice

extension ValueParser<Int64> {
  static var integer: Self {
    Self(.integer) { (given) throws(CommandError) in
      guard let number = Int64(given.text) else { throw given.mustBe("a whole number") }
      return number
    }
  }

  /// A whole number of a range, which a message gives as `expected`.
  static func integer(in range: ClosedRange<Int64>, _ expected: String) -> Self {
    Self(.integer) { (given) throws(CommandError) in
      let number = try integer.parse(given)
      guard range.contains(number) else {
        throw given.refused("must be \(expected), it is \(number)")
      }
      return number
    }
  }
}

extension ValueParser<Int> {
  /// How many of something: from `least` to 1000.
  static func count(from least: Int64) -> Self {
    ValueParser<Int64>.integer(in: least...1000, "from \(least) to 1000").map { Int($0) }
  }

  /// A number of bytes, from 1 B to 1 GiB.
  static var size: Self {
    Self(.size) { (given) throws(CommandError) in
      guard let size = ByteSize(given.text), (1...1 << 30).contains(size.bytes) else {
        throw given.mustBe("a size from 1B to 1GiB, such as 64KiB")
      }
      return size.bytes
    }
  }
}

extension ValueParser<UInt16> {
  static var port: Self {
    ValueParser<Int64>.integer(in: 0...65535, "from 0 to 65535").map { UInt16(truncatingIfNeeded: $0) }
  }
}

extension ValueParser<Double> {
  /// A finite amount of money in plain notation.
  static var amount: Self {
    Self(.number) { (given) throws(CommandError) in
      // Double's own reader would also take "nan", "0x10" and "infinity".
      let isPlain = given.text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
      guard isPlain, let amount = Double(given.text), amount.isFinite else {
        let hint = given.text.contains(",") ? "; no thousands separators, and a point before the cents" : ""
        throw given.mustBe("a finite number such as 9.99", hint: hint)
      }
      return amount
    }
  }
}
