import SKANBase

/// A postback measurement period as computed by the snippet; see the article "Conversion windows".
@frozen
public enum ConversionWindow: Int, CaseIterable, Sendable {
  case p0, p1, p2

  /// The end of the window in seconds after the first call to the framework; exclusive.
  public var end: Int64 {
    switch self {
    case .p0: 2 * 86_400
    case .p1: 7 * 86_400
    case .p2: 35 * 86_400
    }
  }

  /// The name in JSON: `p0`.
  package var key: String { "p\(rawValue)" }

  /// The window at a number of whole seconds after the first call; nil after the last. A negative number is P0.
  public static func at(secondsSinceFirstCall seconds: Int64) -> ConversionWindow? {
    // One by one: `allCases` would allocate an array.
    if seconds < Self.p0.end { return .p0 }
    if seconds < Self.p1.end { return .p1 }
    return seconds < Self.p2.end ? .p2 : nil
  }

  /// The number of a window in JSON; -1 for none.
  package static func number(_ window: ConversionWindow?) -> Int64 { window.map { Int64($0.rawValue) } ?? -1 }

  /// The form of ``number(_:)``.
  package static let formOrNone = JSONForm.integer(-1...2)

  /// The length of SKAN 3's only window after the last call, in seconds.
  public static let skan3Length: Int64 = 86_400
}

extension ByteText {
  /// Adds the name of a window in texts: `P0`.
  package mutating func append(_ window: ConversionWindow) {
    append(UInt8(ascii: "P"))
    append(Int64(window.rawValue))
  }
}

/// A value for each window. Inlined into other modules, because it is generic and every step uses it many times.
@frozen
public struct PerWindow<Value: Sendable>: Sendable {
  @usableFromInline var p0: Value
  @usableFromInline var p1: Value
  @usableFromInline var p2: Value

  /// Uses one value for all windows.
  @inlinable
  public init(repeating value: Value) {
    p0 = value
    p1 = value
    p2 = value
  }

  package init(_ p0: Value, _ p1: Value, _ p2: Value) {
    self.p0 = p0
    self.p1 = p1
    self.p2 = p2
  }

  /// The value of a window.
  @inlinable
  public subscript(window: ConversionWindow) -> Value {
    get {
      switch window {
      case .p0: p0
      case .p1: p1
      case .p2: p2
      }
    }
    // In place, so that a dictionary is changed without a copy.
    _modify {
      switch window {
      case .p0: yield &p0
      case .p1: yield &p1
      case .p2: yield &p2
      }
    }
  }
}

extension PerWindow: Equatable where Value: Equatable {}
extension PerWindow: JSONWritable where Value: JSONWritable {
  package static var jsonForm: JSONForm { .perWindow(Value.jsonForm) }

  package func write(to writer: inout JSONWriter) { writer.perWindow { self[$0].write(to: &$1) } }
}

extension PerWindow {
  package init(_ value: (ConversionWindow) -> Value) { self.init(value(.p0), value(.p1), value(.p2)) }
}

extension JSONForm {
  /// An object with a value for each window.
  package static func perWindow(_ form: JSONForm) -> JSONForm { .each(of: ConversionWindow.allCases.map(\.key), form) }
}

extension JSONWriter {
  /// Writes an object with a value for each window.
  package mutating func perWindow(_ write: (ConversionWindow, inout JSONWriter) -> Void) {
    beginObject()
    for window in ConversionWindow.allCases {
      key(window.key)
      write(window, &self)
    }
    endObject()
  }
}
