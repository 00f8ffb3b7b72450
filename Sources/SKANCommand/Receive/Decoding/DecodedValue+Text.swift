import SKANDevice
import SKANReceive
import SKANText

extension DecodedValue {
  /// What the value means, in one line.
  var line: String {
    let name = value.map { "\($0.name): " } ?? ""
    let text =
      if let meaning {
        "decoded: \(name)\(meaning.text)"
      } else if let undecoded {
        "undecoded: \(name)\(undecoded)"
      } else {
        "decoded: it has no value"
      }
    return "\(text) [\(model)]".oneLine
  }
}

extension ReceivedPostback {
  /// Of one whose app has no model.
  var lineWithoutModel: String {
    "undecoded: no --model is for \(text(of: .appID).map { "app \($0)" } ?? "a postback without an app")".oneLine
  }
}
