import Testing

@testable import SKANDevice

@Suite("Percent-encoding of a query")
struct QueryItemTests {
  @Test(
    "Values",
    arguments: [
      ("abcXYZ019", "abcXYZ019"), ("-._~", "-._~"), ("+;/?:@,'()*!$", "+;/?:@,'()*!$"), ("&", "%26"), ("=", "%3D"),
      ("%", "%25"), ("#", "%23"), (" ", "%20"), ("\"", "%22"), ("<>", "%3C%3E"), ("{}", "%7B%7D"), ("[]", "%5B%5D"),
      ("\\^|`", "%5C%5E%7C%60"), ("\n\r\t\u{0}\u{7F}", "%0A%0D%09%00%7F"), ("é", "%C3%A9"), ("e\u{301}", "e%CC%81"),
      ("漢", "%E6%BC%A2"), ("😀", "%F0%9F%98%80"), ("\u{A0}", "%C2%A0"), ("%20", "%2520"), ("gold+pack", "gold+pack"),
      (#"{"EUR":9.9899997711181641,"USD":1}"#, "%7B%22EUR%22:9.9899997711181641,%22USD%22:1%7D"), ("", ""),
      ("a=b&c", "a%3Db%26c"), ("https://a.b/c?d=e", "https://a.b/c?d%3De"),
    ])
  func values(text: String, expected: String) {
    #expect([QueryItem("n", text)].percentEncoded == "n=\(expected)")
    #expect([QueryItem(text, "v")].percentEncoded == "\(expected)=v")
  }

  @Test("Every ASCII character is bare or escaped as the table of the reference says")
  func everyCharacter() {
    let bare = "-._~+;/?:@,'()*!$"
    for byte in UInt8(0)..<0x80 {
      let character = Character(UnicodeScalar(byte))
      let isBare = character.isLetter || character.isNumber || bare.contains(character)
      let hex = String(byte, radix: 16, uppercase: true)
      let expected = isBare ? String(character) : "%" + (hex.count < 2 ? "0" : "") + hex
      #expect([QueryItem("n", String(character))].percentEncoded == "n=\(expected)")
    }
  }

  @Test(
    "A whole query",
    arguments: [
      ([], ""), ([QueryItem("a", "1")], "a=1"), ([QueryItem("a", nil)], "a"), ([QueryItem("a", "")], "a="),
      ([QueryItem("a", "1"), QueryItem("b", nil), QueryItem("c", "x y")], "a=1&b&c=x%20y"),
      ([QueryItem("a", "1"), QueryItem("a", "2")], "a=1&a=2"), ([QueryItem("a b", nil)], "a%20b"),
    ] as [([QueryItem], String)])
  func whole(items: [QueryItem], expected: String) {
    #expect(items.percentEncoded == expected)
  }
}
