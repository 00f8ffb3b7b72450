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
