/// Reads what a ``FrameWriter`` has written; anything else is an error, not a trap.
package struct FrameReader {
  /// The bytes are not what a writer writes.
  package struct Malformed: Error {}

  private var rest: ArraySlice<UInt8>

  /// Reads a frame's content.
  package init(_ bytes: [UInt8]) { rest = ArraySlice(bytes) }

  /// The next number.
  package mutating func number() throws(Malformed) -> Int {
    guard rest.count >= 8 else { throw Malformed() }
    let number = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    rest = rest.dropFirst(8)
    return Int(Int64(bitPattern: number))
  }

  mutating func double() throws(Malformed) -> Double { Double(bitPattern: UInt64(UInt(bitPattern: try number()))) }

  mutating func data() throws(Malformed) -> [UInt8] {
    let count = try number()
    guard (0...rest.count).contains(count) else { throw Malformed() }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func text() throws(Malformed) -> String { String(decoding: try data(), as: UTF8.self) }

  mutating func optional<Value>(
    _ read: (inout FrameReader) throws(Malformed) -> Value
  ) throws(Malformed) -> Value? {
    switch try number() {
    case 0: nil
    case 1: try read(&self)
    default: throw Malformed()
    }
  }

  mutating func all<Value>(
    _ read: (inout FrameReader) throws(Malformed) -> Value
  ) throws(Malformed) -> [Value] {
    let count = try number()
    // Each value has at least a number.
    guard (0...rest.count / 8).contains(count) else { throw Malformed() }
    var values: [Value] = []
    for _ in 0..<count { values.append(try read(&self)) }
    return values
  }
}
