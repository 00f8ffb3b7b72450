import SKANBase

/// Who answered a phone, as its file has it.
package struct KnownAnswerer: Sendable, Equatable {
  /// As a result's `answered_by` has it.
  package var name: String
  /// The hash of a model's content.
  package var hash: String?

  package init(name: String, hash: String?) {
    self.name = name
    self.hash = hash
  }

  package static let keys: JSONKeys = ["name", "hash"]

  var json: JSON {
    .object([("name", .string(name))] + (hash.map { [("hash", .string($0))] } ?? []))
  }

  init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "who answered last", known: Self.keys)
    defer { outer.add(reader.problems) }
    guard reader.isObject else { return nil }
    hash = reader.string("hash")
    guard let name = reader.require("name", reader.string("name")) else { return nil }
    self.name = name
  }
}
