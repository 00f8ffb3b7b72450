import SKANDevice
import SKANModel

/// The value of a received postback, and the window that it is of.
struct ReceivedValue {
  private(set) var window = ConversionWindow.p0
  /// Nil for one without a value, and for what is not one.
  private(set) var value: DecodedValue.Value?
  /// Why no model says what it means; nil when one may, and when there is no value.
  private(set) var problem: String?

  /// A fine value counts before a coarse one, with which no postback of Apple's has it.
  init(_ postback: ReceivedPostback) {
    let fine = postback.text(of: .conversionValue)
    let coarse = postback.text(of: .coarseConversionValue)
    if postback.version.hasWindows {
      if let window = postback.text(of: .sequenceIndex).flatMap(Int.init).flatMap(ConversionWindow.init) {
        self.window = window
      } else if fine != nil || coarse != nil {
        problem = "without a postback-sequence-index from 0 to 2 its window is not known"
      }
    }
    if let fine, window == .p0 || coarse == nil {
      value = Int64(fine).map(DecodedValue.Value.fine)
      if value == nil {
        problem = problem ?? "its conversion-value is not a number"
      } else if window != .p0 {
        problem = problem ?? "a fine value belongs to postback 0"
      }
    } else if let coarse {
      // Networks write Apple's "low" in capitals, too.
      value = CoarseValue(rawValue: coarse.lowercased()).map(DecodedValue.Value.coarse)
      if value == nil { problem = problem ?? "its coarse-conversion-value is none of low, medium and high" }
    }
  }

  /// What a model is asked for; nil when it cannot be.
  var modelValue: ModelValue? {
    guard problem == nil else { return nil }
    return switch value {
    case .fine(let number): .fine(number)
    case .coarse(let value): .coarse(value, window)
    case nil: nil
    }
  }
}
