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

@Suite("Nearest name")
struct NearestNameTests {
  static let known = ["device", "register", "session", "event", "revenue", "details", "relaunch", "update"]

  @Test(
    "One slip or two",
    arguments: [
      ("devise", "device"), ("regster", "register"), ("registre", "register"), ("sesion", "session"),
      ("sessions", "session"), ("evnet", "event"), ("EVENT", "event"), ("Revenue", "revenue"), ("revenu", "revenue"),
      ("detail", "details"), ("relanch", "relaunch"), ("updaet", "update"), ("upd", nil), ("update", "update"),
    ] as [(String, String?)])
  func slips(name: String, expected: String?) {
    #expect(nearestName(to: name, in: Self.known) == expected)
  }

  @Test("Nothing near", arguments: ["", "x", "postbacks", "zzzzzz", "ev", "registration_of_app", "漢字"])
  func nothing(name: String) {
    #expect(nearestName(to: name, in: Self.known) == nil)
  }

  @Test(
    "The first of equally near ones, the nearest of all",
    arguments: [
      ("at", ["op", "as", "an"], "as"), ("p1_coars", ["p0_coarse", "p1_coarse", "p2_coarse"], "p1_coarse"),
      ("idfx", ["idfv", "idfa"], "idfv"), ("idfa", ["idfv", "idfa"], "idfa"), ("a", ["b"], "b"), ("a", [], nil),
      ("ab", ["ba"], "ba"), ("", ["a"], "a"), ("tok", ["took"], "took"), ("app_verson", ["app_version"], "app_version"),
      ("appversion", ["app_version"], "app_version"), ("frameworkerror", ["framework_error"], "framework_error"),
    ] as [(String, [String], String?)])
  func nearest(name: String, known: [String], expected: String?) {
    #expect(nearestName(to: name, in: known) == expected)
  }

  @Test(
    "How far is too far: a third of the letters", arguments: [("abcdef", 2), ("abcdefghi", 3), ("abc", 1), ("ab", 1)])
  func threshold(name: String, allowed: Int) {
    for changes in 1...name.count {
      let changed = String(repeating: "#", count: changes) + name.dropFirst(changes)
      #expect((nearestName(to: changed, in: [name]) != nil) == (changes <= allowed), "\(changes) of \(name)")
    }
  }

  @Test("A name of any length takes no time")
  func long() {
    #expect(nearestName(to: String(repeating: "x", count: 5000), in: Self.known) == nil)
  }
}

@Suite("The name that is meant")
struct MeantNameTests {
  static let options = ["report-junit", "report-tap", "report-json", "report-html", "report-markdown", "retry"]

  @Test(
    "Abbreviations, the shortest name first; else what is near",
    arguments: [
      ("report-md", options, "report-markdown"), ("report-mrk", options, "report-markdown"),
      ("REPORT-MD", options, "report-markdown"),
      ("report", options, "report-tap"), ("git", ["gitlab-ci", "github"], "github"),
      ("git", ["github", "gitlab"], "github"),
      ("rety", options, "retry"), ("retyr", options, "retry"), ("jenkin", ["jenkins"], "jenkins"),
      // Too short, another beginning, another order, too few of the letters, and the name itself.
      ("gi", ["github"], nil), ("eport-md", ["report-markdown"], nil), ("report-dm", ["report-markdown"], nil),
      ("rep", ["report-junit"], nil), ("repo", ["report-junit"], "report-junit"), ("", ["abc"], nil),
    ] as [(String, [String], String?)])
  func meant(name: String, known: [String], expected: String?) {
    #expect(meantName(by: name, in: known) == expected)
  }
}
