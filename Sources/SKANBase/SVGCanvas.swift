/// The elements drawn so far, and the boxes of their texts, which must not overlap.
package struct SVGCanvas {
  package private(set) var elements: [String] = []
  package private(set) var boxes: [Box] = []

  package init() {}

  /// The area of a text.
  package struct Box: Sendable {
    package let text: String
    package let left, top, right, bottom: Double
  }

  package enum Anchor: String { case start, middle, end }

  /// - Parameters:
  ///   - y: the baseline.
  ///   - kind: CSS classes.
  ///   - whole: the complete text, if `text` is truncated.
  ///   - more: a text that follows, with its own classes.
  package mutating func text(
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
  package mutating func rect(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ kind: String, round: Double = 0,
    title: String? = nil
  ) {
    let corner = round > 0 ? " rx=\"\(round.svg)\"" : ""
    elements.append(
      "<rect x=\"\(x.svg)\" y=\"\(y.svg)\" width=\"\(max(0, width).svg)\" height=\"\(height.svg)\"\(corner) "
        + "class=\"\(kind)\"\(title.map { "><title>\($0.xml)</title></rect>" } ?? "/>")")
  }

  /// Draws below the elements that follow the first `count`.
  package mutating func insert(at count: Int, _ draw: (inout SVGCanvas) -> Void) {
    let above = elements[count...]
    elements.removeLast(elements.count - count)
    draw(&self)
    elements += above
  }

  package mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ kind: String) {
    path("M\(x1.svg) \(y1.svg)L\(x2.svg) \(y2.svg)", kind)
  }

  package mutating func circle(_ x: Double, _ y: Double, _ radius: Double, _ kind: String) {
    elements.append("<circle cx=\"\(x.svg)\" cy=\"\(y.svg)\" r=\"\(radius.svg)\" class=\"\(kind)\"/>")
  }

  package mutating func path(_ data: String, _ kind: String) {
    elements.append("<path d=\"\(data)\" class=\"\(kind)\"/>")
  }
}

extension Double {
  /// The number with at most one decimal, equal on every machine.
  package var svg: String {
    let tenths = Int((self * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let size = abs(tenths)
    return size % 10 == 0 ? "\(sign)\(size / 10)" : "\(sign)\(size / 10).\(size % 10)"
  }
}

extension String {
  /// The text escaped for XML text and attributes.
  package var xml: String {
    unicodeScalars.reduce(into: "") { $0 += $1.xmlEntity ?? String($1) }
  }
}

/// Estimates the widths of texts by a wide font, so that they also fit in other system fonts.
package enum SVGFont {
  package static let body = 15.0
  package static let small = 13.0
  package static let title = 19.0

  package static func width(_ text: String, _ size: Double, isBold: Bool = false) -> Double {
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
  package static func cut(_ text: String, _ size: Double, to most: Double, isBold: Bool = false) -> String {
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

  package static func lines(_ text: String, _ size: Double, _ most: Double) -> [String] {
    text.wrapped(Int(most)) { Int(width($0, size).rounded(.up)) }
  }
}
