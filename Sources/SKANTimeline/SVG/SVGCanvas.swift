import SKANBase

/// What has been drawn so far: elements, and the boxes of all texts, of which no two may overlap.
struct SVGCanvas {
  private(set) var elements: [String] = []
  private(set) var boxes: [Box] = []

  /// Where a text lies.
  struct Box: Sendable {
    let text: String
    let left, top, right, bottom: Double
  }

  enum Anchor: String { case start, middle, end }

  /// - Parameters:
  ///   - y: of the base line.
  ///   - kind: classes of the style.
  ///   - whole: what the text is cut from.
  ///   - more: what follows it, with classes of its own.
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

  /// - Parameter title: what a browser shows of it on its own.
  mutating func rect(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ kind: String, round: Double = 0,
    title: String? = nil
  ) {
    let corner = round > 0 ? " rx=\"\(round.svg)\"" : ""
    elements.append(
      "<rect x=\"\(x.svg)\" y=\"\(y.svg)\" width=\"\(max(0, width).svg)\" height=\"\(height.svg)\"\(corner) "
        + "class=\"\(kind)\"\(title.map { "><title>\($0.xml)</title></rect>" } ?? "/>")")
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ kind: String) {
    path("M\(x1.svg) \(y1.svg)L\(x2.svg) \(y2.svg)", kind)
  }

  mutating func circle(_ x: Double, _ y: Double, _ radius: Double, _ kind: String) {
    elements.append("<circle cx=\"\(x.svg)\" cy=\"\(y.svg)\" r=\"\(radius.svg)\" class=\"\(kind)\"/>")
  }

  mutating func path(_ data: String, _ kind: String) { elements.append("<path d=\"\(data)\" class=\"\(kind)\"/>") }

  /// The sign of what came of something, 5 units around its centre.
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
  /// With at most one decimal, the same on every machine.
  var svg: String {
    let tenths = Int((self * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let size = abs(tenths)
    return size % 10 == 0 ? "\(sign)\(size / 10)" : "\(sign)\(size / 10).\(size % 10)"
  }
}

extension String {
  /// Escaped for text and attributes of XML.
  var xml: String {
    unicodeScalars.reduce(into: "") { $0 += $1.xmlEntity ?? String($1) }
  }
}
