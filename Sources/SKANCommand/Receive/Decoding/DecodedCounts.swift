import SKANReceive

/// How many of the received postbacks have a meaning.
struct DecodedCounts {
  private var decoded = 0
  private var undecoded = 0
  private var withoutValue = 0
  private var withoutModel = 0

  /// - Parameter value: nil for one whose app has no model.
  mutating func count(_ value: DecodedValue?) {
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

  /// For the last line, by their keys in JSON.
  var parts: [(key: String, name: String, count: Int)] {
    [
      ("decoded", "decoded", decoded), ("undecoded", "undecoded", undecoded),
      ("without_value", "without a value", withoutValue), ("without_model", "of apps without a model", withoutModel),
    ]
  }
}
