import SKANBase

/// The elements drawn so far, and the boxes of their texts, which must not overlap.
struct SVGCanvas {
  private(set) var elements: [String] = []
  private(set) var boxes: [Box] = []

  /// The area of a text.
  struct Box: Sendable {
    let text: String
    let left, top, right, bottom: Double
  }

  enum Anchor: String { case start, middle, end }

  /// - Parameters:
  ///   - y: the baseline.
  ///   - kind: CSS classes.
  ///   - whole: the complete text, if `text` is truncated.
  ///   - more: a text that follows, with its own classes.
  mutating func text(
    _ text: String, _ x: Double, _ y: Double, _ size: Double = SVGFont.body, _ kind: String = "",
    anchor: Anchor = .start, whole: String? = nil, then more: String? = nil, kind moreKind: String = ""
  ) {
    let isBold = kind.split(separator: " ").contains("b")
    let width =
      SVGFont.width(text, size, isBold: isBold) + (more.map { SVGFont.width($0, size, isBold: true) + 10 } ?? 0)
    let left =
      switch anchor {
      case .start: x
      case .middle: x - width / 2
      case .end: x - width
      }
    boxes.append(
      Box(text: text + (more ?? ""), left: left, top: y - size * 0.8, right: left + width, bottom: y + size * 0.25))
    let classes = kind.isEmpty ? "" : " class=\"\(kind)\""
    let ends = anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\""
    let title = whole.map { "<title>\($0.xml)</title>" } ?? ""
    let tail = more.map { "<tspan dx=\"10\" class=\"\(moreKind)\">\($0.xml)</tspan>" } ?? ""
    let position = "x=\"\(x.svg)\" y=\"\(y.svg)\" font-size=\"\(size.svg)\""
    elements.append("<text \(position)\(classes)\(ends)>\(title)\(text.xml)\(tail)</text>")
  }

  /// - Parameter title: a tooltip.
  mutating func rect(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ kind: String, round: Double = 0,
    title: String? = nil
  ) {
    let corner = round > 0 ? " rx=\"\(round.svg)\"" : ""
    elements.append(
      "<rect x=\"\(x.svg)\" y=\"\(y.svg)\" width=\"\(max(0, width).svg)\" height=\"\(height.svg)\"\(corner) "
        + "class=\"\(kind)\"\(title.map { "><title>\($0.xml)</title></rect>" } ?? "/>")")
  }

  /// Draws below the elements that follow the first `count`.
  mutating func insert(at count: Int, _ draw: (inout SVGCanvas) -> Void) {
    let above = elements[count...]
    elements.removeLast(elements.count - count)
    draw(&self)
    elements += above
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ kind: String) {
    path("M\(x1.svg) \(y1.svg)L\(x2.svg) \(y2.svg)", kind)
  }

  mutating func circle(_ x: Double, _ y: Double, _ radius: Double, _ kind: String) {
    elements.append("<circle cx=\"\(x.svg)\" cy=\"\(y.svg)\" r=\"\(radius.svg)\" class=\"\(kind)\"/>")
  }

  mutating func path(_ data: String, _ kind: String) { elements.append("<path d=\"\(data)\" class=\"\(kind)\"/>") }

  /// Draws the symbol of an event's result, within 5 units of its center.
  mutating func mark(_ mark: StoryItem.Mark, _ x: Double, _ y: Double) {
    switch mark {
    case .taken: circle(x, y, 4.5, "dot")
    case .ignored: circle(x, y, 4, "ring")
    case .dropped: path("M\((x - 4).svg) \((y - 4).svg)l8 8m0 -8l-8 8", "cross")
    case .revenue: path("M\((x - 5).svg) \(y.svg)h10m-5 -5v10", "plus")
    case .refund: path("M\((x - 5).svg) \((y - 5).svg)h10v10h-10zM\((x - 2.5).svg) \(y.svg)h5", "plus")
    case .other: circle(x, y, 2, "point")
    }
  }
}

