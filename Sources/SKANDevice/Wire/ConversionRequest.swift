/// The GET that an update sends: its parameters in order; see the article "Requests".
package struct ConversionRequest: Sendable {
  /// The phone as it was when the request was built: before the update.
  private let device: Device
  package let eventName: String

  init(_ device: Device, eventName: String) {
    self.device = device
    self.eventName = eventName
  }

  /// What the app kept.
  package var kept: KeptState { device.kept }

  /// What stands for the SDK key in everything that we print.
  package static let redactedKey = "REDACTED"
  /// What goes out as the key when there is none: the placeholder of the documents.
  package static let placeholderKey = "YOUR_SDK_KEY"

  /// What the store held; nil when reading it crashes the app, which then makes no request.
  package var details: SkanDetails? { try? device.details() }

  /// Every parameter, in the order in which it goes out.
  package func queryItems(sdkKey: String) -> [QueryItem] { queryItems(sdkKey: sdkKey, details: details) }

  /// The same for a caller that has the request's ``details`` already.
  package func queryItems(sdkKey: String, details: SkanDetails?) -> [QueryItem] {
    var items: [QueryItem] = []
    items.reserveCapacity(32)
    func add(_ parameter: QueryParameter, _ value: String?) { items.append(QueryItem(parameter.name, value)) }
    add(.sdkKey, sdkKey)
    let isSKAN4 = device.snippet.isSKAN4
    if isSKAN4 { add(.iosVersion, device.profile.ios.text) }
    add(.bundleID, device.profile.bundleID)
    add(.appVersion, device.profile.appVersion)
    add(.eventName, eventName)
    add(.platform, "iOS")
    if let idfv = device.profile.idfv { add(.idfv, idfv) }
    if let idfa = device.profile.idfa { add(.idfa, idfa) }
    if isSKAN4 {
      items += details?.queryItems ?? []
    } else {
      add(.skan3Value, device.kept.skan3Value.map(String.init))
      add(.skan3Revenue, device.kept.iapRevenue?.requestText ?? "{}")
      add(.skan3FirstCall, String(device.kept.firstCall ?? 0))
      add(.skan3LastCall, String(device.kept.lastCall ?? 0))
    }
    return items
  }
}
