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

@Suite("The story in words")
struct StoryTests {
  @Test(
    "Each ending has its sign and its reason",
    arguments: [
      (#""answer":{"error":"x"}"#, StoryItem.Mark.dropped, "no answer came" as String?),
      (#""answer":{"text":"<html>"}"#, .dropped, "the answer could not be read"),
      (#""answer":{"json":{"status":"ok"}}"#, .dropped, "the endpoint had no new value"),
      (#""answer":{"json":{"status":"error","reason":"x"}}"#, .dropped, "the endpoint answered with an error"),
      (#""answer":{"json":{"conversion_value":64,"status":"ok"}}"#, .dropped, "lock stays held"),
      (#""answer":{"json":{"conversion_value":5,"status":"ok"}},"framework_error":1"#, .ignored, "refused by Apple"),
      (#""answer":{"json":{"conversion_value":5,"status":"ok"}}"#, .taken, nil),
    ])
  func endings(answer: String, mark: StoryItem.Mark, reason: String?) throws {
    let life = try LivedPhone(list(Line.register, #"{"op":"event","name":"e","at":"+1h",\#(answer)}"#))
    let item = try #require(life.timeline.moments.last)
    #expect(item.mark == mark && item.what == "event e")
    if let reason { #expect(item.reason?.contains(reason) ?? false) } else { #expect(item.reason == nil) }
  }

  @Test("Before the first call everything is dropped, and nothing is registered")
  func neverRegistered() throws {
    let life = try LivedPhone(list(Line.session("2026-01-01T00:00:00Z", 1), Line.session("+1h", 2)))
    #expect(life.timeline.chapters.map(\.name) == ["Not registered"])
    #expect(life.timeline.remarks.contains { $0.hasPrefix("The app never registered") })
    #expect(life.timeline.remarks.contains("Nothing reached Apple: all 2 calls were dropped or had no effect."))
  }

  @Test("Many steps are reported as few rows, and none is lost", arguments: [1, 12, 13, 399, 400, 401, 5000])
  func rows(count: Int) throws {
    let life = try LivedPhone(list(Line.register, Line.session("+1h", 5, 1)))
    let item = life.timeline.moments[1]
    let rows = StoryRow.all(Array(repeating: item, count: count), most: 12)
    #expect(rows.count == min(12, count))
    #expect(rows.reduce(0) { $0 + $1.count } == count)
    #expect(rows[0].what == (count > 12 ? "\(rows[0].count) × session" : "session"))
  }

  @Test("A refund is not revenue: it has a sign, a row and a name of its own")
  func refunds() throws {
    let life = try LivedPhone(
      list(Line.register, Line.revenue("+1h", "4.99", "USD"), Line.revenue("+2h", "-4.99", "USD")))
    #expect(life.timeline.moments.map(\.mark) == [.taken, .revenue, .refund])
    #expect(life.timeline.moments[2].what == "refund 4.99 USD")
    #expect(life.timeline.signRows.heading == "Calls to Apple, revenue and refunds")
    #expect(life.timeline.signRows.rows.map(\.name) == ["taken", "revenue", "refunds"])
    #expect(TimelineText(life.timeline).lines.contains { $0.hasPrefix("  − refunds") })
    let only = try LivedPhone(list(Line.register, Line.revenue("+2h", "-1", "USD")))
    #expect(only.timeline.signRows.heading == "Calls to Apple, and refunds")
  }

  @Test func `What cannot be seen is shown, and the joiners of Persian words stay`() {
    #expect("a\u{202E}\u{200B}\u{FFFE}".visible == #"a\u{202E}\u{200B}\u{FFFE}"#)
    #expect("می\u{200C}خواهم 👩\u{200D}👧".visible == "می\u{200C}خواهم 👩\u{200D}👧")
  }

  @Test(
    "From when times count: the first call, what Apple knows, the first thing that happened, or the drawing",
    arguments: [
      (Line.register, "the app's first call to Apple"),
      (
        Line.install(#""ios":"18.4","ad":{"framework":"adattributionkit"}"#)
          + #"\n{"op":"aak-update","at":"2026-01-01T00:00:00Z","fine":5}"#, "the first call that Apple knows of"
      ),
      (Line.session("2026-01-01T00:00:00Z", 1), "the first thing that happened"),
    ])
  func origins(steps: String, words: String) throws {
    let life = try LivedPhone(steps.replacing(#"\n"#, with: "\n") + "\n")
    #expect(life.timeline.remarks.first == "Times count from 2026-01-01T00:00:00Z, \(words).")
    #expect(TimelineLife.instant(nil) == nil && TimelineLife.instant(0) == nil)
    #expect(TimelineLife.instant(5) == Instant(microseconds: 5_000_000))
  }

  @Test("A reason is on the line of its step if it fits there", arguments: 60...140)
  func beside(width: Int) throws {
    let life = try LivedPhone(
      list(
        Line.session("2026-01-01T00:00:00Z", 1), #"{"op":"event","name":"a","at":"+1h","answer":{"error":"x"}}"#,
        Line.register, Line.session("+2h", 5, 1, lock: true), Line.session("+3h", 9, 2), Line.session("+4h", 3, 0)))
    let text = TimelineText(life.timeline, width: width)
    for chapter in life.timeline.chapters {
      let lines = text.lines(of: chapter)
      for row in chapter.rows {
        guard let reason = row.reason, let index = lines.firstIndex(where: { $0.contains(" \(row.what)") }) else {
          continue
        }
        // The value goes before it.
        guard row.value.map({ lines[index].contains($0) }) ?? true else { continue }
        let isBeside = lines[index].hasSuffix("  \(reason)")
        let start = isBeside ? String(lines[index].dropLast(reason.count + 2)) : lines[index]
        #expect(isBeside == (start.columns + 2 + reason.columns <= width), "\(lines[index])")
      }
    }
  }

  @Test("What must be known of a phone that did nothing, and of an iOS that does not know its ad")
  func remarks() throws {
    let nothing = LivedPhone().timeline
    #expect(nothing.remarks.first?.hasSuffix(", the moment of this drawing.") == true, "\(nothing.remarks)")
    let old = try LivedPhone(
      list(Line.install(#""ios":"16.0","settings":{"old-ios":"not_attributed"}"#), Line.register)
    ).timeline
    #expect(old.subtitle.contains("ad of version 4.0, which this iOS does not know"), "\(old.subtitle)")
    #expect(
      old.remarks.contains(
        "This iOS does not know the ad's version: Apple accepts every call, holds nothing and sends no postback."),
      "\(old.remarks)")
  }
}
