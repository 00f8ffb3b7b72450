import SKANBase
import SKANDevice

/// A parameter of a request to one of the five endpoints: its name, its endpoints and its form.
///
/// The rows are in ``RequestParameter/all``. A request has each of them at most once.
package struct RequestParameter: Sendable {
  /// The name as sent, case-sensitive.
  package var name: String
  /// The endpoints that document it.
  package var endpoints: Set<EndpointKind>
  /// The endpoints that require it in every request of an iOS app.
  package var required: Set<EndpointKind>
  /// The form of its value.
  package var form: ParameterForm
  /// When a server that calls conversion_value must send it, although the snippet leaves it out until it is set; nil for
  /// other parameters.
  package var serverNeed: ServerNeed?

  /// A requirement of the reference that only holds for servers that call conversion_value themselves.
  ///
  /// Source: the tables "Required parameters" of the guides for SKAN 4.
  package enum ServerNeed: Sendable, Equatable {
    /// With every request of a phone that has this iOS or a later one.
    case since(IOSVersion)
    /// With every request of an app whose model counts this revenue.
    case models(RevenueKind)
  }

  /// The row of a name.
  ///
  /// - Returns: nil for a name that no source documents.
  package static func named(_ name: String) -> RequestParameter? { row(at: SentParameters.index(of: name)) }

  /// The row of a name.
  ///
  /// - Parameter known: an index of ``SentParameters/names``; nil for another name.
  static func row(at known: Int?) -> RequestParameter? { known.flatMap { rows[$0] } }

  /// Whether it is an entry of `getSkanDetails`.
  var isDetail: Bool { (form == .details || form == .revenue) && endpoints.contains(.launch) }

  /// The names that an endpoint documents, in the order of the table.
  package static func names(of endpoint: EndpointKind) -> [String] {
    all.filter { $0.endpoints.contains(endpoint) }.map(\.name)
  }

  private static let rows = SentParameters.names.map { name in all.first { $0.name == name } }

  /// The index in ``SentParameters/names`` for each element of ``all``.
  static let indexes = all.compactMap { SentParameters.index(of: $0.name) }

  /// The names of the SKAN 4 metadata, the same as those of `getSkanDetails`.
  package static let skan4Metadata = StoreEntry.skan4.map(\.name)
}

extension RequestParameter {
  /// The parameters of all endpoints, with the metadata and then those of conversion_value last, in the order of
  /// Singular's tables.
  ///
  /// Sources: Singular's server-to-server references (support.singular.net, articles 31496864868635 of sessions,
  /// 31394799175963 of events and 360048588672), of which public copies have the beginnings, and public integrations
  /// that transcribe their tables: rudder-transformer's types of its Singular destination, RevenueCat's reference,
  /// Singular's own sample for Segment. Where they differ, the less strict form is used. None of them says what V2
  /// requires beyond `a`, `p`, `i`, `n` and `sdid`.
  package static let all: [RequestParameter] = common + ofLaunch + ofEvent + ofOthers + metadata + ofConversions

  private static let conversions: Set<EndpointKind> = [.conversionValue(.v1), .conversionValue(.v2)]
  private static let anywhere = Set(EndpointKind.allCases)
  private static let every = Set(EndpointKind.reports)
  private static let v1: Set<EndpointKind> = [.launch, .event(.v1)]
  private static let events: Set<EndpointKind> = [.event(.v1), .event(.v2)]

  private static let common: [RequestParameter] = [
    row("a", anywhere, required: anywhere),
    // The only platform, because the program is about iOS apps.
    row("p", anywhere, required: anywhere, .choice(["iOS"])),
    row("i", anywhere, required: anywhere),
    row("ip", every, .address), row("use_ip", every, .truth), row("country", every, .country),
    row("ve", every, required: v1),
    row("idfv", anywhere, required: v1.union(conversions), .uuid), row("idfa", anywhere, .uuid),
    row("sdid", every, required: [.event(.v2)], .uuid),
    // "Even if ATT is not implemented pass 0."
    row("att_authorization_status", every, required: v1, .whole(0...3)),
    row("ma", every, required: [.launch]), row("mo", every, required: [.launch]),
    row("lc", every, required: [.launch], .locale), row("bd", every, required: [.launch]),
    row("utime", every, .seconds), row("umilisec", every, .milliseconds),
    row("c", every, .choice(["wifi", "carrier"])), row("cn", every),
    row("custom_user_id", every), row("data_sharing_options", every, .json), row("global_properties", every, .json),
    row("sing", every), row("ua", every), row("dnt", every, .choice(["0", "1"])),
    row("dntoff", every, .choice(["0", "1"])),
    // Not in a reference; integrations identify themselves with it.
    row("partner", every), row("sdk_version", every),
  ]

