import Testing

@testable import SKANBase

@Suite("Names by their positions")
struct NameTableTests {
  @Test("Places are given in the order in which names come")
  func order() {
    let table = NameTable()
    #expect(["b", "", "a", "b", "ä", "", "c"].map { table.insert($0) } == [0, 1, 2, 0, 3, 1, 4])
    #expect(table.names == ["b", "", "a", "ä", "c"])
    #expect(table.names[3] == "ä")
    #expect(table.index(of: "c") == 4 && table.index(of: "B") == nil && table.index(of: "cc") == nil)
  }

  @Test("Names are distinguished by their bytes")
  func bytes() {
    let table = NameTable()
    #expect(["é", "e\u{301}", "a\0", "a", "a\0\0", "\0"].map { table.insert($0) } == Array(0...5))
  }

  /// Those that share length, beginning and end, where the middle has to tell.
  @Test("Similar names of every length", arguments: 1...40)
  func similar(length: Int) {
    let table = NameTable()
    let names = (0..<length).map { position in
      String(repeating: "a", count: position) + "b" + String(repeating: "a", count: length - position - 1)
    }
    for (position, name) in names.enumerated() { #expect(table.insert(name) == position) }
    for (position, name) in names.enumerated() { #expect(table.index(of: name) == position) }
    #expect(table.index(of: String(repeating: "a", count: length)) == nil)
    let index = NameIndex(names)
    func position(_ name: String) -> Int? {
      var name = name
      return name.withUTF8 { index.index(of: $0) }
    }
    for (number, name) in names.enumerated() { #expect(position(name) == number) }
    #expect(position(String(repeating: "a", count: length)) == nil)
  }

  @Test("Short names of ASCII without a byte", arguments: 0...20)
  func short(length: Int) {
    let table = NameTable()
    for position in 0..<length {
      let name = String(repeating: "a", count: position) + "b" + String(repeating: "a", count: length - position - 1)
      #expect(name.isShortASCII(without: UInt8(ascii: "+")) == (length <= 16))
      #expect(!name.isShortASCII(without: UInt8(ascii: "b")))
      #expect(!name.replacing("b", with: "é").isShortASCII(without: UInt8(ascii: "+")))
      #expect(table.find(name, without: UInt8(ascii: "+")) == (nil, length <= 16))
      #expect(table.insert(name) == position)
      #expect(table.find(name, without: UInt8(ascii: "b")) == (position, false))
    }
    #expect(!"".isShortASCII(without: UInt8(ascii: "+")))
  }

  @Test("Two parts of a long name that changed places")
  func swapped() {
    let (one, other) = ("12345678", "87654321")
    let table = NameTable(capacity: 100)
    let names = [one + one + other + one, one + other + one + one, one + one + one + one, one + other + other + one]
    #expect(names.map { table.insert($0) } == [0, 1, 2, 3])
    #expect(names.map { table.index(of: $0) } == [0, 1, 2, 3])
  }

  @Test("As a dictionary would have it, through all growing")
  func many() {
    let table = NameTable()
    var positions: [String: Int] = [:]
    for index in 0..<20_000 {
      let name = "phone-\(index * 7919 % 10_007)-\(index % 3 == 0 ? "x" : "somewhat-longer-tail")"
      let position = positions[name] ?? positions.count
      positions[name] = position
      #expect(table.insert(name) == position)
    }
    #expect(table.names.count == positions.count)
    for (name, position) in positions { #expect(table.index(of: name) == position) }
  }
}
