import SKANBase

/// Who answered a phone, as its file has it.
package struct KnownAnswerer: Sendable, Equatable, JSONObjectWritable {
  /// As a result's `answered_by` has it.
  package var name: String
  /// The hash of a model's content.
  package var hash: String?

  package init(name: String, hash: String?) {
    self.name = name
    self.hash = hash
  }

  package static let fields = JSONFields<KnownAnswerer> {
    JSONField("name", "who answered, as in a result") { $0.name }
    JSONField(optional: "hash", "the hash of a model's content") { $0.hash }
  }

  init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "who answered last", known: JSONKeys(Self.fields.names))
    defer { outer.add(reader.problems) }
    guard reader.isObject else { return nil }
    hash = reader.string("hash")
    guard let name = reader.require("name", reader.string("name")) else { return nil }
    self.name = name
  }
}
