import Testing

@testable import SKANCommand

@Suite("Patterns for names")
struct GlobTests {
  @Test(
    "Matches",
    arguments: [
      ("", "", true), ("", "a", false), ("*", "", true), ("*", "anything", true), ("a*", "a", true),
      ("a*", "abc", true), ("a*", "ba", false), ("*a", "ba", true), ("*a", "ab", false), ("a*b", "ab", true),
      ("a*b", "axxbxxb", true), ("a*b", "axxbxx", false), ("?", "a", true), ("?", "", false), ("?", "ab", false),
      ("a?c", "abc", true), ("*?", "", false), ("**", "ab", true), ("*a*a*", "xaya", true), ("*a*a*", "xay", false),
      ("abc", "abc", true), ("abc", "ABC", false), ("a.c", "abc", false), ("[ab]", "a", false), ("[ab]", "[ab]", true),
      // One character is one that a person sees.
      ("gr??e", "größe", true), ("?", "👩‍🚀", true),
    ])
  func matches(pattern: String, text: String, isMatch: Bool) {
    #expect(Glob(pattern).matches(text) == isMatch)
  }

  @Test("Many stars end soon")
  func stars() {
    let pattern = String(repeating: "a*", count: 30) + "b"
    #expect(!Glob(pattern).matches(String(repeating: "a", count: 2_000)))
  }
}
