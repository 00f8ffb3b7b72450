import TestSupport
import Testing

@testable import SKANBase

@Suite("Both sides of every limit")
struct LimitTests {
  private static func names(_ count: Int) -> [String] { (0..<count).map { "n\($0)" } }

  private static func node(_ json: String) throws -> JSONNode { try JSONReader.read(Array(json.utf8)) }

  private static func problems(_ count: Int) throws -> [SourceProblem] {
    var reader = JSONObjectReader(try node("{}"), what: "a test", known: [])
    for number in 0..<count { reader.complain("problem \(number)") }
    return reader.problems
  }

  @Test("What a text does not name it counts")
  func rest() throws {
    try expectRest(beyond: 4, "a list") { Self.names($0).listed(atMost: 4) }
    #expect(Self.names(4).listed(atMost: 4) == "n0, n1, n2 and n3")
    #expect(Self.names(5).listed(atMost: 4) == "n0, n1, n2, n3 and 1 more")
    try expectRest(beyond: 99, "problems of an object") { try Self.problems($0).map(\.message).joined(separator: "\n") }
    #expect(try Self.problems(100).last?.message == "and 1 more problem" && Self.problems(101).count == 100)
  }

  @Test("Lengths")
  func lengths() throws {
    expectLimit(256, "a name for which another one may be meant") { count in
      nearestName(to: String(repeating: "a", count: count), in: [String(repeating: "a", count: count - 2) + "b"]) != nil
    }
    expectLimit(256, "a name that may be meant") { count in
      nearestName(to: String(repeating: "a", count: count - 3), in: [String(repeating: "a", count: count)]) != nil
    }
    try expectLimit(40, "a text in a message") { count in
      try Self.node("\"\(String(repeating: "x", count: count - 2))\"").briefly.hasPrefix("\"")
    }
    try expectLimit(40, "a number in a message") { count in
      try Self.node("1." + String(repeating: "0", count: count - 2)).briefly.count == count
    }
    expectLimit(512, "brackets inside each other") { count in
      (try? Self.node(String(repeating: "[", count: count) + String(repeating: "]", count: count))) != nil
    }
    expectLimit(9, "a text that is cut") { !String(repeating: "x", count: $0).truncated(to: 9).hasSuffix("…") }
    #expect(String(repeating: "x", count: 10).truncated(to: 9) == "xxxxxxxxx…")
  }

  @Test("The rows of a chart; its table has the others")
  func rows() {
    expectLimit(64, "rows") { count in
      var chart = BarChart("c", series: ["s"])
      chart.rows = Self.names(count).map { BarChart.Row($0, [BarChart.Bar(1, "1")]) }
      return chart.element.matches(of: /<rect\s/).count == count
    }
  }
}
