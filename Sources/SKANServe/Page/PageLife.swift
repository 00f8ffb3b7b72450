import SKANBase
import SKANDevice
import SKANTimeline
import SKANTraffic

/// What the page shows of one phone besides its requests: its life as a drawing, and as steps of an event list.
package struct PageLife: JSONObjectWritable {
  /// The most requests of which a life is made: making it holds up the server.
  static let mostRequests = 2000

  /// The drawing as an SVG element; nil where no request makes a step, or too many do.
  fileprivate let drawing: String?
  /// What the drawing leaves open, in sentences.
  fileprivate let note: String
  /// The lines of the list.
  let list: String

  /// - Parameter requests: the requests of the phone, in order.
  init(_ requests: [CapturedRequest], id: String) {
    guard requests.count <= Self.mostRequests else {
      drawing = nil
      note = "The phone has \(requests.count) requests: no life is drawn of more than \(Self.mostRequests)."
      list = ""
      return
    }
    let life = CapturedLife(requests)
    drawing = life.map { TimelineSVG(Self.drawing(of: $0), id: id, tellsSteps: false).element }
    note = life.map(Self.note) ?? "No request of the phone makes a step of its life."
    list = CapturedList(requests).text
  }

  /// The drawing of a phone's life; nil where no request makes a step.
  static func drawing(of requests: [CapturedRequest]) -> Timeline? { CapturedLife(requests).map(drawing) }

  /// A sentence about the assumptions of the drawing.
  private static func note(of life: CapturedLife) -> String {
    let ios = life.assumedIOS.map { " They do not tell the iOS, either, which is drawn as \($0.text)." } ?? ""
    return "Apple's side is what a phone of an ad of version 4.0 would hold: the requests do not tell the ad.\(ios)"
  }

  private static func drawing(of life: CapturedLife) -> Timeline {
    Timeline(
      life.device, history: life.history, postbacks: life.device.postbacks(phone: "", at: life.end), now: life.end)
  }

  package static let fields = JSONFields<PageLife> {
    JSONField("note", "what the drawing leaves open") { $0.note }
    JSONField(
      "steps", "the lines of its event list, each with the number of the request that makes it", list: stepFields
    ) {
      $0.steps
    }
    JSONField("svg", "the drawing, or null") { $0.drawing }
  }

  private static let stepFields = JSONFields<(number: Int?, line: String)> {
    JSONField("line", "the line") { $0.line }
    JSONField("n", "the number of the request; null for a step between requests") { $0.number }
  }

  /// The lines with the numbers that their labels name.
  private var steps: [(number: Int?, line: String)] {
    list.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let mark = "\"label\":\"\(PageFeed.file) entry "
      let number = line.firstRange(of: mark).flatMap { Int(line[$0.upperBound...].prefix { $0.isWholeNumber }) }
      return (number, String(line))
    }
  }
}
