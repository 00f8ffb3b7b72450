/// The number of received postbacks by the result of decoding their values.
package struct DecodedCounts {
  private var decoded = 0
  private var undecoded = 0
  private var withoutValue = 0
  private var withoutModel = 0

  package init() {}

  /// - Parameter value: the decoded value; nil if the app has no model.
  package mutating func count(_ value: DecodedValue?) {
    guard let value else {
      withoutModel += 1
      return
    }
    if value.meaning != nil {
      decoded += 1
    } else if value.undecoded != nil {
      undecoded += 1
    } else {
      withoutValue += 1
    }
  }

  /// The counts for the last line, with their JSON keys.
  package var parts: [(key: String, name: String, count: Int)] {
    [
      ("decoded", "decoded", decoded), ("undecoded", "undecoded", undecoded),
      ("without_value", "without a value", withoutValue), ("without_model", "of apps without a model", withoutModel),
    ]
  }
}
