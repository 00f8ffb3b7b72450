/// Writes values one behind another, for a reader that knows what follows what.
struct FrameWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put(_ number: Int) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: UInt64(bitPattern: Int64(number)) >> UInt64(shift)))
    }
  }

  mutating func put(_ number: Double) { put(Int(bitPattern: UInt(number.bitPattern))) }

  mutating func put(_ data: [UInt8]) {
    put(data.count)
    bytes += data
  }

  mutating func put(_ text: String) { put(Array(text.utf8)) }

  mutating func put<Value>(_ value: Value?, _ write: (inout FrameWriter, Value) -> Void) {
    put(value == nil ? 0 : 1)
    if let value { write(&self, value) }
  }

  mutating func put<Value>(all values: some Collection<Value>, _ write: (inout FrameWriter, Value) -> Void) {
    put(values.count)
    for value in values { write(&self, value) }
  }
}
