import SKANDevice
import SKANBase
import SKANModel

/// What a request shows of `getSkanDetails`.
extension CheckedRequest {
  /// The names of SKAN 3's entries: in its own request, and where the app's server forwards them.
  private static let skan3: [(key: KeptKey, names: [String])] = [
    (.skan3Value, ["conversion_value", "skan_conversion_value"]), (.iapRevenue, ["total_revenue_by_currency"]),
    (.lastCall, ["last_call_to_skadnetwork_timestamp", "skan_last_call_timestamp"]),
    (.firstCall, ["first_call_to_skadnetwork_timestamp", "skan_first_call_timestamp"]),
  ]

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
    let rows = snippet.isSKAN4 ? KeptKey.skan4.map { ($0, [$0.name]) } : Self.skan3.map { ($0.key, $0.names) }
    for (key, names) in rows {
      guard let text = names.lazy.compactMap({ sent[$0] }).first else { continue }
      if key.isTable {
        guard let node = try? JSONReader.read(Array(text.utf8)), node.isObject else { continue }
        let isUnset = !snippet.isSKAN4 && node.value == .object([])
        if !isUnset { shown[key.name] = node.value }
      } else if !text.isEmpty, !(text == "0" && key.isTimestamp) {
        shown[key.name] = .string(text)
      }
    }
    return shown
  }
}

extension KeptKey {
  /// Whether it holds sums by currency.
  var isTable: Bool {
    switch self {
    case .iapRevenue, .adRevenue, .windowIAPRevenue, .windowAdRevenue: true
    default: false
    }
  }
}
