import Testing

@testable import SKANBase

/// The widths are those of wcwidth(3) in a UTF-8 terminal, written here as numbers: the layout's own tests measure with
/// the code that they test.
@Suite("Columns of a terminal")
struct ColumnsTests {
  @Test(
    "Columns",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢", 2), ("漢字a", 5), ("ひらがな", 8), ("한글", 4), ("ｆｕ", 4),
      ("ﾊﾝ", 2), ("😀", 2), ("─", 1), ("\u{200B}", 0), ("Ω", 1), ("я", 1),
    ])
  func columns(text: String, columns: Int) { #expect(text.columns == columns, "\(text)") }

  @Test(
    "Cut to columns",
    arguments: [
      ("漢字漢字", 8, "漢字漢字"), ("漢字漢字", 7, "漢字漢…"), ("漢字漢字", 6, "漢字…"), ("abcdef", 4, "abc…"), ("漢字", 0, ""),
    ])
  func cut(text: String, most: Int, expected: String) { #expect(text.cut(to: most, "…") == expected) }

  @Test("Padded, and broken into lines")
  func layout() {
    #expect("漢".padded(to: 4) == "漢  " && "漢字x".padded(to: 4) == "漢字x" && "漢".leftPadded(to: 4) == "  漢")
    #expect("漢字 漢字 ab".wrapped(4) { $0.columns } == ["漢字", "漢字", "ab"])
    #expect("漢字漢字".wrapped(5) { $0.columns } == ["漢字", "漢字"])
  }
}
