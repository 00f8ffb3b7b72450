import SKANBase
import Testing

@Suite("HTML")
struct HTMLWriterTests {
  /// What the escapes stand for.
  private static let entities = ["&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&apos;": "'", "&amp;": "&"]

  @Test(
    "No text and no attribute is markup, and each reads back",
    arguments: [
      String(String.UnicodeScalarView((0x20..<0x7F).compactMap { Unicode.Scalar($0) })), "\" onload=\"x", "' x='",
      "</title><script>", "--><b>", "&lt;&amp;", "é ü",
    ])
  func escaped(text: String) throws {
    var writer = HTMLWriter()
    writer.beginPage(title: text, policy: text)
    let start = try #require(writer.text.firstRange(of: "<style>")?.lowerBound)
    let head = String(writer.text[..<start].dropFirst("<!DOCTYPE html>".count))
    _ = writer.takeText()
    writer.element("p", [("title", text), ("class", text)], text: text)
    writer.element("div", [("id", text)]) { $0.element("b", text: text) }
    writer.bar(3, of: 5, text)
    var part = ReportPart(text, texts: [text], numbers: [text], after: [text])
    (part.notes, part.rows, part.bars, part.barName) = ([text], [[text, "1", text]], [1], text)
    writer.section(part)
    for (html, count) in [(head, 2), (writer.text, 15)] {
      let tag = try Regex(#"</?[a-z0-9]+( [a-z-]+="[^"<>]*")*>"#)
      let plain = html.replacing(tag, with: "")
      #expect(!plain.contains { "<>\"".contains($0) }, "\(plain)")
      #expect(!html.replacing(try Regex("&(lt|gt|quot|amp|apos|#39);"), with: "").contains("&"))
      let read = html.replacing(try Regex("&[a-z0-9#]+;")) { match in
        Self.entities[String(html[match.range])] ?? "?"
      }
      #expect(read.ranges(of: text).count == count, "\(read)")
    }
  }

  @Test("A bar is as long as its part of the most, to the thousandth; one above 0 is seen")
  func bars() throws {
    for most in [0, 1, 9, 10, 1000, 3000] {
      for count in [0, 1, 4, 5, 6, 9, 10, 333, 999, 1000, 2999, 3000] where count <= most {
        var writer = HTMLWriter()
        writer.bar(count, of: most, "users")
        let part = try #require(writer.text.firstMatch(of: /\*([01]\.[0-9]{3})\)/)?.1)
        let thousandths = count == 0 ? 0 : max(5, count * 1000 / most)
        #expect(Double(part) == Double(thousandths) / 1000 && writer.text.contains("<b>\(count)</b>"))
      }
    }
  }

  @Test("A text that fits is not cut, and of another one there is as much as fits; its width is that of its characters")
  func fonts() {
    func width(_ text: String) -> Double { SVGFont.width(text, 10) }
    for group in ["iljI|' .,:;!", "ftr()[]-/\\\"s", "abcdegknz0123456789_?$", "A+<>=~#&Z", "é…ß", "mwMW%@", "漢字"] {
      #expect(Set(group.unicodeScalars.map { width(String($0)) }).count == 1, "\(group)")
    }
    let classes = ["i", "s", "a", "A", "é", "m", "漢"].map(width)
    #expect(zip(classes, classes.dropFirst()).allSatisfy { $0 < $1 } && classes[6] == 14)
    for text in ["", "i", "A wider text 漢字", "MMMM"] {
      let whole = width(text)
      #expect(abs(whole - text.map { width(String($0)) }.reduce(0, +)) < 1e-9)
      #expect(abs(SVGFont.width(text, 10, isBold: true) - whole * 1.1) < 1e-9)
      #expect(SVGFont.cut(text, 10, to: whole) == text)
      for most in [whole - 0.01, whole - 5, whole / 2, 12] where most < whole && most >= width("…") {
        let cut = SVGFont.cut(text, 10, to: most)
        let next = text.prefix(cut.count)
        #expect(cut.hasSuffix("…") && text.hasPrefix(cut.dropLast()) && width(cut) <= most)
        #expect(width(String(next) + "…") > most - 1e-9)
      }
      for line in SVGFont.lines(text, 10, 60) { #expect(width(line) <= 60) }
    }
  }
}
