/// A device as its requests name it: an app and an identifier.
package struct TrafficDevice: Sendable, Hashable {
  /// Which parameter identifies it: `idfv`, else `idfa`; of V2's events `sdid`.
  package enum Kind: String, CaseIterable, Sendable { case idfv, idfa, sdid }

  /// The bundle identifier in small letters: a difference in case is a finding, not another app.
  package let app: String
  /// Which identifier it is.
  package let kind: Kind
  /// The identifier in capitals, as iOS writes it.
  package let id: String

  /// A device of its parts.
  package init(app: String, kind: Kind, id: String) {
    self.app = app.lowercased()
    self.kind = kind
    self.id = id.uppercased()
  }
}

extension TrafficDevice: CustomStringConvertible {
  /// `com.example.app, idfv 21DB6612-…`.
  package var description: String { "\(app), \(kind.rawValue) \(id)" }
}
