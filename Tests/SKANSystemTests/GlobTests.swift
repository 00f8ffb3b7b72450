import SKANSystem
import Testing

@Suite("Patterns for names")
struct GlobTests {
  @Test(
    "Matches",
    arguments: [
      ("", "", true), ("", "a", false), ("*", "", true), ("*", "anything", true), ("a*", "a", true),
      ("a*", "abc", true), ("a*", "ba", false), ("*a", "ba", true), ("*a", "ab", false), ("a*b", "ab", true),
      ("a*b", "axxbxxb", true), ("a*b", "axxbxx", false), ("?", "a", true), ("?", "", false), ("?", "ab", false),
      ("a?c", "abc", true), ("*?", "", false), ("**", "ab", true), ("*a*a*", "xaya", true), ("*a*a*", "xay", false),
      ("abc", "abc", true), ("abc", "ABC", false), ("a.c", "abc", false),
      ("[ab]", "a", true), ("[ab]", "c", false), ("[ab]", "[ab]", false), ("[ab]", "", false), ("[a-c]x", "bx", true),
      ("[a-c]x", "dx", false), ("[!a-c]", "d", true), ("[!a-c]", "b", false), ("[^a]", "b", true), ("[^a]", "", false),
      ("[]a]", "]", true), ("[]a]", "a", true), ("[!]]", "]", false), ("[!]]", "a", true), ("[a-]", "-", true),
      ("[-a]", "-", true), ("[a-]", "b", false), ("[z-a]", "m", false), ("[z-a]", "z", false), ("[0-9a]", "a", true),
      ("*[0-9]", "purchase 7", true), ("*[0-9]", "purchase", false), ("[*?]", "*", true), ("[*?]", "x", false),
      // What no bracket ends stands for itself.
      ("[ab", "[ab", true), ("[ab", "a", false), ("a[", "a[", true), ("[", "[", true), ("[]", "[]", true),
      ("[!", "[!", true), ("]", "]", true),
      // One character is a Unicode scalar, whatever the locale of the process.
      ("[é-ü]", "ö", true), ("gr??e", "größe", true), ("?", "😀", true), ("[é]", "e\u{301}", false),
      ("\\*", "*", true), ("\\*", "a", false), ("*/b", ".a/b", true), ("a\0b", "a", false), ("a", "a\0b", false),
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
