import Testing

@testable import SKANServe

@Suite("The memory of phones")
struct PhoneMemoryTests {
  /// Adds one to what is known of each phone, and gives what came out.
  private func touch(_ memory: inout PhoneMemory<Int>, _ keys: String) -> [Int] {
    keys.map { key in
      memory.with(String(key), new: 0) { value in
        value += 1
        return value
      }
    }
  }

  @Test(
    "The one not heard of for longest goes first",
    arguments: [
      (3, "abcabc", [1, 1, 1, 2, 2, 2], 0), (3, "abcda", [1, 1, 1, 1, 1], 2), (3, "abcadab", [1, 1, 1, 2, 1, 3, 1], 2),
      (3, "abcbacdb", [1, 1, 1, 2, 2, 2, 1, 1], 2), (1, "aabba", [1, 2, 1, 2, 1], 2), (1, "a", [1], 0),
      (2, "abacab", [1, 1, 2, 1, 3, 1], 2), (0, "aab", [1, 2, 1], 1), (3, "ccbbaad", [1, 2, 1, 2, 1, 2, 1], 1),
    ])
  func order(limit: Int, keys: String, values: [Int], forgotten: Int) {
    var memory = PhoneMemory<Int>(limit: limit)
    #expect(touch(&memory, keys) == values)
    #expect(memory.forgotten == forgotten)
    #expect(memory.count == min(max(1, limit), Set(keys).count))
  }

  @Test("The same as a list of phones, most recent first, over many requests")
  func reference() {
    var memory = PhoneMemory<Int>(limit: 7)
    var list: [(key: String, value: Int)] = []
    var state: UInt64 = 42
    for _ in 0..<5_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let key = String((state >> 33) % 12)
      let known = list.firstIndex { $0.key == key }.map { list.remove(at: $0).value } ?? 0
      list = Array(([(key, known + 1)] + list).prefix(7))
      let value = memory.with(key, new: 0) { value in
        value += 1
        return value
      }
      #expect(value == known + 1)
    }
    #expect(memory.count == 7)
  }
}
