import SKANBase

extension SVGCanvas {
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
