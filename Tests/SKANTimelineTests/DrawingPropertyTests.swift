import Foundation
import SKANBase
import SKANDevice
import SKANRun
import TestSupport
import Testing

@testable import SKANTimeline

@Suite("Drawings of random lives")
struct DrawingPropertyTests {
  @Test("Terminal", arguments: Rounds.of(30))
  func terminal(seed: Int) throws {
    let timeline = try LivedPhone.random(seed).timeline
    for width in [60, 80, 133, 200] {
      let lines = TimelineText(timeline, width: width).lines
      #expect(lines == TimelineText(timeline, width: width).lines)
      // The rules of the windows take all of it.
      #expect(lines.contains { $0.columns == width })
      for line in lines {
        #expect(line.columns <= width, "\(line)")
        #expect(!line.hasSuffix(" ") && !line.contains { $0.isNewline })
      }
    }
  }

  @Test("Below the least width the drawing is as wide as that")
  func narrow() throws {
    let timeline = try LivedPhone(RandomLives.list(seed: 1)).timeline
    let narrow = TimelineText(timeline, width: 10).lines
    #expect(narrow == TimelineText(timeline, width: 60).lines)
    #expect(TimelineText(timeline).lines == TimelineText(timeline, width: 80).lines)
  }

  @Test("Svg", arguments: Rounds.of(30))
  func svg(seed: Int) throws {
    let timeline = try LivedPhone.random(seed).timeline
    let drawing = TimelineSVG(timeline)
    #expect(drawing.text == TimelineSVG(timeline).text)
    check(boxes: drawing)
    check(numbers: drawing)
    // A life of hundreds of steps is no longer than one of dozens.
    #expect(drawing.text.utf8.count < 120_000)
  }

  /// Updates that overlap, on phones of each kind of completion.
  @Test("Overlapping", arguments: Rounds.of(24))
  func overlapping(seed: Int) throws {
    let completion = ["deferred", "sync", "never"][seed % 3]
    let phone = try LivedPhone(RandomLives.list(seed: UInt64(seed), completion: completion))
    let timeline = phone.timeline
    for width in [60, 80, 133] {
      for line in TimelineText(timeline, width: width).lines {
        #expect(line.columns <= width && !line.hasSuffix(" "), "\(line)")
      }
    }
    let drawing = TimelineSVG(timeline)
    check(boxes: drawing)
    check(numbers: drawing)
    for group in timeline.updates {
      #expect(group.bars.map(\.start) == group.bars.map(\.start).sorted())
      for bar in group.bars {
        // The spans are the whole of the update, without gaps.
        let moments = [bar.start] + bar.spans.flatMap { [$0.start, $0.end] } + [bar.end]
        for (left, right) in zip(moments, moments.dropFirst()).enumerated().filter({ $0.offset % 2 == 0 }).map(
          \.element)
        {
          #expect(left == right, "\(bar)")
        }
        #expect(bar.spans.allSatisfy { $0.start <= $0.end } && bar.start >= group.start && bar.end <= group.end)
      }
      for change in group.values.flatMap(\.changes) { #expect((group.start...group.end).contains(change.at)) }
    }
    // Each update that began within another one is drawn with it.
    let bars = phone.history.compactMap { UpdateBar($0) }
    let grouped = timeline.updates.reduce(0) { $0 + $1.bars.count + $1.more }
    let within = bars.enumerated().filter { index, bar in
      bars.enumerated().contains { $0.offset != index && $0.element.start <= bar.start && bar.start < $0.element.end }
    }
    #expect(grouped >= within.count)
    // Without the setting nothing of it is drawn.
    #expect(try LivedPhone(RandomLives.list(seed: UInt64(seed))).timeline.updates.isEmpty)
  }

  /// No text lies on another or leaves the drawing.
  private func check(boxes drawing: TimelineSVG) {
    let boxes = drawing.textBoxes
    for (index, box) in boxes.enumerated() {
      #expect(
        box.left >= 0 && box.right <= drawing.size.width && box.top >= 0 && box.bottom <= drawing.size.height, "\(box)")
      for other in boxes[..<index] where box.top < other.bottom && other.top < box.bottom {
        #expect(box.left >= other.right || other.left >= box.right, "\(box) lies on \(other)")
      }
    }
  }

