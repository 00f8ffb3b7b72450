import SKANBase

/// Three capital letters, as ISO 4217 has them, in one number.
public struct CurrencyCode: Sendable, Hashable {
  /// The bytes of the letters, the first one highest.
  public let number: UInt32

  /// The US dollar.
  public static let usd = CurrencyCode(number: 0x55_53_44)

  /// The code that a text is; nil for anything but three capital letters.
  public init?(_ text: String) {
    var text = text
    guard let number = unsafe text.withUTF8(Self.number) else { return nil }
    self.number = number
  }

  /// - Parameter number: of a code.
  public init(number: UInt32) { self.number = number }

  /// - Returns: nil unless the bytes are three capital letters.
  @inline(__always)
  public init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let number = unsafe Self.number(bytes) else { return nil }
    self.number = number
  }

  /// The three letters.
  public var name: String {
    unsafe String(unsafeUninitializedCapacity: 3) { text in
      for index in 0..<3 { unsafe text[index] = UInt8(truncatingIfNeeded: number >> UInt32(16 - 8 * index)) }
      return 3
    }
  }

  /// Made for every revenue step, so without a loop.
  @inline(__always)
  private static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32? {
    guard bytes.count == 3, unsafe bytes[0].isASCIICapital, unsafe bytes[1].isASCIICapital,
      unsafe bytes[2].isASCIICapital
    else {
      return nil
    }
    return unsafe UInt32(bytes[0]) << 16 | UInt32(bytes[1]) << 8 | UInt32(bytes[2])
  }
}

extension String {
  /// Three capital letters, as ISO 4217 has them.
  public var isCurrencyCode: Bool { CurrencyCode(self) != nil }
}
