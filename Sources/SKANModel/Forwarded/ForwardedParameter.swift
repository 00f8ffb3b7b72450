import SKANBase
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
  /// The form of its value.
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

extension ForwardedParameter {
  /// The parameters of both versions, own ones first, in the order of Singular's tables.
  ///
  /// Sources: Singular's server-to-server references (support.singular.net, articles 31496864868635 of sessions,
  /// 31394799175963 of events and 360048588672), of which public copies hold the openings, and public integrations that
  /// transcribe their tables: rudder-transformer's types of its Singular destination, RevenueCat's reference, Singular's
  /// own sample for Segment. Where they differ, the wider form is taken. What V2 requires beyond `a`, `p`, `i`, `n` and
  /// `sdid` is in none of them.
  package static let all: [ForwardedParameter] = common + ofLaunch + ofEvent + ofOthers + metadata

  private static let every = Set(EndpointKind.reports)
  private static let v1: Set<EndpointKind> = [.launch, .event(.v1)]
  private static let events: Set<EndpointKind> = [.event(.v1), .event(.v2)]

  private static let common: [ForwardedParameter] = [
    row("a", every, required: every),
    // Of the platforms only this: the program is about iOS apps.
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
    // In no reference; integrations name themselves by it.
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

  /// Parameters of other platforms: known, and in no request of an iOS app.
  private static let ofOthers: [ForwardedParameter] = [row("install_source", []), row("receipt_signature", [])]

  /// SKAN 3's three and what `getSkanDetails` returns for SKAN 4. The endpoints' reference has the three alone; the guides
  /// of the snippet ask for all.
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

/// The metadata of a forwarded request: what the phone kept, and under which names it came.
package struct ForwardedMetadata: Sendable {
  /// What the request says that the app kept.
  package private(set) var kept = KeptState()
  /// Whether there is a name of `getSkanDetails`.
  package private(set) var hasSKAN4Names = false
  /// Whether there is a name of SKAN 3's three.
  package private(set) var hasSKAN3Names = false

  /// Reads the metadata among a request's parameters.
  ///
  /// - Parameter document: is used for reading, so that many requests need no memory of their own.
  package init(_ sent: SentParameters, in document: JSONDocument = JSONDocument()) {
    if let query = Self.details(sent, in: document) {
      hasSKAN4Names = true
      kept = query.reportedState
    }
    for entry in EndpointAPI.v1.forwarded {
      guard let name = entry.forwardedName(in: .v1), let text = sent[name] else { continue }
      hasSKAN3Names = true
      guard let number = Int64(text), number != 0 || !entry.isTimestamp, kept.entry(entry) == nil else { continue }
      _ = kept.set(entry, to: .value(.integer(number)))
    }
  }

  /// Whether there is any.
  package var isEmpty: Bool { !hasSKAN3Names && !hasSKAN4Names }

  /// The request that carries the entries of `getSkanDetails` to the other endpoint, to read these alone; nil when there
  /// are none.
  static func details(_ sent: SentParameters, in document: JSONDocument = JSONDocument()) -> ConversionQuery? {
    let hasDetails = sent.knownNames.contains { ForwardedParameter.row(at: $0)?.form == .details }
    return hasDetails ? ConversionQuery(sent, api: .v2, in: document) : nil
  }
}
