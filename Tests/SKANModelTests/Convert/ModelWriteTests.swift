import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("A model that is written")
struct ModelWriteTests {
  @Test("is the same model when it is read again", arguments: Models.examples)
  func examples(name: String) throws { try expectSame(Models.example(name)) }

  @Test("with all that a model can hold")
  func everything() throws {
    let hours = #""min_time_post_install_hours":2,"max_time_post_install_hours":9"#
    let locks = [
      #""lock_window_fine_conversion_value":3"#, #""lock_window_coarse_conversion_value":"LOW""#,
      #""lock_window_event":"x""#,
    ]
    try expectSame(
      Models.read(
        Part.model(
          fine: [
            Part.fine(0, Part.event("z")), Part.fine(3, Part.count("a", 2, 2), hours: hours),
            Part.fine(4, Part.revenue(nil, 0.5, "buy", currency: "EUR"), Part.revenue(1e-9, nil)),
          ], windows: locks.enumerated().map { Part.window($0, low: Part.event("a"), lock: $1) },
          #""app_id":"7","measurement_window_hours":99"#)))
  }

  private func expectSame(_ model: ConversionModel) throws {
    let text = JSONWriter.text(model.json, layout: .file)
    let read = try ConversionModel(Array(text.utf8))
    #expect(read.differences(from: model) == [] && read.tables == model.tables && read.json == model.json)
    #expect(read.fine.map(\.mapping.events) == model.fine.map(\.mapping.events))
  }
}
