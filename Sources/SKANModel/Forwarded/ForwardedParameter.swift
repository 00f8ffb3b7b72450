import SKANDevice

/// A parameter of the requests that the app's server sends: its name, where it belongs and its form.
///
/// The rows are in ``ForwardedParameter/all``.
package struct ForwardedParameter: Sendable {
  /// As it is sent; case matters.
  package var name: String
  /// The endpoints that document it.
  package var endpoints: Set<EndpointKind>
  /// Those of them that ask for it in every request of an iOS app.
  package var required: Set<EndpointKind>
  /// What its value looks like.
  package var form: ForwardedForm

  /// Its row.
  ///
  /// - Returns: nil for a name that no source has.
  package static func named(_ name: String) -> ForwardedParameter? { row(at: SentParameters.index(of: name)) }

  /// The row of a name.
  ///
  /// - Parameter known: an index of ``SentParameters/names``; nil for another name.
  static func row(at known: Int?) -> ForwardedParameter? { known.flatMap { rows[$0] } }

  /// The names that an endpoint documents, in the order of the table.
  package static func names(of endpoint: EndpointKind) -> [String] {
    all.filter { $0.endpoints.contains(endpoint) }.map(\.name)
  }

  private static let rows = SentParameters.names.map { name in all.first { $0.name == name } }

  /// For each of ``all`` the index of its name in ``SentParameters/names``.
  static let indexes = all.compactMap { SentParameters.index(of: $0.name) }

  /// The names of the SKAN 4 metadata, which are those of `getSkanDetails`.
  package static let skan4Metadata = StoreEntry.skan4.map(\.name)
}
