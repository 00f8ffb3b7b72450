/// What came back for a request: a response, whatever its status, or no answer at all.
package enum EndpointAnswer: Sendable, Equatable {
  /// The HTTP status is kept for telling; the snippet never looks at it.
  case response(status: Int, body: [UInt8])
  /// The transport's error, in the words that the completion handler gets.
  case failure(String)
}
