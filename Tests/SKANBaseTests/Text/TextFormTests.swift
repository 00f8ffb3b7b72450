import Testing

@testable import SKANBase

@Suite("Numbers and texts in the forms that reports, queries and CSV have")
struct TextFormTests {
  @Test(
    "A part of a whole in per cent, rounded half away from 0",
    arguments: [
      (1, 3, "33.3 %"), (23, 80, "28.8 %"), (1, 16, "6.3 %"), (-1, 16, "-6.3 %"), (1, -16, "-6.3 %"), (0, 5, "0.0 %"),
      (-1, 10_000, "0.0 %"), (5, 5, "100.0 %"), (1, 0, "-"), (.max, 1, "922337203685477580700.0 %"),
    ] as [(Int, Int, String)])
  func percent(part: Int, whole: Int, text: String) { #expect(part.percent(of: whole) == text) }

  @Test("List names") func `Ordinals`() {
    #expect(
      [1, 2, 3, 4, 6, 11, 12, 13, 21, 22, 103, 111].map(\.ordinal).joined(separator: " ")
        == "1st 2nd 3rd 4th 6th 11th 12th 13th 21st 22nd 103rd 111th")
  }

  @Test("A list of names, and a text that is cut") func listNames() {
    #expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map { $0.listed() } == ["", "a", "a and b", "a, b and c"])
    #expect(["a", "b"].listed("or") == "a or b")
    #expect("abc".truncated(to: 3) == "abc" && "abcd".truncated(to: 3) == "abc…" && "abcd".truncated(to: 0, "!") == "!")
    #expect("éa B".capitalizedFirst == "Éa B" && UInt64(255).hexText == "00000000000000ff")
  }

  @Test("Escapes of a URL") func escapesURL() {
    #expect("aZ9-._~/ä %".percentEncoded() == "aZ9-._~%2F%C3%A4%20%25")
    #expect("a/b c".percentEncoded(keeping: "/") == "a/b%20c")
  }

  @Test("A line of CSV") func lineCSV() { #expect(["a", "b,c", "=d", ""].csvLine == "a,\"b,c\",'=d,\n") }

  @Test(
    "A UUID",
    arguments: [
      ("21DB6612-09b3-4ECC-84AC-B353B0AF1334", true), ("21DB6612-09B3-4ECC-84AC-B353B0AF133", false),
      ("21DB6612-09B3-4ECC-84AC-B353B0AF1334 ", false), ("21DB66120-9B3-4ECC-84AC-B353B0AF1334", false),
      ("21DB6612-09B3-4ECC-84AC-B353B0AF133G", false), ("", false),
    ])
  func uuid(text: String, isUUID: Bool) { #expect(text.isUUID == isUUID) }
}
