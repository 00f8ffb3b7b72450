import SKANDevice
import SKANBase
import SKANModel

/// What a request shows of `getSkanDetails`.
extension CheckedRequest {
  /// The version of the snippet that sends it.
  var snippet: SnippetVersion {
    switch kind {
    case .conversionValue(let api): api == .v1 ? .skan3 : .skan4
    case .launch, .event: metadata.hasSKAN3Names && !metadata.hasSKAN4Names ? .skan3 : .skan4
    }
  }

  /// The entries by their names in `getSkanDetails`, as a result has them: numbers as texts, revenue as an object.
  ///
  /// What the request does not have, or has without a value, is not set; a text that cannot be read is left out.
  var details: ShownDetails {
    var shown = ShownDetails()
    let api = snippet.rules.api
    for entry in api.entries {
      let names = [entry.requestName(in: api), entry.forwardedName(in: api)]
      guard let text = names.lazy.compactMap({ $0 }).compactMap({ sent[$0] }).first else { continue }
      if entry.isRevenue {
        guard let node = try? JSONReader.read(Array(text.utf8)), node.isObject else { continue }
        let isUnset = api.sendsUnset && node.value == .object([])
        if !isUnset { shown[entry.name] = node.value }
      } else if !text.isEmpty, !(text == "0" && entry.isTimestamp) {
        shown[entry.name] = .string(text)
      }
    }
    return shown
  }
}
