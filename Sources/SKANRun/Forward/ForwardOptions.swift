import SKANDevice

/// How the app's server reports a step: the keys of `forward` and of op `s2s`; see the manual, "Server to server".
///
/// A class, so that the steps of the many lists without it are no larger for it.
package final class ForwardOptions: Sendable {
  /// The version of `evt`.
  package let api: EndpointAPI
  /// Whether the parameters go in the body of a POST; version 2 always sends them so.
  package let isPost: Bool
  /// Whether the metadata is what the guides' sample reads: the state before the answer.
  package let isStale: Bool
  /// The revenue of an event.
  package let revenue: ForwardedRevenue?
  /// Parameters that replace those of their names or are added; one without a value is left out.
  package let parameters: [QueryItem]
  /// Takes the place of the endpoint, at every attempt.
  package let answer: EndpointAnswer?
  /// Whether the client applies a value of the answer that the phone has already, too.
  package let reapplies: Bool

  package init(
    api: EndpointAPI = .v1, isPost: Bool = false, isStale: Bool = false, revenue: ForwardedRevenue? = nil,
    parameters: [QueryItem] = [], answer: EndpointAnswer? = nil, reapplies: Bool = false
  ) {
    self.api = api
    self.isPost = isPost
    self.isStale = isStale
    self.revenue = revenue
    self.parameters = parameters
    self.answer = answer
    self.reapplies = reapplies
  }

  /// The same with the endpoint's answer.
  func answered(_ answer: EndpointAnswer) -> ForwardOptions {
    ForwardOptions(
      api: api, isPost: isPost, isStale: isStale, revenue: revenue, parameters: parameters, answer: answer,
      reapplies: reapplies)
  }
}
