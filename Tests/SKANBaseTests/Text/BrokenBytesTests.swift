import Foundation
import Testing

@testable import SKANBase

@Suite("Values as bytes, broken ones too")
struct BrokenBytesTests {
  @Test("Every number reads back, in as many bytes as its bits need")
  func words() {
    var numbers: [UInt64] = [.max, .max - 1]
    for shift in 0..<64 {
      let power = UInt64(1) << UInt64(shift)
      numbers += [power - 1, power, power + 1]
    }
    for number in numbers {
      let bytes = [UInt8](writing: { $0.put(number) })
      #expect(bytes.count == max(1, (64 - number.leadingZeroBitCount + 6) / 7))
      #expect(bytes.reading { $0.word() } == number)
      #expect(bytes.dropLast().map(\.self).reading { $0.word() } == nil)
      let signed = Int(truncatingIfNeeded: number)
      #expect([UInt8](writing: { $0.put(signed) }).reading { $0.number() } == signed)
    }
    let high = [UInt8](repeating: 0x80, count: 9)
    #expect((high + [1]).reading { $0.word() } == UInt64(1) << 63)
    #expect((high + [0x80, 0]).reading { $0.word() } == nil)
  }

  @Test("No count reads more than there is, and a flag has two values")
  func counts() {
    for (count, isWhole) in [(-1, false), (0, true), (3, true), (4, false), (.max, false), (.min, false)]
      as [(Int, Bool)]
    {
      let bytes: [UInt8] = [UInt8](writing: { $0.put(count) }) + [7, 8, 9]
      #expect((bytes.reading { $0.data() } != nil) == isWhole, "\(count)")
      #expect((bytes.reading { $0.text() } != nil) == isWhole, "\(count)")
      #expect((bytes.reading { $0.all { $0.fixed(UInt8.self) } } != nil) == isWhole, "\(count)")
      if isWhole { #expect(bytes.reading { $0.data() } == Array([7, 8, 9].prefix(count))) }
    }
    let flags: [Bool?] = (0...3).map { (byte: UInt8) -> Bool? in [byte].reading { $0.flag() } }
    #expect(flags == [false, true, nil, nil])
    func optional(_ bytes: [UInt8]) -> UInt8?? { bytes.reading { $0.optional { $0.fixed(UInt8.self) } } }
    #expect(optional([0, 5]) == .some(nil) && optional([1, 5]) == 5)
    for count in 0..<8 {
      #expect([UInt8](repeating: 1, count: count).reading { $0.fixed(UInt64.self) } == nil)
      #expect(([UInt8](repeating: 1, count: count).reading { $0.fixed(UInt16.self) } != nil) == (count > 1))
    }
  }

  @Test("A writer keeps what it has, however it grows", arguments: [0, 1, 255, 256, 257, 1023, 1024, 1025, 5000])
  func growth(count: Int) {
    let values = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    #expect([UInt8](writing: { for value in values { $0.put(fixed: value) } }) == values)
    #expect([UInt8](writing: { $0.putPlain(values) }) == values)
    #expect([UInt8](writing: { $0.put(values) }).reading { $0.data() } == values)
    var writer = ByteWriter()
    for _ in 0..<2 {
      writer.removeAll()
      writer.put(fixed: 0 as UInt32)
      writer.putPlain(values)
      writer.replace(at: 0, fixed: UInt32(7))
      let isSame = writer.written.dropFirst(4).elementsEqual(values)
      let written = writer.count
      #expect(isSame && written == count + 4)
    }
  }
}