  private func check(numbers drawing: TimelineSVG) {
    let text = drawing.text
    #expect(!text.contains("nan") && !text.contains("inf\""))
    for (name, most) in [("x", drawing.size.width), ("cx", drawing.size.width), ("y", drawing.size.height)] {
      for part in text.components(separatedBy: " \(name)=\"").dropFirst() {
        guard let number = Double(part.prefix { $0 != "\"" }) else {
          Issue.record("\(name) is no number: \(part.prefix(20))")
          continue
        }
        #expect(number >= 0 && number <= most, "\(name)=\(number)")
      }
    }
    for scalar in text.unicodeScalars {
      #expect(scalar == "\n" || scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF)
    }
  }
}

/// Lives of every kind, the same on every run.
enum RandomLives {
  private static let names = [
    "purchase", "level_up", "a<b>&\\\"c", "x\\u0001y", "日本語のイベント", "👩‍👩‍👧 family", "\\u202Egnp",
    String(repeating: "WMm", count: 60), "", "naïve",
  ]
  private static let installs = [
    #""snippet":"skan4""#, #""snippet":"skan4-beta""#, #""snippet":"skan3""#, #""ios":"18.0","clock":"developer""#,
    #""ad":false"#,
    #""build":"development""#, #""ios":"15.5""#, #""ios":"16.0""#, #""ad":{"version":"3.0","campaign":4}"#,
    #""ad":{"version":"4.0","won":false}"#, #""ios":"12.0""#, #""settings":{"coarse-without":"literal_none"}"#,
    #""settings":{"empty-window":"send_without_value"}"#,
    #""ios":"18.4","ad":{"framework":"adattributionkit","tier":1}"#,
    #""ios":"18.4","ad":{"framework":"adattributionkit"},"settings":{"aak-mirror-coarse":"carried"}"#,
    #""ios":"18.4","ad":{"framework":"adattributionkit"},"settings":{"aak-overlap":"on"}"#,
    #""ios":"18.0","ad":{"framework":"adattributionkit"},"settings":{"aak-mirror":"off"}"#,
    #""ios":"18.0","ad":false,"settings":{"aak-untagged":"all"}"#, #""ios":"18.0","settings":{"aak-to-skan":"on"}"#,
    #""ios":"18.0","clock":"developer","ad":{"framework":"adattributionkit","publisher_id":0}"#,
    #""ios":"18.0","clock":"developer","ad":{"framework":"adattributionkit"}"#, #""ad":{"tier":0}"#,
    #""ad":{"lost":[{"network":"a.skadnetwork"},{"framework":"adattributionkit","network":"b.adattributionkit"}]}"#,
    #""settings":{"clock-start":"first_launch","register-again":"ignored"}"#,
    #""ios":"16.0","settings":{"old-ios":"not_attributed"}"#, #""snippet":"skan3","ad":{"version":"2.2","campaign":4}"#,
    #""snippet":"skan3","ad":{"tier":1}"#,
  ]
  /// The seconds at which windows, timers and the delays behind them begin and end.
  private static let borders = [180, 360, 540, 86_400, 172_800, 604_800, 3_024_000, 5_184_000].flatMap {
    [$0 - 1, $0, $0 + 1]
  }
  private static let answers = [
    #"{"json":{"status":"ok"}}"#, #"{"error":"no network"}"#, #"{"text":"<html>"}"#,
    #"{"json":{"conversion_value":64,"status":"ok"}}"#, #"{"json":{"conversion_value":"7","status":"ok"}}"#,
    #"{"json":{"conversion_value":null,"status":"ok"}}"#,
  ]

