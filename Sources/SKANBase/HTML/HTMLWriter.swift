/// Writes HTML: elements and texts, of which all are escaped.
package struct HTMLWriter {
  package private(set) var text = ""

  package init() {}

  /// A page for browsers: one file without scripts, which asks for nothing else.
  ///
  /// - Parameter content: of the page's main part.
  package static func page(title: String, _ content: (inout HTMLWriter) -> Void) -> String {
    var page = HTMLWriter()
    page.beginPage(title: title)
    content(&page)
    page.endPage()
    return page.text
  }

  /// What stands before the main part of a page.
  ///
  /// - Parameters:
  ///   - policy: what the page may load and run, as browsers enforce it (Content Security Policy).
  ///   - style: rules besides those of every page.
  package mutating func beginPage(title: String, policy: String? = nil, style: String? = nil) {
    let policy = policy.map { "<meta http-equiv=\"Content-Security-Policy\" content=\"\($0.html)\">\n" } ?? ""
    text += """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      \(policy)<meta name="viewport" content="width=device-width">
      <title>\(title.html)</title>
      <style>
      \(HTMLStyle.text)
      \(style.map { "\($0)\n" } ?? "")</style>
      </head>
      <body>
      <main>

      """
  }

  /// What stands behind it.
  package mutating func endPage() { text += "</main>\n</body>\n</html>\n" }

  /// Takes out what was written so far.
  package mutating func takeText() -> String {
    defer { text = "" }
    return text
  }

  /// An element with others in it.
  package mutating func element(
    _ name: String, _ attributes: [(name: String, value: String)] = [], _ content: (inout HTMLWriter) -> Void
  ) {
    start(name, attributes)
    text += "\n"
    content(&self)
    text += "</\(name)>\n"
  }

  /// An element with a text in it.
  package mutating func element(
    _ name: String, _ attributes: [(name: String, value: String)] = [], text content: String
  ) {
    start(name, attributes)
    text += "\(content.html)</\(name)>\n"
  }

  /// HTML as it stands, of the program's own only.
  package mutating func add(_ html: String) { text += html }

  /// A bar with its number behind it.
  ///
  /// - Parameters:
  ///   - most: what the widest bar stands for.
  ///   - name: what is counted.
  package mutating func bar(_ count: Int, of most: Int, _ name: String) {
    element("td", [("class", "bar"), ("title", "\(name): \(count)")]) { cell in
      // What occurs has a bar.
      let thousandths = most == 0 ? 0 : max(count > 0 ? 5 : 0, count * 1000 / most)
      let part = "\(thousandths / 1000).\(String(thousandths % 1000).leftPadded(to: 3, with: "0"))"
      cell.element("span", [("style", "width:calc((100% - 4rem)*\(part))")], text: "")
      cell.element("b", text: "\(count)")
    }
  }

  private mutating func start(_ name: String, _ attributes: [(name: String, value: String)]) {
    text += "<\(name)" + attributes.map { " \($0.name)=\"\($0.value.html)\"" }.joined() + ">"
  }
}

extension String {
  /// Escaped for texts and attributes; what cannot be seen, or changes the direction of others, is shown as `\u202e`.
  package var html: String {
    unicodeScalars.reduce(into: "") { $0 += $1.xmlEntity ?? ($1.isHidden ? $1.hiddenText : String($1)) }
  }
}
