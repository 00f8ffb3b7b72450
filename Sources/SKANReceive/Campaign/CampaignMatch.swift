import SKANBase

/// The campaign that a received postback is of, by the map of campaigns.
package struct CampaignMatch: Sendable, Equatable, JSONObjectWritable {
  /// The network's or the partner's, whatever the map has.
  package var id: String
  package var name: String?
  /// Nil unless all rows that fit agree.
  package var country: String?

  package init(id: String, name: String? = nil, country: String? = nil) {
    self.id = id
    self.name = name
    self.country = country
  }

  package static let fields = JSONFields<CampaignMatch> {
    JSONField("id") { $0.id }
    JSONField("name") { $0.name }
    JSONField("country") { $0.country }
  }

  package static let keys = JSONKeys(fields.names)

  /// Reads what ``fields`` wrote; nil, with its problems in `outer`, when it is something else.
  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "a campaign", known: Self.keys)
    let id = reader.require("id", reader.string("id"))
    name = reader.isNull("name") ? nil : reader.string("name")
    country = reader.isNull("country") ? nil : reader.string("country")
    outer.add(reader.problems)
    guard let id else { return nil }
    self.id = id
  }
}