  /// - Parameter completion: when Apple completes a call, on a phone whose updates overlap; nil for any other phone.
  static func list(seed: UInt64, completion: String? = nil) -> String {
    var random = Numbers(generator: SplitMix64(seed: seed))
    let install = random.one(of: completion == nil ? installs : installs.filter { !$0.contains("settings") })
    var lines = [Line.install(install + (completion.map { #","settings":{"completion":"\#($0)"}"# } ?? ""))]
    var time = 0
    let steps = [1, 3, 12, 60, 300][random.next(5)]
    let paces: [[Int]] = [[0, 1, 5], [30, 90, 600], [3600, 7200, 1], [86_400, 43_200, 10], [86_400 * 9, 2]]
    let pace = random.one(of: paces)
    if random.next(5) > 0 { lines.append(Line.register) }
    if random.next(4) == 0 { time = 90_000 }
    for _ in 0..<steps {
      time += random.one(of: pace)
      if random.next(8) == 0, let border = borders.first(where: { $0 > time }) { time = border }
      var line = step(time, &random)
      if let completion, line.contains(#""answer""#), !line.contains(#""op":"s2s""#) {
        let later = completion == "deferred" ? #","completion_took":\#(random.one(of: [0, 1, 4]))"# : ""
        line = line.dropLast() + #","took":\#(random.one(of: [0, 1, 2, 7]))\#(later)}"#
      }
      lines.append(line)
    }
    // The moment of the drawing: that of the last step, or a later one.
    if random.next(3) > 0 {
      time = borders.first { $0 > time } ?? time + 1
      if random.next(2) == 0 { time += 700_000 }
      lines.append(#"{"op":"details","at":\#(start + time)}"#)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let start = 1_767_225_600

  private static func step(_ time: Int, _ random: inout Numbers) -> String {
    let at = "\"at\":\(start + time - (random.next(40) == 0 ? 500 : 0))"
    switch random.next(17) {
    case 0: return #"{"op":"relaunch",\#(at)}"#
    case 1: return #"{"op":"register",\#(at)}"#
    case 2, 3:
      let currency = random.one(of: ["USD", "", "a<\\u0002"])
      return
        #"{"op":"revenue",\#(at),"amount":\#(random.one(of: ["4.99", "-1e20", "1e-12"])),"currency":"\#(currency)"}"#
    case 4:
      return #"{"op":"event",\#(at),"name":"\#(random.one(of: names))","answer":\#(random.one(of: answers))}"#
    case 5: return #"{"op":"update",\#(at),"ios":"\#(random.one(of: ["15.0", "17.4"]))"}"#
    case 6:
      let coarse = random.one(of: ["", #","coarse":"high","lock":true"#, #","coarse":"low""#])
      return #"{"op":"aak-update",\#(at),"fine":\#(random.next(65))\#(coarse)}"#
    case 7: return #"{"op":"aak-reengage",\#(at),"url":"https://example.com/"}"#
    case 8:
      return #"{"op":"session",\#(at),"framework_error":1,"answer":{"json":{"conversion_value":9,"status":"ok"}}}"#
    case 9:
      let answer = #"{"json":{"conversion_value":\#(random.next(64)),"skan_updated_coarse_value":1,"status":"ok"}}"#
      return #"{"op":"s2s","kind":"session",\#(at),"answer":\#(answer)}"#
    case 10:
      return #"{"op":"revenue",\#(at),"amount":0.5,"currency":"EUR","ad_monetization":true}"#
    default:
      let values = #""conversion_value":\#(random.next(64)),"skan_updated_coarse_value":\#(random.next(3))"#
      let lock = random.next(9) == 0
      let answer = #"{"json":{\#(values),"skan_updated_lock_window_value":\#(lock),"status":"ok"}}"#
      return #"{"op":"event",\#(at),"name":"\#(random.one(of: names))","answer":\#(answer)}"#
    }
  }

  private struct Numbers {
    var generator: SplitMix64

    mutating func next(_ below: Int) -> Int { Int(generator.next() % UInt64(below)) }

    mutating func one<Value>(of values: [Value]) -> Value { values[next(values.count)] }
  }
}

/// A phone that has run a list, ready to be drawn.
struct LivedPhone {
  var device = Device(DeviceProfile(idfv: nil))
  var history: [LifeEvent] = []
  var now = Instant.listStart
  /// The events of each step, and the phone after it.
  var states: [(events: [LifeEvent], device: Device)] = []

  init() {}

  /// - Parameter list: steps, one a line, all of one phone.
  init(_ list: String) throws {
    let reader = ListReader("list", ByteSource(Array(list.utf8)))
    let phones = ListPhones(StepRunner())
    var step = Step(.details)
    var ended: [UpdatesUnderWay.Ended] = []
    var count = 0
    while let item = try reader.next(into: &step) {
      if case .problems(let problems) = item {
        Issue.record("\(problems)")
        return
      }
      ended += try phones.overlaps(step) ? phones.begin(step, ticket: count) : [(count, phones.run(step))]
      count += 1
    }
    ended += phones.endAll()
    states = ended.sorted { $0.ticket < $1.ticket }.map { ($0.result.lifeEvents, $0.result.device) }
    history = states.flatMap(\.0)
    guard let last = ended.last?.result else { return }
    (device, now) = (last.device, last.endedAt)
  }

  /// A random life. Of some the history is not known, or only its second half.
  static func random(_ seed: Int) throws -> LivedPhone {
    var life = try LivedPhone(RandomLives.list(seed: UInt64(seed)))
    if seed % 6 == 4 { life.history = [] }
    if seed % 6 == 5 { life.history.removeFirst(life.history.count / 2) }
    return life
  }

  var timeline: Timeline {
    Timeline(device, history: history, postbacks: device.postbacks(phone: "", at: now), now: now)
  }

  func lane(_ side: ValueLane.Side) throws -> ValueLane {
    try #require(timeline.lanes.first { $0.side == side })
  }
}

/// Steps of lists.
enum Line {
  static let register = #"{"op":"register","at":"2026-01-01T00:00:00Z"}"#

  static func install(_ more: String) -> String { #"{"op":"device",\#(more)}"# }

  static func session(_ at: String, _ fine: Int, _ coarse: Int? = nil, lock: Bool = false) -> String {
    let more = (coarse.map { #","skan_updated_coarse_value":\#($0)"# } ?? "")
    return #"{"op":"session","at":"\#(at)","answer":{"json":{"conversion_value":\#(fine)\#(more),"#
      + #""skan_updated_lock_window_value":\#(lock),"status":"ok"}}}"#
  }

  static func revenue(_ at: String, _ amount: String, _ currency: String) -> String {
    #"{"op":"revenue","at":"\#(at)","amount":\#(amount),"currency":"\#(currency)"}"#
  }
}

func list(_ lines: String...) -> String { lines.joined(separator: "\n") + "\n" }

/// A label beside another moment than its own tells a wrong time or value.
@Suite("Labels stand at their ticks")
struct LabelPlaceTests {
  private static func check(_ timeline: Timeline) throws {
    try checkSVG(timeline)
    for width in [60, 80, 133] { checkText(TimelineText(timeline, width: width)) }
  }

  /// The centre of a label of the axis is within half its width of its tick, and both ends have theirs.
  private static func checkSVG(_ timeline: Timeline) throws {
    let drawing = TimelineSVG(timeline)
    let boxes = drawing.textBoxes
    let row = try #require(boxes.first { $0.text == "time" })
    let labels = boxes.filter { $0.top == row.top && $0.left > row.right }
    let knots = timeline.axis.knots.map { (text: timeline.elapsed($0.at), x: drawing.position($0.at)) }
    let now = boxes.filter { $0.text == "now" }
    for (box, ticks) in labels.map({ ($0, knots) }) + now.map({ ($0, [("now", drawing.position(timeline.now))]) }) {
      let (middle, half) = ((box.left + box.right) / 2, (box.right - box.left) / 2)
      #expect(
        ticks.contains { $0.text == box.text && abs(middle - $0.x) <= half + 0.001 },
        "\(box.text) at \(middle), ticks: \(ticks)")
    }
    #expect(labels.contains { $0.text == knots[0].text } && labels.contains { $0.text == knots[knots.count - 1].text })
    try checkValues(timeline, drawing)
  }

  /// The label of a fine value touches the place at which the value begins.
  ///
  /// - Returns: the number of labels.
  @discardableResult
  private static func checkValues(_ timeline: Timeline, _ drawing: TimelineSVG) throws -> Int {
    let boxes = drawing.textBoxes
    var count = 0
    for (index, lane) in timeline.lanes.enumerated() {
      // A window's results, further below, may have the lane's name, too.
      let top = try #require(boxes.first { $0.text == lane.title && $0.left == TimelineSVG.margin }).bottom
      let ends = boxes.filter { $0.top > top && $0.left == TimelineSVG.margin }.map(\.top)
      let bottom = ends.min() ?? drawing.size.height
      let values = lane.bands.flatMap { band in
        var latest = band.start
        // After the clock was set back, a value begins where the one that it replaced does.
        return lane.steps.filter { $0.window == band.window }.compactMap { step -> (text: String, x: Double)? in
          latest = max(latest, step.at)
          return step.values.fine.map { (text: String($0), x: drawing.position(latest)) }
        }
      }
      for box in boxes where box.top > top && box.bottom < bottom && box.left >= TimelineSVG.left - 0.001 {
        guard Int64(box.text) != nil else { continue }
        count += 1
        let isAtValue = values.contains { $0.text == box.text && box.left - 1.001 <= $0.x && $0.x <= box.right + 0.001 }
        #expect(isAtValue, "lane \(index): \(box) of \(values)")
      }
    }
    return count
  }

  /// The tick of a label of the terminal's axis is under one of its characters, and both ends have theirs.
  private static func checkText(_ text: TimelineText) {
    let knots = text.timeline.axis.knots.map { (text: text.timeline.elapsed($0.at), column: text.column($0.at)) }
    let ticks = knots + [("now", text.column(text.timeline.now))]
    let row = Array(text.lines.first { $0.hasPrefix("  time ") } ?? "").dropFirst(TimelineText.gutter)
    var words: [(text: String, columns: Range<Int>)] = []
    for (column, character) in row.enumerated() where character != " " {
      if let last = words.last, last.columns.upperBound == column {
        words[words.count - 1] = (last.text + String(character), last.columns.lowerBound..<column + 1)
      } else {
        words.append((String(character), column..<column + 1))
      }
    }
    for word in words {
      #expect(ticks.contains { $0.text == word.text && word.columns.contains($0.column) }, "\(word) of \(ticks)")
    }
    for end in [knots[0], knots[knots.count - 1]] { #expect(words.contains { $0.text == end.text }, "\(end)") }
    for lane in text.timeline.lanes { checkValues(lane, text) }
  }

  /// The label of a fine value in the terminal covers the column at which the value begins, or is right beside it.
  private static func checkValues(_ lane: ValueLane, _ text: TimelineText) {
    // A lane without windows has no rows.
    if lane.bands.isEmpty { return }
    let rows = text.chart.drop { !$0.hasPrefix(lane.title) }
    let row = Array(rows.first { $0.hasPrefix("  fine ") } ?? "").dropFirst(TimelineText.gutter)
    let steps = lane.steps.compactMap { step in
      step.values.fine.map { fine in
        let start = lane.bands.first { $0.window == step.window }?.start ?? step.at
        return (text: String(fine), column: text.column(max(step.at, start)))
      }
    }
    var columns = Array(row.enumerated())[...]
    while let first = columns.firstIndex(where: { $0.element.isNumber }) {
      let digits = columns[first...].prefix { $0.element.isNumber }
      let (word, start) = (String(digits.map(\.element)), columns[first].offset)
      let near = start - 1...start + word.count
      #expect(steps.contains { $0.text == word && near.contains($0.column) }, "\(word) at \(start): \(steps)")
      columns = columns[digits.endIndex...]
    }
  }

  @Test("Of random lives", arguments: Rounds.of(40))
  func random(seed: Int) throws { try Self.check(LivedPhone.random(seed).timeline) }

  @Test("Of the first seconds, which is what serve shows first", arguments: 1...20)
  func first(seconds: Int) throws {
    let steps = (0..<4).map { Line.session("+\(seconds + $0 * seconds / 2)s", $0 * 7, $0 % 3) }
    let timeline = try LivedPhone(([Line.register] + steps).joined(separator: "\n") + "\n").timeline
    try Self.check(timeline)
    #expect(try Self.checkValues(timeline, TimelineSVG(timeline)) > 1)
  }
}
