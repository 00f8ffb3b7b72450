/// A way for an answer to go wrong, so that a client can be tested under trouble. The connection ends with each of them.
package enum HTTPFault: Equatable, Sendable {
  /// The connection closes without an answer.
  case close
  /// These bytes are sent instead of the answer.
  case raw([UInt8])
  /// Only that many bytes of the body are sent; `Content-Length` states the whole body.
  case truncated(Int)
  /// The whole body is sent, and this `Content-Length`, which may be too small or too large.
  case declaredLength(Int)
}
