import SKANBase
import Testing

@Suite("Values as bytes")
struct ByteCodecTests {
  private static let words: [UInt64] = [0, 1, 0x7F, 0x80, 0x3FFF, 0x4000, 1 << 62, 1 << 63, .max]

  /// Writes one of each kind of value.
  private static func write(_ writer: inout ByteWriter, padding: Int) {
    for word in words { writer.put(word) }
    for number in [Int.min, -1, 0, .max] { writer.put(number) }
    writer.put(true)
    writer.put(false)
    writer.put(fixed: UInt32.max - 1)
    writer.put(-0.0)
    writer.put("é\u{0}")
    writer.put([UInt8](repeating: 7, count: padding))
    writer.put(String?.none) { $0.put($1) }
    writer.put("a") { $0.put($1) }
    writer.put(all: [1, 2, 3]) { $0.put($1) }
    writer.put(all: [[Int]]()) { $0.put($1.count) }
    writer.put("")
  }

  /// Whether a reader finds them.
  private static func reads(_ reader: inout ByteReader, padding: Int) -> Bool {
    for word in words where reader.word() != word { return false }
    for number in [Int.min, -1, 0, .max] where reader.number() != number { return false }
    return reader.flag() && !reader.flag() && reader.fixed(UInt32.self) == .max - 1
      && reader.double().bitPattern == (-0.0).bitPattern && reader.text() == "é\u{0}"
      && reader.data() == [UInt8](repeating: 7, count: padding) && reader.optional { $0.text() } == nil
      && reader.optional { $0.text() } == "a" && reader.all { $0.number() } == [1, 2, 3]
      && reader.all { $0.number() }.isEmpty && reader.text().isEmpty && reader.rest == 0
  }

  @Test("They come back, whatever room they need", arguments: [0, 900, 1024, 5000, 1 << 20])
  func roundTrip(padding: Int) {
    let bytes = [UInt8](writing: { Self.write(&$0, padding: padding) })
    #expect(bytes.reading { Self.reads(&$0, padding: padding) } == true)
  }

  @Test("Bytes that are cut off are broken")
  func cut() {
    let bytes = [UInt8](writing: { Self.write(&$0, padding: 3) })
    for count in bytes.indices {
      #expect(Array(bytes[..<count]).reading { Self.reads(&$0, padding: 3) } == nil, "\(count)")
    }
  }

  @Test(
    "What no writer writes is broken, and takes no memory",
    arguments: [
      [UInt8](repeating: 0xFF, count: 20), [UInt8](repeating: 0x80, count: 20), [0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 1],
      [7, 1],
    ])
  func broken(bytes: [UInt8]) {
    #expect(bytes.reading { $0.text() } == nil)
    #expect(bytes.reading { $0.data() } == nil)
    #expect(bytes.reading { $0.all { $0.number() } } == nil)
    #expect(bytes.reading { $0.flag() } == nil)
    let after = bytes.reading { reader in
      _ = reader.text()
      // Nothing is read any more.
      #expect(reader.number() == 0 && reader.fixed(UInt64.self) == 0 && reader.data() == [] && reader.rest == 0)
      return true
    }
    #expect(after == nil)
  }

  @Test("A count is put in its place when it is known")
  func replaced() {
    let bytes = [UInt8](writing: { writer in
      writer.put(fixed: UInt32(0))
      writer.putPlain([1, 2, 3])
      writer.replace(at: 0, fixed: UInt32(writer.count))
    })
    #expect(bytes.reading { ($0.fixed(UInt32.self), Array($0.slice(3))) == (7, [1, 2, 3]) } == true)
  }
}
