import SKANBase
import Testing

@Suite("Eight bytes at a time")
struct FindTests {
  @Test("The first byte that is looked for, wherever it stands and whatever is around it", arguments: 0...20)
  func firstOffset(count: Int) {
    var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
    for place in 0..<count {
      bytes[place] = UInt8(ascii: "=")
      unsafe bytes.withUnsafeBufferPointer { text in
        for start in 0...count {
          for end in start...count {
            let found = unsafe text.firstOffset(from: start, to: end) { $0.marks(UInt8(ascii: "=")) }
            #expect(found == ((start..<end).contains(place) ? place : end))
          }
        }
      }
      bytes[place] = place % 2 == 0 ? UInt8(ascii: "<") : UInt8(ascii: " ")
    }
  }
}
