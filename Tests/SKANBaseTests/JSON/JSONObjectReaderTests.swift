import Testing

@testable import SKANBase

@Suite("Objects parsed by name")
struct JSONObjectReaderTests {
  private static let known: JSONKeys = ["name", "count", "flag", "amount", "list"]

  #if DEBUG
    @Test("More keys than a reader remembers trap")
    func tooManyKeys() async {
      await #expect(processExitsWith: .failure) { _ = JSONKeys((0...64).map { "k\($0)" }) }
    }
  #endif

  @Test("The last of 64 keys is told from the others")
  func manyKeys() throws {
    let names = (0..<64).map { "k\($0)" }
    let node = try JSONReader.read(Array(#"{"k62":1,"k63":2}"#.utf8))
    var reader = JSONObjectReader(unchecked: node, what: "a thing", known: JSONKeys(names))
    reader.allow(JSONKeys.Subset([62]), what: "a thing")
    #expect(
      reader.problems.count == 1 && reader.problems.first?.message.hasPrefix("a thing has no key \"k63\"") == true)
    #expect(JSONKeys.Subset([63]).names(of: names) == ["k63"])
  }

  @Test("All types of value")
  func values() throws {
    var reader = try reader(#"{"name":"x","count":3,"flag":true,"amount":1.5}"#)
    #expect(reader.string("name") == "x")
    #expect(reader.integer("count") == 3)
    #expect(reader.bool("flag") == true)
    #expect(reader.number("amount") == 1.5)
    #expect(reader.number("count") == 3)
    #expect(reader.node("list") == nil)
    #expect(reader.problems.isEmpty)
  }

  @Test(
    "A whole number in any spelling",
    arguments: [
      ("3.0", 3), ("3e0", 3), ("30E-1", 3), ("0.3e+1", 3), ("-0.0", 0), ("-3.00", -3),
      ("9007199254740991.0", 9_007_199_254_740_991), ("9223372036854775807", .max), ("3.01", nil), ("1e16", nil),
      ("1e400", nil),
    ] as [(String, Int64?)])
  func wholeNumbers(text: String, expected: Int64?) throws {
    guard var reader = try? self.reader("{\"count\":\(text)}") else {
      #expect(expected == nil)
      return
    }
    #expect(reader.integer("count") == expected && reader.problems.isEmpty == (expected != nil), "\(reader.problems)")
    reader = try self.reader("{\"count\":\(text)}")
    #expect(reader.integer("count", in: 5...9) == nil && reader.problems.count == 1)
  }

  @Test("Texts one after the other, in whatever order their keys stand")
  func sequence() throws {
    let names = ["a", "bb", "eight888", "nine99999", "seventeen_letters"]
    let keys = JSONKeys(names)
    var reader = JSONObjectReader(known: keys)
    var random = RandomJSON(seed: 5)
    for round in 0..<500 {
      // Some keys more often than others, so that mostly one follows another; and some that only begin as a known one.
      let keys = (names + ["eight8889", "eight88", "\\u0061"]).shuffled(using: &random).prefix(round % 6)
      let given = keys.filter { names.contains($0) || $0.hasPrefix("\\") && !keys.contains("a") }
      let text = "{" + given.map { "\"\($0)\":\(round)" }.joined(separator: ",") + "}"
      try read(text, &reader)
      reader.allow(.all, what: "a thing")
      #expect(reader.problems.isEmpty)
      for (index, name) in names.enumerated() {
        let isGiven = given.contains(name) || name == "a" && given.contains("\\u0061")
        #expect(reader.integer(at: index) == (isGiven ? Int64(round) : nil))
      }
      let unknown = keys.filter { !given.contains($0) && !$0.hasPrefix("\\") }
      guard let other = unknown.first else { continue }
      try read("{\"\(other)\":1}", &reader)
      reader.allow(.all, what: "a thing")
      #expect(reader.problems.count == 1)
    }
    #expect(throws: JSONError.self) { try read("{", &reader) }
    try read("[]", &reader)
    #expect(reader.problems == [SourceProblem("a thing must be an object, this is an array", at: 0..<2)])
  }

  private func read(_ text: String, _ reader: inout JSONObjectReader) throws {
    try Array(text.utf8).withUnsafeBufferPointer { try reader.read($0, what: "a thing") }
  }

  @Test("What is absent is nil and no problem")
  func absent() throws {
    var reader = try reader("{}")
    #expect(reader.string("name") == nil)
    #expect(reader.integer("count") == nil)
    #expect(reader.bool("flag") == nil)
    #expect(reader.number("amount") == nil)
    #expect(reader.problems.isEmpty)
    #expect(reader.require("name", nil as String?) == nil)
    #expect(reader.problems == [SourceProblem("a thing needs the key \"name\"", at: 0..<2)])
  }

  @Test(
    "Unknown keys, with the nearest known one",
    arguments: [
      ("nmae", "a thing has no key \"nmae\"; did you mean \"name\"?"),
      ("Count", "a thing has no key \"Count\"; did you mean \"count\"?"),
      ("flags", "a thing has no key \"flags\"; did you mean \"flag\"?"),
      ("zzz", "a thing has no key \"zzz\"; known: name, count, flag, amount, list"),
      ("", "a thing has no key \"\"; known: name, count, flag, amount, list"),
      ("a\\nb", "a thing has no key \"a\\nb\"; known: name, count, flag, amount, list"),
    ])
  func unknown(key: String, message: String) throws {
    let reader = try reader("{\"\(key)\":1}")
    #expect(reader.problems == [SourceProblem(message, at: 1..<key.utf8.count + 3)])
  }

  @Test(
    "Wrong types",
    arguments: [
      (#"{"name":1}"#, "\"name\" must be a string, this is 1"),
      (#"{"name":null}"#, "\"name\" must be a string, this is null"),
      (#"{"name":[1]}"#, "\"name\" must be a string, this is an array"),
      (#"{"count":"3"}"#, "\"count\" must be a whole number, this is \"3\""),
      (#"{"count":3.5}"#, "\"count\" must be a whole number, this is 3.5"),
      (#"{"count":9007199254740992.0}"#, "\"count\" must be a whole number, this is 9007199254740992.0"),
      (#"{"count":9223372036854775808}"#, "\"count\" must be a whole number, this is 9223372036854775808"),
      (#"{"flag":1}"#, "\"flag\" must be true or false, this is 1"),
      (#"{"flag":"true"}"#, "\"flag\" must be true or false, this is \"true\""),
      (#"{"amount":{}}"#, "\"amount\" must be a number, this is an object"),
      (#"{"amount":true}"#, "\"amount\" must be a number, this is true"),
    ])
  func types(text: String, message: String) throws {
    var reader = try reader(text)
    readAll(&reader)
    #expect(reader.problems.map(\.message) == [message])
    let start = try #require(text.utf8.firstIndex(of: UInt8(ascii: ":")))
    #expect(reader.problems.first?.range.lowerBound == text.utf8.distance(from: text.startIndex, to: start) + 1)
    #expect(reader.problems.first?.range.upperBound == text.utf8.count - 1)
  }

  @Test("Ranges", arguments: [(0, 1), (1, 0), (63, 0), (64, 1)])
  func ranges(number: Int, problems: Int) throws {
    var reader = try reader("{\"count\":\(number)}")
    #expect((reader.integer("count", in: 1...63) == nil) == (problems == 1))
    #expect(
      reader.problems.map(\.message)
        == Array(repeating: "\"count\" must be a whole number from 1 to 63, this is \(number)", count: problems))
  }

  @Test("All problems at once, in the order in which they are met")
  func all() throws {
    var reader = try reader(#"{"nmae":"x","count":"many","flag":0,"amount":"1"}"#)
    readAll(&reader)
    #expect(reader.require("name", reader.string("name")) == nil)
    reader.complain("odd", about: "flag")
    reader.complain("odder")
    reader.add([SourceProblem("more", at: 0..<1)])
    #expect(
      reader.problems.map(\.message) == [
        "a thing has no key \"nmae\"; did you mean \"name\"?", "\"count\" must be a whole number, this is \"many\"",
        "\"flag\" must be true or false, this is 0", "\"amount\" must be a number, this is \"1\"",
        "a thing needs the key \"name\"", "odd", "odder", "more",
      ])
  }

  @Test(
    "No object at all", arguments: [("[]", "an array"), ("1", "a number"), ("null", "null"), (#""x""#, "a string")])
  func noObject(text: String, kind: String) throws {
    var reader = try reader(text)
    readAll(&reader)
    #expect(
      reader.problems == [SourceProblem("a thing must be an object, this is \(kind)", at: 0..<text.utf8.count)])
  }

  @Test(
    "A value in a message, when it is short",
    arguments: [
      ("1.50", "1.50"), ("true", "true"), (#""a\nb""#, #""a\nb""#), ("null", "null"), ("[1]", "an array"),
      ("{}", "an object"),
      ("\"\(String(repeating: "x", count: 38))\"", "\"\(String(repeating: "x", count: 38))\""),
      ("\"\(String(repeating: "x", count: 39))\"", "a string"),
    ])
  func briefly(text: String, expected: String) throws {
    #expect(try JSONReader.read(Array(text.utf8)).briefly == expected)
  }

  private func reader(_ text: String) throws(JSONError) -> JSONObjectReader {
    JSONObjectReader(try JSONReader.read(Array(text.utf8)), what: "a thing", known: Self.known)
  }

  private func readAll(_ reader: inout JSONObjectReader) {
    _ = reader.string("name")
    _ = reader.integer("count")
    _ = reader.bool("flag")
    _ = reader.number("amount")
  }

  @Test("Of very many problems the first are reported, and the others counted")
  func many() throws {
    let members = (0..<20_000).map { "\"key\($0)\":0" }.joined(separator: ",")
    let node = try JSONReader.read(Array("{\(members)}".utf8))
    var reader = JSONObjectReader(node, what: "a thing", known: ["key", "other"])
    #expect(reader.problems.count == 100)
    #expect(reader.problems[0].message == "a thing has no key \"key0\"; did you mean \"key\"?")
    #expect(SourceProblems(reader.problems).problems.last?.message == "and 19901 more problems")
    reader.add((0..<5).map { SourceProblem("\($0)", at: 0..<1) })
    #expect(SourceProblems(reader.problems).problems.last?.message == "and 19906 more problems")
  }

  @Test("A name among others, however it is escaped; and numbers beyond Int64")
  func names() throws {
    let names: JSONKeys = ["a", "bb"]
    for (text, index) in [
      (#""bb""#, 1), (#""b\u0062""#, 1), (#""\u0061""#, 0), (#""c""#, nil), (#""\u0063""#, nil), ("5", nil),
    ] {
      let reader = try reader(#"{"name":\#(text)}"#)
      #expect(reader.name(at: 0, among: names) == index)
      #expect(reader.name(at: 1, among: names) == nil)
    }
    var reader = try reader(#"{"amount":18446744073709551615,"count":18446744073709551615}"#)
    #expect(reader.number("amount") == 18_446_744_073_709_551_616)
    #expect(reader.integerIfAny(at: 1) == nil && reader.integerIfAny(at: 0) == nil)
    #expect(reader.integer("count") == nil)
    #expect(reader.problems.map(\.message) == ["\"count\" must be a whole number, this is 18446744073709551615"])
  }

  @Test(
    "Of many problems the first are reported, and the others counted",
    arguments: [(1, "and 1 more problem"), (2, "and 2 more problems")])
  func many(more: Int, message: String) throws {
    var reader = try reader("{}")
    reader.add((0..<SourceProblem.mostReported - 1 + more).map { SourceProblem("\($0)", at: 0..<1) })
    #expect(reader.problems.count == SourceProblem.mostReported)
    #expect(reader.problems.last?.message == message)
  }
}
