import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("Triggers that fire for the same users")
struct LockDifferenceTests {
  @Test(
    "are no difference, and others are",
    arguments: [
      (#""lock_window_fine_conversion_value":2"#, #""lock_window_fine_conversion_value":3"#, true),
      (#""lock_window_fine_conversion_value":1"#, #""lock_window_fine_conversion_value":2"#, false),
      (#""lock_window_fine_conversion_value":3"#, #""lock_window_coarse_conversion_value":"HIGH""#, true),
      (#""lock_window_fine_conversion_value":1"#, #""lock_window_coarse_conversion_value":"HIGH""#, false),
      (#""lock_window_coarse_conversion_value":"MEDIUM""#, #""lock_window_coarse_conversion_value":"HIGH""#, true),
      (#""lock_window_coarse_conversion_value":"LOW""#, #""lock_window_coarse_conversion_value":"HIGH""#, false),
      (#""lock_window_event":"b""#, #""lock_window_fine_conversion_value":3"#, false),
      // Neither fires.
      (#""lock_window_fine_conversion_value":4"#, #""lock_window_fine_conversion_value":5"#, false),
    ])
  func triggers(old: String, new: String, isSame: Bool) throws {
    let models = try [old, new].map {
      try Models.read(
        Part.model(
          fine: [Part.fine(1, Part.event("a")), Part.fine(3, Part.event("b"))],
          windows: [Part.window(0, low: Part.event("a"), high: Part.event("b"), lock: $0)]))
    }
    #expect(models[0].differences(from: models[1]).isEmpty == isSame)
  }
}
