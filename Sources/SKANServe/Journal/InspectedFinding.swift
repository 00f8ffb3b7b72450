import SKANDevice
import SKANHTTP
import SKANModel

/// Something wrong with a request, as who inspects the traffic found it.
package struct InspectedFinding: Sendable, Equatable {
  /// The rule's id.
  package let rule: String
  /// How grave it is.
  package let level: String
  /// A sentence. It holds no key and no token.
  package let message: String

  /// A finding of its parts.
  package init(rule: String, level: String, message: String) {
    self.rule = rule
    self.level = level
    self.message = message
  }
}

/// Inspects a request and its answer.
///
/// - Parameters:
///   - query: the parameters in the request's query; nil when they cannot be read.
///   - at: the time that the journal gives it.
/// - Returns: what is wrong, for the journal and the explanation of the answer.
package typealias Inspection = (
  _ request: HTTPRequest, _ query: SentParameters?, _ response: HTTPResponse, _ at: Instant
) -> [InspectedFinding]
