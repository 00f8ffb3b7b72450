import SKANDevice

/// A parameter of the requests that the app's server sends: its name, where it belongs and its form.
///
/// The rows are in ``ForwardedParameter/all``.
package struct ForwardedParameter: Sendable {
  /// As it is sent; case matters.
  package var name: String
  /// The endpoints that document it.
  package var endpoints: Set<ForwardedEndpoint>
  /// Those of them that ask for it in every request of an iOS app.
  package var required: Set<ForwardedEndpoint>
  /// What its value looks like.
  package var form: ForwardedForm

  /// Its row.
  ///
  /// - Returns: nil for a name that no source has.
  package static func named(_ name: String) -> ForwardedParameter? { index(of: name).map { all[$0] } }

  /// Its index in ``all``.
  static func index(of name: String) -> Int? { indexes[name] }

  /// The names that an endpoint documents, in the order of the table.
  package static func names(of endpoint: ForwardedEndpoint) -> [String] {
    all.filter { $0.endpoints.contains(endpoint) }.map(\.name)
  }

  private static let indexes = Dictionary(zip(all.map(\.name), all.indices)) { first, _ in first }

  /// The names of the SKAN 4 metadata, which are those of `getSkanDetails`.
  package static let skan4Metadata = StoreEntry.skan4.map(\.name)
}
