import Foundation
import SKANDevice
import Testing

@testable import SKANTimeline

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

  @Test("What cannot be seen is shown, and the joiners of Persian words stay") func whatCannot() {
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
