/// The GET that an update sends: its parameters in order; see the article "Requests".
package struct ConversionRequest: Sendable {
  package let profile: DeviceProfile
  package let eventName: String
  /// The store as it was when the request was built: before the update.
  package let kept: KeptState

  /// What stands for the SDK key in everything that we print.
  package static let redactedKey = "REDACTED"
  /// What goes out as the key when there is none: the placeholder of the documents.
  package static let placeholderKey = "YOUR_SDK_KEY"

  /// What the store held; nil when reading it crashes the app, which then makes no request.
  package var details: SkanDetails? { try? SkanDetails(of: kept, snippet: profile.snippet) }

  /// Every parameter, in the order in which it goes out.
  package func queryItems(sdkKey: String) -> [QueryItem] { queryItems(sdkKey: sdkKey, details: details) }

  /// The same for a caller that has the request's ``details`` already.
  package func queryItems(sdkKey: String, details: SkanDetails?) -> [QueryItem] {
    var items: [QueryItem] = []
    items.reserveCapacity(32)
    func add(_ name: String, _ value: String?) { items.append(QueryItem(name, value)) }
    add("a", sdkKey)
    if profile.snippet.isSKAN4 { add("v", profile.ios.text) }
    add("i", profile.bundleID)
    add("app_v", profile.appVersion)
    add("n", eventName)
    add("p", "iOS")
    if let idfv = profile.idfv { add("idfv", idfv) }
    if let idfa = profile.idfa { add("idfa", idfa) }
    if profile.snippet.isSKAN4 {
      items += details?.queryItems ?? []
    } else {
      add("conversion_value", kept.skan3Value.map(String.init))
      add("total_revenue_by_currency", kept.iapRevenue?.requestText ?? "{}")
      add("first_call_to_skadnetwork_timestamp", String(kept.firstCall ?? 0))
      add("last_call_to_skadnetwork_timestamp", String(kept.lastCall ?? 0))
    }
    return items
  }
}
