import SKANDevice
import SKANRun
import Testing

@testable import SKANTimeline

/// A phone that has run a list, ready to be drawn.
struct LivedPhone {
  var device = Device(DeviceProfile(idfv: nil))
  var history: [LifeEvent] = []
  var now = Instant.listStart

  init() {}

  /// - Parameter list: steps, one a line, all of one phone.
  init(_ list: String) throws {
    let reader = ListReader("list", ByteSource(Array(list.utf8)))
    let lists = ListRunner(StepRunner())
    var step = Step(.details)
    while let item = try reader.next(into: &step) {
      if case .problems(let problems) = item {
        Issue.record("\(problems)")
        return
      }
      let result = try lists.run(step)
      history += result.lifeEvents
      device = result.device
      now = result.endedAt
    }
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
