import SKANDevice
import Testing

@testable import SKANModel

@Suite("The mapping of a value")
struct ValueMappingTests {
  /// A model with two fine values, and two coarse values of P1.
  private var model: ConversionModel {
    func mapping(_ name: String) -> ValueMapping {
      var mapping = ValueMapping()
      mapping.events = [MappedEvent(name: name)]
      return mapping
    }
    var model = ConversionModel()
    model.fine = [.init(value: 1, mapping: mapping("one")), .init(value: 2, mapping: mapping("two"))]
    model.windows[.p1].coarse = [
      .init(value: .low, mapping: mapping("low")), .init(value: .high, mapping: mapping("high")),
    ]
    return model
  }

  @Test(
    "It is that of the very value and window",
    arguments: [
      (.fine(1), "one"), (.fine(2), "two"), (.fine(3), nil), (.fine(0), nil), (.coarse(.low, .p1), "low"),
      (.coarse(.high, .p1), "high"), (.coarse(.medium, .p1), nil), (.coarse(.high, .p2), nil),
      (.coarse(.low, .p0), nil),
    ] as [(ModelValue, String?)])
  func value(value: ModelValue, name: String?) {
    #expect(model.mapping(of: value)?.events.map(\.name) == name.map { [$0] })
  }
}
