import Testing

@testable import SKANBase

@Suite("Values of a limited number of keys")
struct RecentValuesTests {
  /// Adds one to the value of each key, and returns the values.
  private func touch(_ memory: inout RecentValues<String, Int>, _ keys: String) -> [Int] {
    keys.map { key in
      memory.with(String(key), new: 0) { value in
        value += 1
        return value
      }
    }
  }

  @Test(
    "The key that was not used for longest is forgotten first",
    arguments: [
      (3, "abcabc", [1, 1, 1, 2, 2, 2], 0), (3, "abcda", [1, 1, 1, 1, 1], 2), (3, "abcadab", [1, 1, 1, 2, 1, 3, 1], 2),
      (3, "abcbacdb", [1, 1, 1, 2, 2, 2, 1, 1], 2), (1, "aabba", [1, 2, 1, 2, 1], 2), (1, "a", [1], 0),
      (2, "abacab", [1, 1, 2, 1, 3, 1], 2), (0, "aab", [1, 2, 1], 1), (3, "ccbbaad", [1, 2, 1, 2, 1, 2, 1], 1),
    ])
  func order(limit: Int, keys: String, values: [Int], forgotten: Int) {
    var memory = RecentValues<String, Int>(limit: limit)
    #expect(touch(&memory, keys) == values)
    #expect(memory.forgotten == forgotten)
    #expect(memory.count == min(max(1, limit), Set(keys).count))
  }

  @Test("They equal a list of keys, most recent first, over many uses")
  func reference() {
    var memory = RecentValues<String, Int>(limit: 7)
    var list: [(key: String, value: Int)] = []
    var state: UInt64 = 42
    for _ in 0..<5_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let key = String((state >> 33) % 12)
      let known = list.firstIndex { $0.key == key }.map { list.remove(at: $0).value } ?? 0
      list.insert((key, known + 1), at: 0)
      let forgotten = memory.makesForget(key)
      #expect(forgotten == (list.count > 7 ? list.removeLast().value : nil))
      let value = memory.with(key, new: 0) { value in
        value += 1
        return value
      }
      #expect(value == known + 1)
    }
    #expect(memory.count == 7)
    memory.removeAll()
    #expect(memory.count == 0 && touch(&memory, "aab") == [1, 2, 1])
  }
}
