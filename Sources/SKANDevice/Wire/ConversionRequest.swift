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

  /// Every parameter, in the order in which it goes out.
  package func queryItems(sdkKey: String) -> [QueryItem] {
    let idfv = profile.idfv.map { [QueryItem("idfv", $0)] } ?? []
    let idfa = profile.idfa.map { [QueryItem("idfa", $0)] } ?? []
    let event = [QueryItem("n", eventName), QueryItem("p", "iOS")] + idfv + idfa
    let app = [QueryItem("i", profile.bundleID), QueryItem("app_v", profile.appVersion)]
    if profile.snippet.isSKAN4 {
      // A request is only made when the store can be read.
      let details = (try? SkanDetails(of: kept, snippet: profile.snippet))?.queryItems ?? []
      return [QueryItem("a", sdkKey), QueryItem("v", profile.ios.text)] + app + event + details
    }
    return [QueryItem("a", sdkKey)] + app + event + [
      QueryItem("conversion_value", kept.skan3Value.map(String.init)),
      QueryItem("total_revenue_by_currency", kept.iapRevenue?.requestText ?? "{}"),
      QueryItem("first_call_to_skadnetwork_timestamp", String(kept.firstCall ?? 0)),
      QueryItem("last_call_to_skadnetwork_timestamp", String(kept.lastCall ?? 0)),
    ]
  }
}
