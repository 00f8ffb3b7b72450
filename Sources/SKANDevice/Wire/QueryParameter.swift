import SKANBase

/// The parameters of an update's request, for all versions of the snippet; see the article "Requests".
///
/// The cases are sorted by the names of the parameters.
public enum QueryParameter: Int, CaseIterable, Sendable {
  case sdkKey, appVersion, skan3Value, skan3FirstCall, bundleID, idfa, idfv, skan3LastCall, eventName, platform
  case p0Coarse, p0PreviousCoarse, p0AdRevenue, p0IAPRevenue, p0Lock
  case p1Coarse, p1PreviousCoarse, p1AdRevenue, p1IAPRevenue, p1Lock
  case p2Coarse, p2PreviousCoarse, p2AdRevenue, p2IAPRevenue, p2Lock
  case previousFine, fine, firstCall, lastCall, adRevenue, iapRevenue, skan3Revenue, iosVersion

  /// The entry of the store that it carries; nil for a value of the phone or the event.
  @inline(__always)
  public var entry: StoreEntry? {
    switch self {
    case .sdkKey, .appVersion, .bundleID, .idfa, .idfv, .eventName, .platform, .iosVersion: nil
    case .p0Coarse: .coarseValue(.p0)
    case .p1Coarse: .coarseValue(.p1)
    case .p2Coarse: .coarseValue(.p2)
    case .p0PreviousCoarse: .previousCoarseValue(.p0)
    case .p1PreviousCoarse: .previousCoarseValue(.p1)
    case .p2PreviousCoarse: .previousCoarseValue(.p2)
    case .p0Lock: .windowLock(.p0)
    case .p1Lock: .windowLock(.p1)
    case .p2Lock: .windowLock(.p2)
    case .p0AdRevenue: .windowAdRevenue(.p0)
    case .p1AdRevenue: .windowAdRevenue(.p1)
    case .p2AdRevenue: .windowAdRevenue(.p2)
    case .p0IAPRevenue: .windowIAPRevenue(.p0)
    case .p1IAPRevenue: .windowIAPRevenue(.p1)
    case .p2IAPRevenue: .windowIAPRevenue(.p2)
    case .fine: .fineValue
    case .previousFine: .previousFineValue
    case .adRevenue: .adRevenue
    case .iapRevenue: .iapRevenue
    case .firstCall: .firstCall
    case .lastCall: .lastCall
    case .skan3Value: .skan3Value
    case .skan3Revenue: .iapRevenue
    case .skan3FirstCall: .firstCall
    case .skan3LastCall: .lastCall
    }
  }

  /// The slot of each parameter's entry, in the order of the cases; -1 for a value of the phone or the event.
  static let slots: [Int8] = allCases.map { Int8($0.entry?.slot ?? -1) }

  /// The only version of the endpoint whose requests have the parameter; nil for both.
  @inline(__always)
  public var api: EndpointAPI? {
    switch self {
    case .skan3Value, .skan3FirstCall, .skan3LastCall, .skan3Revenue: .v1
    case .iosVersion: .v2
    default: entry == nil ? nil : .v2
    }
  }

  /// The name of a parameter that carries no entry of the store.
  private var ownName: String {
    switch self {
    case .sdkKey: "a"
    case .appVersion: "app_v"
    case .bundleID: "i"
    case .idfa: "idfa"
    case .idfv: "idfv"
    case .eventName: "n"
    case .platform: "p"
    case .iosVersion: "v"
    default: ""
    }
  }

  /// The name as sent, case-sensitive.
  public var name: String { Self.names[rawValue] }

  /// The names of all parameters, in the order of the cases.
  public static let names = allCases.map { parameter in
    parameter.entry?.requestName(in: parameter.api ?? .v2) ?? parameter.ownName
  }

  package static let quotedNames = WrittenNames(names)

  /// Each name as it begins a parameter in a query.
  static let namesInQuery = WrittenNames(names) { "&\($0)=" }

  /// The names of all parameters in the order of sending: those of SKAN 4 requests, then those that only SKAN 3 has.
  public static let namesAsSent =
    (EndpointAPI.v2.parameters + EndpointAPI.v1.parameters.filter { !$0.isSent(in: .v2) }).map(\.name)

  /// Whether requests of a version have the parameter.
  public func isSent(in api: EndpointAPI) -> Bool { self.api == nil || self.api == api }
}

extension StoreEntry {
  /// The parameter for the entry in a request of the snippet; nil if there is none. A linear search, for building
  /// tables.
  public func parameter(in api: EndpointAPI) -> QueryParameter? {
    QueryParameter.allCases.first { $0.entry == self && $0.isSent(in: api) }
  }
}

/// Rules for requests and for reports of the app's server.
extension EndpointAPI {
  /// The parameters of a request, in the order of sending.
  public var parameters: [QueryParameter] {
    switch self {
    case .v1: Self.v1Parameters
    case .v2: Self.v2Parameters
    }
  }

  /// The parameters of a request, sorted by name.
  var parametersByName: [QueryParameter] {
    switch self {
    case .v1: Self.v1ParametersByName
    case .v2: Self.v2ParametersByName
    }
  }

  private static let v1ParametersByName = QueryParameter.allCases.filter(v1Parameters.contains)
  private static let v2ParametersByName = QueryParameter.allCases.filter(v2Parameters.contains)

  /// The parameters of SKAN 4 that carry no entry, in the order of sending; those with entries follow.
  private static let ownParameters: [QueryParameter] = [
    .sdkKey, .iosVersion, .bundleID, .appVersion, .eventName, .platform, .idfv, .idfa,
  ]
  private static let v1Parameters =
    ownParameters.filter { $0.isSent(in: .v1) } + [.skan3Value, .skan3Revenue, .skan3FirstCall, .skan3LastCall]
  private static let v2Parameters = ownParameters + v2.entries.compactMap { $0.parameter(in: .v2) }

  /// The entries that `getSkanDetails` reads, in its order. SKAN 3 has no such method; its entries are returned in the
  /// same form.
  public var entries: [StoreEntry] {
    switch self {
    case .v1: StoreEntry.skan3
    case .v2: StoreEntry.skan4
    }
  }

  /// The slots of the entries that `getSkanDetails` reads, sorted by name.
  var slotsByName: [Int] {
    switch self {
    case .v1: Self.v1SlotsByName
    case .v2: Self.v2SlotsByName
    }
  }

  private static let v1SlotsByName = slotsByName(v1.entries)
  private static let v2SlotsByName = slotsByName(v2.entries)

  private static func slotsByName(_ entries: [StoreEntry]) -> [Int] {
    entries.sorted { $0.name.literallyPrecedes($1.name) }.map(\.slot)
  }

  /// The entries that the app's server forwards, in the order of the guides' samples.
  public var forwarded: [StoreEntry] {
    switch self {
    case .v1: Self.v1Forwarded
    case .v2: entries
    }
  }

  private static let v1Forwarded: [StoreEntry] = [.skan3Value, .firstCall, .lastCall]

  /// Whether a request has a parameter for every entry; one that is not set is a bare name, an empty object or 0.
  public var sendsUnset: Bool { self == .v1 }
}
