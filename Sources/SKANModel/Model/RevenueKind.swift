/// Which revenue an entry of a mapping looks at.
enum RevenueKind: Sendable {
  case all, purchases, ads
}

extension MappedEvent {
  var revenueKind: RevenueKind {
    switch name {
    case Self.iapRevenue: .purchases
    case Self.adRevenue: .ads
    default: .all
    }
  }
}
