/// Which of Singular's snippets the app has on board; see the article "Snippet versions".
package enum SnippetVersion: String, CaseIterable, Sendable {
  /// The SKAdNetwork 4 guide's code.
  case skan4
  /// An earlier print of it: registers from iOS 16.1 only and lets every coarse number through.
  case skan4Beta = "skan4-beta"
  /// The SKAdNetwork 3 guide's code.
  case skan3

  /// The conversion_value endpoint's version that this snippet calls.
  package var api: EndpointAPI { self == .skan3 ? .v1 : .v2 }

  /// The first iOS on which `registerAppForAdNetworkAttribution` does anything.
  package var registrationMinimum: IOSVersion {
    switch self {
    case .skan4: .singleValueUpdate
    case .skan4Beta: .coarseValueUpdate
    case .skan3: IOSVersion(11, 3)
    }
  }

  /// Whether the snippet knows windows, coarse values and locks.
  package var isSKAN4: Bool { self != .skan3 }
}
