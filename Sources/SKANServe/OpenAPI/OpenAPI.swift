import SKANHTTP
import SKANBase

/// What `GET /openapi.json` gives: the paths of the service for programs (OpenAPI 3.1).
///
/// It describes what a request may have and what comes back. Answers of a script and faults on demand are not described:
/// a tester asks for them because they are outside of every description.
enum OpenAPI {
  /// The reply, which is the same for as long as the server runs.
  static func reply(_ document: JSON) -> ExplainedReply { ExplainedReply(200, Array(JSONWriter.text(document).utf8)) }

  /// The whole document.
  ///
  /// - Parameter withPostbacks: whether the service takes postbacks.
  static func document(withPostbacks: Bool) -> JSON {
    .object(members(paths: withPostbacks ? paths + postbackPaths : paths))
  }

  private static func members(paths: [(key: String, value: JSON)]) -> [(key: String, value: JSON)] {
    [
      ("openapi", .string("3.1.0")),
      (
        "info",
        .object([
          ("title", .string("skan serve")), ("version", .string("1")),
          (
            "description",
            .string(
              "A reference of Singular's conversion_value, launch and evt endpoints. Errors of a request's content come with "
                + "status 200 and \"status\":\"error\", as Singular's do.")
          ),
        ])
      ),
      ("paths", .object(paths)),
      (
        "components",
        .object([
          (
            "schemas",
            .object([("Values", values), ("Taken", taken), ("Error", error), ("Health", health), ("Status", status)])
          )
        ])
      ),
    ]
  }

  /// The values for a phone.
  private static let values = object(
    [
      ("conversion_value", whole(0...63)), ("postback_sequence_index", whole(0...2)),
      ("skan_updated_coarse_value", whole(0...2)), ("skan_updated_lock_window_value", type("boolean")),
      ("status", constant("ok")),
    ], required: ["conversion_value", "status"])

  /// A report was taken; the value is there when the request has metadata and the server a model.
  private static let taken = object(
    [("conversion_value", whole(0...63)), ("status", constant("ok"))], required: ["status"])

  private static let error = object(
    [("reason", type("string")), ("status", constant("error"))], required: ["reason", "status"])

  private static let health = object(
    [("phones", whole(0...Int64(ReferenceService.phoneLimit))), ("status", constant("ok"))],
    required: ["phones", "status"])

  /// Of a path for postbacks.
  private static let status = object([("status", type("string"))], required: ["status"])

  // MARK: schemas

  private static func object(_ members: [(key: String, value: JSON)], required: [String]) -> JSON {
    .object([
      ("type", .string("object")), ("properties", .object(members)),
      ("required", .array(required.map(JSON.string))), ("additionalProperties", .bool(false)),
    ])
  }

  static func type(_ name: String) -> JSON { .object([("type", .string(name))]) }

  static func whole(_ range: ClosedRange<Int64>) -> JSON { number("integer", range) }

  static func number(_ type: String, _ range: ClosedRange<Int64>) -> JSON {
    .object([
      ("type", .string(type)), ("minimum", .integer(range.lowerBound)), ("maximum", .integer(range.upperBound)),
    ])
  }

  private static func constant(_ text: String) -> JSON { .object([("const", .string(text))]) }

  static func schema(_ name: String) -> JSON { .object([("$ref", .string("#/components/schemas/\(name)"))]) }
}