extension Double {
  /// The number with at most one decimal, equal on every machine.
  var svg: String {
    let tenths = Int((self * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let size = abs(tenths)
    return size % 10 == 0 ? "\(sign)\(size / 10)" : "\(sign)\(size / 10).\(size % 10)"
  }
}

extension String {
  /// The text escaped for XML text and attributes.
  var xml: String {
    unicodeScalars.reduce(into: "") { $0 += $1.xmlEntity ?? String($1) }
  }
}

/// Estimates the widths of texts by a wide font, so that they also fit in other system fonts.
enum SVGFont {
  static let body = 15.0
  static let small = 13.0
  static let title = 19.0

  static func width(_ text: String, _ size: Double, isBold: Bool = false) -> Double {
    text.unicodeScalars.reduce(0) { $0 + part(of: $1) } * size * (isBold ? 1.1 : 1)
  }

  /// The width of a character, relative to the font size.
  private static func part(of scalar: Unicode.Scalar) -> Double {
    guard scalar.isASCII else { return String(scalar).columns > 1 ? 1.4 : 0.9 }
    switch scalar {
    case "i", "l", "j", "I", "|", "'", " ", ".", ",", ":", ";", "!": return 0.34
    case "f", "t", "r", "(", ")", "[", "]", "-", "/", "\\", "\"", "s": return 0.53
    case "m", "w", "M", "W", "%", "@": return 1
    case "A"..."Z", "+", "<", ">", "=", "~", "#", "&": return 0.84
    default: return 0.64
    }
  }

  /// The text, truncated with an ellipsis if it is wider than `most`.
  static func cut(_ text: String, _ size: Double, to most: Double, isBold: Bool = false) -> String {
    if width(text, size, isBold: isBold) <= most { return text }
    var cut = ""
    var left = most - width("…", size, isBold: isBold)
    for character in text {
      left -= width(String(character), size, isBold: isBold)
      if left < 0 { break }
      cut.append(character)
    }
    return cut + "…"
  }

  static func lines(_ text: String, _ size: Double, _ most: Double) -> [String] {
    text.wrapped(Int(most)) { Int(width($0, size).rounded(.up)) }
  }
}

/// Colors that color-blind people can distinguish (Okabe and Ito's, adjusted for contrast), each combined with a shape
/// or a pattern. There are no CSS variables, as not every SVG viewer supports them.
enum SVGStyle {
  static let text = """
    svg{max-width:100%;height:auto;font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
    \(rules(.light))
    @media(prefers-color-scheme:dark){
    \(rules(.dark))
    }
    """

  /// The style for drawings within a page: each rule applies only in elements of `scope`. Locks are not hatched, as all
  /// drawings of a page would need the same pattern.
  static func text(in scope: String) -> String {
    text.replacing("url(#skan-hatch)", with: "none").split(separator: "}", omittingEmptySubsequences: false)
      .map { piece in
        var (before, rule) = ("", String(piece.drop { $0.isWhitespace }))
        if rule.hasPrefix("@media"), let start = rule.firstIndex(of: "{") {
          before = String(rule[...start])
          rule = String(rule[rule.index(after: start)...].drop { $0.isWhitespace })
        }
        return rule.isEmpty ? before : "\(before)\(scope) \(rule)"
      }.joined(separator: "}\n")
  }

  private struct Palette {
    let paper, ink, muted, rule: String
    let windows: [String]
    let app, apple, soft: String

    static let light = Palette(
      paper: "#fff", ink: "#1b1f24", muted: "#59636e", rule: "#8c959f",
      windows: ["#dcebf7", "#fbe9c8", "#dff0e2", "#eceef0"],
      app: "#0064a6", apple: "#b34700", soft: "#c9d1d9")
    static let dark = Palette(
      paper: "#0d1117", ink: "#e6edf3", muted: "#9aa4b0", rule: "#6e7681",
      windows: ["#15304a", "#43340f", "#173a22", "#21262d"],
      app: "#58b0f0", apple: "#ff9a5c", soft: "#484f58")
  }

  private static func rules(_ palette: Palette) -> String {
    let windows = palette.windows.enumerated().map { ".w\($0){fill:\($1)}" }.joined()
    return """
      svg{background:\(palette.paper)}.paper{fill:\(palette.paper)}text{fill:\(palette.ink)}.m{fill:\(palette.muted);font-weight:400}
      .b{font-weight:600}.app{fill:\(palette.app)}.apple{fill:\(palette.apple)}
      .rule{stroke:\(palette.rule);stroke-width:1;fill:none}.grid{stroke:\(palette.soft);stroke-width:1;fill:none}
      .la{stroke:\(palette.app);stroke-width:2.5;fill:none}.lt{stroke:\(palette.apple);stroke-width:2.5;fill:none}
      .dots{stroke-dasharray:2 5}.now{stroke:\(palette.ink);stroke-width:1.5;stroke-dasharray:5 3;fill:none}
      .dot{fill:\(palette.ink)}.point{fill:\(palette.muted)}
      .ring{fill:\(palette.paper);stroke:\(palette.ink);stroke-width:2}
      .cross{stroke:\(palette.muted);stroke-width:2;fill:none}.plus{stroke:\(palette.ink);stroke-width:2;fill:none}
      .bar{fill:\(palette.soft);stroke:\(palette.rule);stroke-width:1}
      .pill{fill:\(palette.paper);stroke:\(palette.rule);stroke-width:1}
      .hatch{fill:url(#skan-hatch);stroke:\(palette.ink);stroke-width:1}.stripe{stroke:\(palette.ink);stroke-width:2}
      \(windows)
      """
  }
}
