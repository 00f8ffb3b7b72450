import SKANBase

/// A request of the app's server to Singular's `launch` or `evt`: its own parameters and the metadata of the phone; see
/// the article "Server to server".
package struct ForwardedRequest: Sendable, Equatable {
  /// The session or event that is reported.
  package enum Subject: Sendable, Equatable {
    case session
    case event(name: String, ForwardedRevenue?)
  }

  package var subject: Subject
  /// The version of `evt`; `launch` has only one.
  package var api: EndpointAPI
  /// Whether the parameters are in the body of a POST.
  package var isPost: Bool
  /// All parameters except the key, in the order of sending.
  package var parameters: [QueryItem]

  /// The HTTP method.
  package var method: String { isPost ? "POST" : "GET" }

  /// The endpoint of the request.
  package var kind: EndpointKind { if case .session = subject { .launch } else { .event(api) } }

  /// All parameters, the key first.
  package func queryItems(sdkKey: String) -> [QueryItem] { [QueryItem("a", sdkKey)] + parameters }
}

/// The revenue of an event, as reported by the app's server.
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
  /// The request of a server that reports on a phone.
  ///
  /// - Parameters:
  ///   - phone: the phone at the time of the report.
  ///   - metadata: the values that the app reads from the snippet (``KeptState/metadata(in:)``); nil if reading them
  ///     crashes the app.
  ///   - now: by the phone's clock.
  ///   - changes: parameters that replace those of the same name or are added; one without a value removes it.
  package init(
    _ subject: Subject, api: EndpointAPI = .v1, isPost: Bool = false, of phone: borrowing Phone,
    metadata: [QueryItem]?, at now: Instant, changes: [QueryItem] = []
  ) {
    let device = phone.device
    // The reference documents no GET of version 2.
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

  /// Additional parameters of revenue from ads: the reference requires the platform that paid, whose name is made up
  /// here.
  private static var adRevenue: [QueryItem] {
    [QueryItem("is_admon_revenue", "true"), QueryItem("e", "{\"ad_platform\":\"AdMob\"}")]
  }
}

extension [QueryItem] {
  /// Replaces or adds a parameter; removes it if the value is nil.
  fileprivate mutating func apply(_ change: QueryItem) {
    guard let value = change.value else { return removeAll { $0.name == change.name } }
    if let index = firstIndex(where: { $0.name == change.name }) {
      self[index].value = value
    } else {
      append(change)
    }
  }
}
