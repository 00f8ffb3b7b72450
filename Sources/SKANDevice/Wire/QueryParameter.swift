/// The parameters of an update's request, of every version of the snippet; see the article "Requests".
///
/// In the order of their names.
package enum QueryParameter: Int, CaseIterable, Sendable {
  case sdkKey, appVersion, skan3Value, skan3FirstCall, bundleID, idfa, idfv, skan3LastCall, eventName, platform
  case p0Coarse, p0PreviousCoarse, p0AdRevenue, p0IAPRevenue, p0Lock
  case p1Coarse, p1PreviousCoarse, p1AdRevenue, p1IAPRevenue, p1Lock
  case p2Coarse, p2PreviousCoarse, p2AdRevenue, p2IAPRevenue, p2Lock
  case previousFine, fine, firstCall, lastCall, adRevenue, iapRevenue, skan3Revenue, iosVersion

  /// What a parameter carries.
  package enum Content: Sendable {
    /// Something of the phone or of the event, under this name.
    case own(String)
    /// An entry of the store, under the name that it has in requests of this version.
    case kept(StoreEntry, EndpointAPI)
  }

  // Inlined, so that of all cases one is left wherever the parameter is known.
  @inline(__always)
  package var content: Content {
    switch self {
    case .sdkKey: .own("a")
    case .appVersion: .own("app_v")
    case .bundleID: .own("i")
    case .idfa: .own("idfa")
    case .idfv: .own("idfv")
    case .eventName: .own("n")
    case .platform: .own("p")
    case .iosVersion: .own("v")
    case .p0Coarse: .kept(.coarseValue(.p0), .v2)
    case .p1Coarse: .kept(.coarseValue(.p1), .v2)
    case .p2Coarse: .kept(.coarseValue(.p2), .v2)
    case .p0PreviousCoarse: .kept(.previousCoarseValue(.p0), .v2)
    case .p1PreviousCoarse: .kept(.previousCoarseValue(.p1), .v2)
    case .p2PreviousCoarse: .kept(.previousCoarseValue(.p2), .v2)
    case .p0Lock: .kept(.windowLock(.p0), .v2)
    case .p1Lock: .kept(.windowLock(.p1), .v2)
    case .p2Lock: .kept(.windowLock(.p2), .v2)
    case .p0AdRevenue: .kept(.windowAdRevenue(.p0), .v2)
    case .p1AdRevenue: .kept(.windowAdRevenue(.p1), .v2)
    case .p2AdRevenue: .kept(.windowAdRevenue(.p2), .v2)
    case .p0IAPRevenue: .kept(.windowIAPRevenue(.p0), .v2)
    case .p1IAPRevenue: .kept(.windowIAPRevenue(.p1), .v2)
    case .p2IAPRevenue: .kept(.windowIAPRevenue(.p2), .v2)
    case .fine: .kept(.fineValue, .v2)
    case .previousFine: .kept(.previousFineValue, .v2)
    case .adRevenue: .kept(.adRevenue, .v2)
    case .iapRevenue: .kept(.iapRevenue, .v2)
    case .firstCall: .kept(.firstCall, .v2)
    case .lastCall: .kept(.lastCall, .v2)
    case .skan3Value: .kept(.skan3Value, .v1)
    case .skan3Revenue: .kept(.iapRevenue, .v1)
    case .skan3FirstCall: .kept(.firstCall, .v1)
    case .skan3LastCall: .kept(.lastCall, .v1)
    }
  }

  /// As it is sent; case matters.
  package var name: String { Self.names[rawValue] }

  /// The names of all parameters, in the order of the cases.
  package static let names = allCases.map { parameter in
    switch parameter.content {
    case .own(let name): name
    case .kept(let entry, let api): entry.requestName(in: api) ?? ""
    }
  }

  /// The names of all parameters in the order in which requests carry them: of every request, of SKAN 4, of SKAN 3.
  package static let namesAsSent =
    (EndpointAPI.v2.parameters + EndpointAPI.v1.parameters.filter { !$0.isSent(in: .v2) }).map(\.name)

  /// The entry of the store that it carries.
  package var entry: StoreEntry? { if case .kept(let entry, _) = content { entry } else { nil } }

  /// Whether requests of a version carry it.
  package func isSent(in api: EndpointAPI) -> Bool {
    switch content {
    case .own: self != .iosVersion || api == .v2
    case .kept(_, let own): own == api
    }
  }
}

extension StoreEntry {
  /// The parameter that carries the entry in a request of the snippet; nil where none does. For tables: it is searched for.
  package func parameter(in api: EndpointAPI) -> QueryParameter? {
    QueryParameter.allCases.first { $0.entry == self && $0.isSent(in: api) }
  }
}

/// What a version of the endpoint decides of requests and of the reports of the app's server.
extension EndpointAPI {
  /// The parameters of a request, in the order in which it carries them.
  package var parameters: [QueryParameter] {
    switch self {
    case .v1: Self.v1Parameters
    case .v2: Self.v2Parameters
    }
  }

  private static let ofPhone: [QueryParameter] = [
    .sdkKey, .iosVersion, .bundleID, .appVersion, .eventName, .platform, .idfv, .idfa,
  ]
  private static let v1Parameters =
    ofPhone.filter { $0.isSent(in: .v1) } + [.skan3Value, .skan3Revenue, .skan3FirstCall, .skan3LastCall]
  private static let v2Parameters = ofPhone + v2.entries.compactMap { $0.parameter(in: .v2) }

  /// What `getSkanDetails` reads, in its order; SKAN 3 has no such method, and its entries are given in the same manner.
  package var entries: [StoreEntry] {
    switch self {
    case .v1: StoreEntry.skan3
    case .v2: StoreEntry.skan4
    }
  }

  /// What the app's server forwards, in the order of the guides' samples.
  package var forwarded: [StoreEntry] {
    switch self {
    case .v1: Self.v1Forwarded
    case .v2: entries
    }
  }

  private static let v1Forwarded: [StoreEntry] = [.skan3Value, .firstCall, .lastCall]

  /// Whether a request has a parameter for each entry, set or not: the bare name, an empty object or 0.
  package var sendsUnset: Bool { self == .v1 }
}
