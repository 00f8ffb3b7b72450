import SKANBase

/// What the app's server sends to Singular's `launch` or `evt`: its own parameters and the metadata of the phone; see the
/// article "Server to server".
package struct ForwardedRequest: Sendable, Equatable {
  /// What is reported.
  package enum Subject: Sendable, Equatable {
    case session
    case event(name: String, ForwardedRevenue?)
  }

  package var subject: Subject
  /// The version of `evt`; `launch` has one only.
  package var api: EndpointAPI
  /// Whether the parameters go in the body of a POST.
  package var isPost: Bool
  /// Every parameter but the key, in the order in which it goes out.
  package var parameters: [QueryItem]

  /// Of HTTP.
  package var method: String { isPost ? "POST" : "GET" }

  /// The endpoint that it asks.
  package var kind: EndpointKind { if case .session = subject { .launch } else { .event(api) } }

  /// Every parameter, the key first.
  package func queryItems(sdkKey: String) -> [QueryItem] { [QueryItem("a", sdkKey)] + parameters }
}

/// The revenue of an event as the app's server reports it.
package struct ForwardedRevenue: Sendable, Equatable {
  package var amount: Double
  package var currency: String
  package var isAdMonetization: Bool

  package init(amount: Double, currency: String, isAdMonetization: Bool) {
    self.amount = amount
    self.currency = currency
    self.isAdMonetization = isAdMonetization
  }
}

extension ForwardedRequest {
  /// The request of a server that reports of a phone.
  ///
  /// - Parameters:
  ///   - phone: as it is at that moment.
  ///   - metadata: what the app reads of the snippet (``KeptState/metadata(of:)``); nil when reading it crashes the app.
  ///   - now: by the phone's clock.
  ///   - changes: parameters that replace those of their names or are added; one without a value is left out.
  package init(
    _ subject: Subject, api: EndpointAPI = .v1, isPost: Bool = false, of phone: borrowing Phone,
    metadata: [QueryItem]?, at now: Instant, changes: [QueryItem] = []
  ) {
    let device = phone.device
    // The reference knows no GET of version 2.
    let isV2 = if case .event = subject { api == .v2 } else { false }
    var items = Self.common(device.profile, isV2: isV2, at: now)
    switch subject {
    case .session:
      items.append(QueryItem("app_v", device.profile.appVersion))
      items.append(QueryItem("install", phone.forwarding.hasSession ? "false" : "true"))
      if let installed = device.framework.installed ?? device.framework.firstLaunch {
        items.append(QueryItem("install_time", String(installed.wholeSeconds)))
        items.append(QueryItem("update_time", String(installed.wholeSeconds)))
      }
    case .event(let name, let revenue):
      items.append(QueryItem("n", name))
      if let revenue { items += Self.items(of: revenue) }
    }
    items += metadata ?? []
    for change in changes { items.apply(change) }
    self.init(subject: subject, api: isV2 ? .v2 : .v1, isPost: isPost || isV2, parameters: items)
  }

  private static func common(_ profile: DeviceProfile, isV2: Bool, at now: Instant) -> [QueryItem] {
    let own = profile.forwarded
    let identifier = profile.idfv ?? profile.idfa ?? profile.bundleID
    var items = [
      QueryItem("p", "iOS"), QueryItem("i", profile.bundleID),
      QueryItem("ip", own.ip ?? ForwardedProfile.derivedIP(identifier)), QueryItem("ve", profile.ios.text),
    ]
    if isV2 {
      items.append(QueryItem("sdid", own.sdid ?? ForwardedProfile.derivedSDID(identifier)))
    } else {
      if let idfv = profile.idfv { items.append(QueryItem("idfv", idfv)) }
      if let idfa = profile.idfa { items.append(QueryItem("idfa", idfa)) }
    }
    return items + [
      QueryItem("att_authorization_status", String(own.attStatus ?? (profile.idfa == nil ? 0 : 3))),
      QueryItem("ma", own.make), QueryItem("mo", own.model), QueryItem("lc", own.locale),
      QueryItem("bd", own.osBuild), QueryItem("utime", String(now.wholeSeconds)),
    ]
  }

  private static func items(of revenue: ForwardedRevenue) -> [QueryItem] {
    [
      QueryItem("is_revenue_event", "true"), QueryItem("amt", revenue.amount.jsonText),
      QueryItem("cur", revenue.currency),
    ] + (revenue.isAdMonetization ? adRevenue : [])
  }

  /// What revenue from ads carries besides: the reference asks for the platform that paid. Which one is ours.
  private static var adRevenue: [QueryItem] {
    [QueryItem("is_admon_revenue", "true"), QueryItem("e", "{\"ad_platform\":\"AdMob\"}")]
  }
}

extension [QueryItem] {
  /// Replaces the value of a name or adds it; without a value the name is left out.
  fileprivate mutating func apply(_ change: QueryItem) {
    guard let value = change.value else { return removeAll { $0.name == change.name } }
    if let index = firstIndex(where: { $0.name == change.name }) {
      self[index].value = value
    } else {
      append(change)
    }
  }
}
