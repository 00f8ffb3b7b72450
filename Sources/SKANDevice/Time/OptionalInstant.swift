/// A moment that may be absent, in the eight bytes of one.
@propertyWrapper
public struct OptionalInstant: Sendable, Equatable {
  /// ``none`` for an absent moment, which lies outside the years 1 to 9999.
  private var microseconds: Int64

  private static let none = Int64.min

  /// Wraps a moment, or none.
  @inline(__always)
  public init(wrappedValue: Instant?) { microseconds = wrappedValue?.microseconds ?? Self.none }

  /// The moment; nil where there is none.
  public var wrappedValue: Instant? {
    @inline(__always) get { microseconds == Self.none ? nil : Instant(microseconds: microseconds) }
    @inline(__always) set { microseconds = newValue?.microseconds ?? Self.none }
  }
}
