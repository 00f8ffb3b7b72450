import SKANBase
import SKANDevice

/// A parameter of the app server's requests: its name, its endpoints and its form.
///
/// The rows are in ``ForwardedParameter/all``.
package struct ForwardedParameter: Sendable {
  /// The name as sent, case-sensitive.
  package var name: String
  /// The endpoints that document it.
  package var endpoints: Set<EndpointKind>
  /// The endpoints that require it in every request of an iOS app.
  package var required: Set<EndpointKind>
  /// The form of its value.
  package var form: ForwardedForm

  /// The row of a name.
  ///
  /// - Returns: nil for a name that no source documents.
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

  /// The index in ``SentParameters/names`` for each element of ``all``.
  static let indexes = all.compactMap { SentParameters.index(of: $0.name) }

  /// The names of the SKAN 4 metadata, the same as those of `getSkanDetails`.
  package static let skan4Metadata = StoreEntry.skan4.map(\.name)
}

extension ForwardedParameter {
  /// The parameters of both versions, with the metadata last, in the order of Singular's tables.
  ///
  /// Sources: Singular's server-to-server references (support.singular.net, articles 31496864868635 of sessions,
  /// 31394799175963 of events and 360048588672), of which public copies have the beginnings, and public integrations
  /// that transcribe their tables: rudder-transformer's types of its Singular destination, RevenueCat's reference,
  /// Singular's own sample for Segment. Where they differ, the less strict form is used. None of them says what V2
  /// requires beyond `a`, `p`, `i`, `n` and `sdid`.
  package static let all: [ForwardedParameter] = common + ofLaunch + ofEvent + ofOthers + metadata

  private static let every = Set(EndpointKind.reports)
  private static let v1: Set<EndpointKind> = [.launch, .event(.v1)]
  private static let events: Set<EndpointKind> = [.event(.v1), .event(.v2)]

  private static let common: [ForwardedParameter] = [
    row("a", every, required: every),
    // The only platform, because the program is about iOS apps.
    row("p", every, required: every, .choice(["iOS"])),
    row("i", every, required: every),
    row("ip", every, .address), row("use_ip", every, .truth), row("country", every, .country),
    row("ve", every, required: v1),
    row("idfv", every, required: v1, .uuid), row("idfa", every, .uuid),
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

  private static let ofLaunch: [ForwardedParameter] = [
    row("app_v", every, required: [.launch]), row("install", [.launch], required: [.launch], .truth),
    row("install_time", [.launch], .seconds), row("update_time", [.launch], .seconds),
    row("install_receipt", [.launch]), row("openuri", [.launch]),
    row("ddl_enabled", [.launch], .truth), row("singular_link_resolve_required", [.launch], .truth),
    row("attribution_token", [.launch]), row("apns_token", [.launch]), row("odm_info", [.launch]),
    row("odm_error", [.launch]),
  ]

  private static let ofEvent: [ForwardedParameter] = [
    // At launch it is the app's name, in Singular's own sample.
    row("n", every, required: events, .eventName),
    row("e", events, .json), row("is_revenue_event", events, .truth), row("is_admon_revenue", events, .truth),
    row("amt", events, .decimal), row("cur", events, .currency), row("purchase_receipt", events),
    row("purchase_product_id", events), row("purchase_transaction_id", events),
    // Older names of the purchase that integrations still send.
    row("pn", events), row("psku", events), row("prc", events), row("q", events),
  ]

  /// Parameters of other platforms, which are known but occur in no request of an iOS app.
  private static let ofOthers: [ForwardedParameter] = [row("install_source", []), row("receipt_signature", [])]

  /// The three parameters of SKAN 3 and the result of `getSkanDetails` for SKAN 4. The reference of the endpoints has
  /// only the three; the guides of the snippet require all.
  private static let metadata: [ForwardedParameter] =
    EndpointAPI.v1.forwarded.compactMap { entry in
      entry.forwardedName(in: .v1).map { row($0, every, entry.kind.range.map(ForwardedForm.whole) ?? .seconds) }
    } + skan4Metadata.map { row($0, every, .details) }

  private static func row(
    _ name: String, _ endpoints: Set<EndpointKind>, required: Set<EndpointKind> = [],
    _ form: ForwardedForm = .text
  ) -> ForwardedParameter {
    ForwardedParameter(name: name, endpoints: endpoints, required: required, form: form)
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
    let hasDetails = sent.knownNames.contains { ForwardedParameter.row(at: $0)?.form == .details }
    return hasDetails ? ConversionQuery(sent, api: .v2, in: document) : nil
  }
}
