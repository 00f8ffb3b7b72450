import SKANDevice
import SKANBase

/// What the reference endpoint answers to `launch` and `evt`.
package struct ForwardedAnswer: Sendable, Equatable {
  /// What the model makes of the metadata; nil where there is none.
  package var value: Int64?
  /// The refusal of a request that is not taken.
  package var refusal: ForwardedRefusal?
  /// Why, in one or more sentences.
  package var explanation: String

  /// The answer's body: success comes with status 200, and so does an error.
  package var body: String {
    if let refusal {
      return JSONWriter.text(.object([("reason", .string(refusal.reason)), ("status", .string("error"))]))
    }
    return JSONWriter.text(
      .object((value.map { [("conversion_value", .integer($0))] } ?? []) + [("status", .string("ok"))]))
  }
}