  private static let ofLaunch: [RequestParameter] = [
    row("app_v", anywhere, required: conversions.union([.launch])),
    row("install", [.launch], required: [.launch], .truth),
    row("install_time", [.launch], .seconds), row("update_time", [.launch], .seconds),
    row("install_receipt", [.launch]), row("openuri", [.launch]),
    row("ddl_enabled", [.launch], .truth), row("singular_link_resolve_required", [.launch], .truth),
    row("attribution_token", [.launch]), row("apns_token", [.launch]), row("odm_info", [.launch]),
    row("odm_error", [.launch]),
  ]

  private static let ofEvent: [RequestParameter] = [
    // At launch it is the app's name, in Singular's own sample.
    row("n", anywhere, required: conversions.union(events), .eventName),
    row("e", events, .json), row("is_revenue_event", events, .truth), row("is_admon_revenue", events, .truth),
    row("amt", events, .decimal), row("cur", events, .currency), row("purchase_receipt", events),
    row("purchase_product_id", events), row("purchase_transaction_id", events),
    // Older names of the purchase that integrations still send.
    row("pn", events), row("psku", events), row("prc", events), row("q", events),
  ]

  /// Parameters of other platforms, which are known but occur in no request of an iOS app.
  private static let ofOthers: [RequestParameter] = [row("install_source", []), row("receipt_signature", [])]

  /// The three parameters of SKAN 3 and the result of `getSkanDetails` for SKAN 4. The reference of the endpoints has
  /// only the three; the guides of the snippet require all.
  private static let metadata: [RequestParameter] =
    EndpointAPI.v1.forwarded.compactMap { entry in
      entry.forwardedName(in: .v1).map { row($0, every, entry.kind.range.map(ParameterForm.whole) ?? .seconds) }
    }
    + StoreEntry.skan4.map { entry in
      var parameter = row(
        entry.name, every.union([.conversionValue(.v2)]),
        required: [.fineValue, .firstCall, .lastCall].contains(entry) ? [.conversionValue(.v2)] : [],
        entry.isRevenue ? .revenue : .details)
      parameter.serverNeed = serverNeed(of: entry)
      return parameter
    }

  private static func serverNeed(of entry: StoreEntry) -> ServerNeed? {
    switch entry {
    case .coarseValue(.p1), .coarseValue(.p2): .since(.coarseValueUpdate)
    case .iapRevenue: .models(.purchases)
    case .adRevenue: .models(.ads)
    default: nil
    }
  }

  /// The parameters that only conversion_value has.
  private static let ofConversions: [RequestParameter] =
    [row("v", [.conversionValue(.v2)], required: [.conversionValue(.v2)])]
    + QueryParameter.allCases.filter { $0.api == .v1 }.map { parameter in
      row(
        parameter.name, [.conversionValue(.v1)],
        required: parameter.entry?.isTimestamp ?? false ? [.conversionValue(.v1)] : [],
        parameter.entry?.isRevenue ?? false ? .revenue : .details)
    }

  private static func row(
    _ name: String, _ endpoints: Set<EndpointKind>, required: Set<EndpointKind> = [],
    _ form: ParameterForm = .text
  ) -> RequestParameter {
    RequestParameter(name: name, endpoints: endpoints, required: required, form: form)
  }
}

/// The metadata of a forwarded request: the phone's store, and the kinds of names used.
package struct ForwardedMetadata: Sendable {
  /// The app's store, as the request reports it.
  package private(set) var kept = KeptState()
  /// Whether the request uses names of `getSkanDetails`.
  package private(set) var hasSKAN4Names = false
  /// Whether the request uses one of SKAN 3's three names.
  package private(set) var hasSKAN3Names = false

  /// Reads the metadata among a request's parameters.
  ///
  /// - Parameter document: reused for parsing, so that many requests allocate no memory.
  package init(_ sent: SentParameters, in document: JSONDocument = JSONDocument()) {
    if let query = Self.details(sent, in: document) {
      hasSKAN4Names = true
      kept = query.reportedState
    }
    for entry in EndpointAPI.v1.forwarded {
      guard let name = entry.forwardedName(in: .v1), let text = sent[name] else { continue }
      hasSKAN3Names = true
      guard let value = Int64(text).flatMap(entry.reported), kept.entry(entry) == nil else { continue }
      _ = kept.set(entry, to: .value(value))
    }
  }

  /// Whether the request has no metadata.
  package var isEmpty: Bool { !hasSKAN3Names && !hasSKAN4Names }

  /// The entries of `getSkanDetails` as a request to the other endpoint, for reading them; nil if there are none.
  static func details(_ sent: SentParameters, in document: JSONDocument = JSONDocument()) -> ConversionQuery? {
    let hasDetails = sent.knownNames.contains { RequestParameter.row(at: $0)?.isDetail ?? false }
    return hasDetails ? ConversionQuery(sent, api: .v2, in: document) : nil
  }
}
