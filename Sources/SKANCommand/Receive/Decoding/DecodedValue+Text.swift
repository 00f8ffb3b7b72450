import SKANDevice
import SKANReceive
import SKANBase

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

extension DecodingModels {
  /// Of a postback whose app has no model.
  func line(without postback: ReceivedPostback) -> String {
    let app = postback.text(of: .appID).map { "app \($0)" } ?? "a postback without an app"
    let known = apps.prefix(5).map(\.text).joined(separator: ", ") + (apps.count > 5 ? ", …" : "")
    return "undecoded: no --model is for \(app); given: for \(known)".oneLine
  }
}
