/// One breach of one rule by one request.
package struct TrafficFinding: Sendable, Equatable {
  /// The rule that fired.
  package var rule: TrafficRule
  /// What is wrong with this request, a sentence. It holds no key and no token.
  package var message: String

  /// A finding of its parts.
  package init(_ rule: TrafficRule, _ message: String) {
    self.rule = rule
    self.message = message
  }
}
