import SKANDevice
import SKANHTTP
import SKANBase
import SKANModel

/// A captured request with the parts that rules check: its parameters, its device, and the phone's kept state.
struct CheckedRequest {
  let captured: CapturedRequest
  let kind: EndpointKind
  let sent: SentParameters
  /// The device that sent the request or is reported. An `sdid` is replaced by the device that another request named
  /// together with it.
  var device: TrafficDevice?
  /// The snippet's query as the endpoint reads it; nil for a report.
  let conversion: ConversionQuery?
  let metadata: ForwardedMetadata
  /// The phone's kept state as the request shows it.
  let kept: KeptState

  /// - Parameters:
  ///   - document: the memory in which state is parsed; nil to not read any state.
  ///   - query: the parameters in the request's query, if they were already read.
  /// - Returns: nil when the parameters cannot be decoded.
  init?(_ captured: CapturedRequest, kind: EndpointKind, in document: JSONDocument?, query: SentParameters? = nil) {
    let request = captured.request
    guard let query = query ?? SentParameters(request.query ?? "") else { return nil }
    // conversion_value reads its query alone.
    if request.hasForm, kind.isReport {
      guard let form = SentParameters(request.body) else { return nil }
      sent = query.joined(with: form)
    } else {
      sent = query
    }
    self.captured = captured
    self.kind = kind
    device = TrafficDevice(sent)
    guard let document else {
      (conversion, metadata, kept, hasUnreadTable) = (nil, ForwardedMetadata(SentParameters()), KeptState(), false)
      return
    }
    if case .conversionValue(let api) = kind {
      let conversion = ConversionQuery(query, api: api, in: document)
      (self.conversion, metadata) = (conversion, ForwardedMetadata(SentParameters()))
      kept = conversion.reportedState
    } else {
      (conversion, metadata) = (nil, ForwardedMetadata(sent, in: document))
      kept = metadata.kept
    }
    hasUnreadTable = StoreEntry.skan4.contains { [sent, kept] in
      $0.isRevenue && sent[$0.name] != nil && kept.entry($0) == nil
    }
  }

  /// Whether a table of revenue cannot be read.
  let hasUnreadTable: Bool

  /// The value of `n`, or an empty text.
  var eventName: String { sent["n"] ?? "" }

  /// The name by which updates and reports are paired: the event's in lower case; equal for all sessions.
  var pairingName: String {
    switch kind {
    case .launch: Device.sessionEventName
    default: eventName == Device.sessionEventName ? eventName : eventName.lowercased()
    }
  }

  /// The sender's time in Unix milliseconds, from `umilisec` or else `utime`; nil without a valid one.
  var statedMilliseconds: Int64? { statedTime?.milliseconds }

  /// The name of the parameter that states the sender's time; empty without a valid one.
  var timeNames: [String] { statedTime.map { [$0.name] } ?? [] }

  private var statedTime: (name: String, milliseconds: Int64)? {
    for (name, form, unit) in [("umilisec", ParameterForm.milliseconds, 1), ("utime", .seconds, 1000)] {
      guard let text = sent[name], form.flaw(of: text) == nil, let number = Int64(text) else { continue }
      return (name, number * Int64(unit))
    }
    return nil
  }

  /// The time of the request in Unix seconds: the capture's, or else the sender's.
  var seconds: Int64? { captured.at?.wholeSeconds ?? statedMilliseconds.map { $0 / 1000 } }

  /// How the sender of a launch or evt understands the answer; nil where it is unknown.
  var reply: ForwardedReply? { captured.reply }

  /// A finding at this request.
  ///
  /// - Parameter parameters: the names of the parameters that it is about.
  func finding(_ rule: TrafficRule, _ message: String, about parameters: [String] = []) -> TrafficFinding {
    TrafficFinding(
      rule, message, parameters: parameters, location: captured.location, at: captured.at, device: device)
  }

  /// A finding at this request about entries of the phone's state.
  func finding(_ rule: TrafficRule, _ message: String, about entries: [StoreEntry]) -> TrafficFinding {
    finding(rule, message, about: entries.map(name))
  }

  /// The parameter in which the request sends an entry of the phone's state, or should send it.
  private func name(of entry: StoreEntry) -> String {
    let names =
      if case .conversionValue(let api) = kind { [entry.requestName(in: api)] } else {
        [entry.forwardedName(in: .v2), entry.forwardedName(in: .v1)]
      }
    let known = names.compactMap(\.self)
    return known.first { sent[$0] != nil } ?? known.first ?? entry.name
  }
}

extension CapturedRequest {
  /// How the sender of a launch or evt understands the answer; nil where it is unknown.
  var reply: ForwardedReply? {
    switch answer {
    // A body could say more, but none takes a request that has such a status.
    case .status(let status), .unreadable(let status): status >= 400 ? .failed("status \(status)") : nil
    case .response(let status, let body): ForwardedReply(status: status, body: body)
    case .failure(let text): .failed(text.isEmpty ? "no answer" : text)
    case .notCaptured: nil
    }
  }
}

extension TrafficDevice {
  /// The device in the parameters; nil without an identifier.
  package init?(_ sent: SentParameters) {
    for kind in [Kind.idfv, .idfa, .sdid] {
      guard let id = sent[kind.rawValue], !id.isEmpty else { continue }
      self.init(app: sent["i"] ?? "", kind: kind, id: id)
      return
    }
    return nil
  }
}

extension HTTPRequest {
  /// Whether the body counts as a form, because it is not JSON.
  var hasForm: Bool { !body.isEmpty && !hasJSONBody }

  /// Whether the body is JSON, by its header or its first byte.
  var hasJSONBody: Bool {
    if let type = headers["Content-Type"]?.lowercased(), type.contains("json") { return true }
    let first = body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// Whether the parameters are only in a body that the endpoint does not read: in JSON, or in a form of
  /// conversion_value.
  func hasParametersInWrongBody(of kind: EndpointKind) -> Bool {
    hasJSONBody || hasForm && !kind.isReport && (query ?? "").isEmpty
  }

  /// Whether the parameters must have been in a body that was not captured.
  var lacksItsForm: Bool { method == "POST" && body.isEmpty && (query ?? "").isEmpty }
}
