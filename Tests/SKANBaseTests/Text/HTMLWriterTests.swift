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
}
