extension TrafficKind {
  /// Every kind, in the order of a message.
  package static let all: [TrafficKind] = [
    .launch, .event(.v1), .event(.v2), .conversionValue(.v1), .conversionValue(.v2),
  ]

  /// What a path asks for, also where a proxy put a prefix before it; nil for any other.
  package init?(path: String) {
    guard let kind = Self.all.first(where: { path.hasSuffix($0.path) }) else { return nil }
    self = kind
  }

  /// The path of Singular's endpoint, and of `skan serve`.
  package var path: String {
    switch self {
    case .conversionValue(.v1): "/api/v1/conversion_value"
    case .conversionValue(.v2): "/api/v2/conversion_value"
    case .launch: "/api/v1/launch"
    case .event(.v1): "/api/v1/evt"
    case .event(.v2): "/api/v2/evt"
    }
  }
}
