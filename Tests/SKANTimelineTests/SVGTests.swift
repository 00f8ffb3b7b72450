import Foundation
import SKANDevice
import Testing

@testable import SKANTimeline

@Suite("The SVG")
struct SVGTests {
  private static let busy = list(
    Line.register, Line.session("+1h", 5, 0, lock: true), Line.session("+2h", 9, 2),
    #"{"op":"event","at":"+3h","name":"a<b>&\"c\u0001\uFFFE","answer":{"error":"x"}}"#,
    Line.revenue("+4h", "4.99", "<USD>"))

  @Test("Nothing of a life becomes markup, and what XML forbids is shown")
  func escapes() throws {
    let text = TimelineSVG(try LivedPhone(Self.busy).timeline).text
    #expect(text.contains("event a&lt;b&gt;&amp;&quot;c\\u{1}\\u{FFFE}"))
    #expect(text.contains("4.99 &lt;USD&gt;"))
  }

  @Test("No script, nothing from outside, and a picture for who cannot see it")
  func isSelfContained() throws {
    let text = TimelineSVG(try LivedPhone(Self.busy).timeline).text
    let addresses = text.components(separatedBy: "http").count - 1
    #expect(addresses == 1 && text.contains(#"xmlns="http://www.w3.org/2000/svg""#))
    for word in ["<script", "href", "@import", "onload", "<image", "<foreignObject"] { #expect(!text.contains(word)) }
    #expect(text.contains(#"role="img""#) && text.contains("<title id=") && text.contains("<desc id="))
    #expect(text.contains("prefers-color-scheme:dark"))
  }

  @Test("The axis says that it is not linear, a refund is drawn in another shape, and merged signs say what they are")
  func signs() throws {
    let sessions = (0..<30).map { Line.session("+\(3 + $0)h", 5 + $0, 1) }.joined(separator: "\n")
    let life = try LivedPhone(
      list(Line.register, Line.revenue("+1h", "4.99", "USD"), Line.revenue("+9d", "-4.99", "USD"), sessions))
    let text = TimelineSVG(life.timeline).text
    #expect(text.contains(">not linear</text>") && text.contains("The axis of time is not linear."))
    #expect(text.contains("h10m-5 -5v10\"") && text.contains("h10v10h-10zM"))
    #expect(text.contains("<title>+3h session fine 5, medium\n+4h session fine 6, medium"))
    #expect(text.contains("class=\"pill\"><title>"))
    #expect(TimelineText(life.timeline).lines.contains { $0.hasPrefix("  not linear") })
  }

  @Test("The end of the last window has its label beside that of the chart", arguments: ["+36d", "+41d", "+45d"])
  func ticks(end: String) throws {
    let life = try LivedPhone(list(Line.register, Line.session("+1h", 5, 0), Line.session(end, 6, 0)))
    #expect(TimelineSVG(life.timeline).text.contains(">+35d</text>"))
  }

  @Test("A value of a window's last moment stays within the window")
  func ends() throws {
    let life = try LivedPhone(
      list(
        Line.register, Line.session("+1d23h59m", 5, 0, lock: true), Line.session("+6d23h59m", 5, 1),
        Line.session("+34d23h59m", 5, 2)))
    let text = TimelineSVG(life.timeline).text
    func edges(_ kind: String) throws -> [(left: Double, right: Double)] {
      text.matches(
        of: try Regex(#"<rect x="([0-9.]+)" y="[0-9.]+" width="([0-9.]+)" height="[0-9.]+"[^>]* class="\#(kind)""#)
      )
      .compactMap { match in
        guard let left = match[1].substring.flatMap({ Double($0) }),
          let width = match[2].substring.flatMap({ Double($0) })
        else { return nil }
        return (left, left + width)
      }
    }
    let bands = try edges("w[0-2]").filter { $0.right - $0.left < 400 }
    for bar in try edges("app") + edges("apple") + edges("hatch") {
      #expect(bands.contains { $0.left - 0.11 <= bar.left && bar.right <= $0.right + 0.11 }, "\(bar) in \(bands)")
    }
    #expect(try edges("app").count > 2)
  }

  @Test("The line of the present is below symbols and counts")
  func present() throws {
    let text = TimelineSVG(try LivedPhone(Self.busy).timeline).text
    let now = try #require(text.ranges(of: "class=\"now\"").last?.lowerBound)
    let dot = try #require(text.ranges(of: "class=\"dot\"").last?.lowerBound)
    #expect(now < dot)
  }

  @Test("Without its steps it is the chart alone")
  func chart() throws {
    let timeline = try LivedPhone(Self.busy).timeline
    let chart = TimelineSVG(timeline, tellsSteps: false)
    #expect(chart.size.height < TimelineSVG(timeline).size.height && !chart.text.contains("the app keeps</text>"))
    #expect(chart.text.contains("The app keeps"))
  }

  @Test("As an element of a page it has names of its own, and no style but its scope's")
  func element() throws {
    let timeline = try LivedPhone(Self.busy).timeline
    let element = TimelineSVG(timeline, id: "life-2-1").element
    #expect(element.hasPrefix("<svg width=") && !element.contains("<style") && !element.contains("skan-"))
    #expect(
      element.contains("<title id=\"life-2-1-title\">")
        && element.contains("aria-labelledby=\"life-2-1-title life-2-1-desc\""))
    let style = TimelineSVG.style(in: ".life")
    for rule in style.split(separator: "}\n") where !rule.hasPrefix("@media") && rule != "\n" {
      #expect(rule.hasPrefix(".life ") || rule.isEmpty, "\(rule)")
    }
    #expect(style.contains("@media(prefers-color-scheme:dark){.life svg{background") && !style.contains("url("))
    #expect(style.split(separator: "{").count == style.split(separator: "}", omittingEmptySubsequences: false).count)
  }

  private static let xmllint = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/xmllint" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  @Test("xmllint takes it", .enabled(if: xmllint != nil), arguments: 0..<12)
  func isWellFormed(seed: Int) throws {
    let text = TimelineSVG(try LivedPhone(RandomLives.list(seed: UInt64(seed))).timeline).text
    let file = FileManager.default.temporaryDirectory.appending(path: "skan-\(UUID().uuidString).svg")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(text.utf8).write(to: file)
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.xmllint))
    process.arguments = ["--noout", "--nonet", file.path]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
