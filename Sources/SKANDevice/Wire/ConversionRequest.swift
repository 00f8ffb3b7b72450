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

  private func text(_ parameter: QueryParameter, sdkKey: String) -> String? {
    switch parameter {
    case .sdkKey: sdkKey
    case .eventName: eventName
    default: device.profile.text(parameter)
    }
  }

  /// What the store held; nil when reading it crashes the app, which then makes no request.
  package var details: SkanDetails? { try? device.details() }

  /// Every parameter, in the order in which it goes out.
  package func queryItems(sdkKey: String) -> [QueryItem] { queryItems(sdkKey: sdkKey, details: details) }

  /// The same for a caller that has the request's ``details`` already.
  package func queryItems(sdkKey: String, details: SkanDetails?) -> [QueryItem] {
    var items: [QueryItem] = []
    items.reserveCapacity(32)
    let api = device.snippet.rules.api
    for parameter in api.parameters {
      if let entry = parameter.entry {
        guard api.sendsUnset else { break }
        items.append(QueryItem(parameter.name, details?[entry] ?? entry.unsetText))
      } else if let text = text(parameter, sdkKey: sdkKey) {
        items.append(QueryItem(parameter.name, text))
      }
    }
    return api.sendsUnset ? items : items + (details?.queryItems ?? [])
  }
}

extension DeviceProfile {
  /// What a parameter carries of the phone; nil when there is none, and for every other parameter.
  package func text(_ parameter: QueryParameter) -> String? {
    switch parameter {
    case .iosVersion: ios.text
    case .bundleID: bundleID
    case .appVersion: appVersion
    case .platform: "iOS"
    case .idfv: idfv
    case .idfa: idfa
    default: nil
    }
  }
}
