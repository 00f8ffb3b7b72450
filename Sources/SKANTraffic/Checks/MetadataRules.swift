import SKANDevice
import SKANModel

/// The rules about the metadata that goes with sessions and events.
struct MetadataRules {
  /// How often in a row the metadata must be behind before it is called stale.
  private static let enough = 3

  private var api: EndpointAPI?
  /// The name and the last call of the latest conversion_value request.
  private var asked: (name: String, lastCall: Int64)?
  /// A report of the same session or event: its last call, and the finding it may become.
  private var reported: (lastCall: Int64, finding: TrafficFinding)?
  private var behind = 0
  private var isCurrent = false

  /// - Parameter conversion: what the latest conversion_value request showed.
  mutating func check(_ request: CheckedRequest, conversion: KeptState?, into findings: inout [TrafficFinding]) {
    if case .conversionValue(let api) = request.kind {
      self.api = api
      asks(request, into: &findings)
      return
    }
    guard !request.metadata.isEmpty else {
      if !request.isTooOld { findings.append(request.finding(.metadataMissing, "there is no metadata.")) }
      return
    }
    let metadata = request.metadata
    if api == .v2, !metadata.hasSKAN4Names {
      findings.append(request.finding(.metadataNames, "the names are SKAN 3's, and the app asks v2."))
    } else if api == .v1, !metadata.hasSKAN3Names {
      findings.append(request.finding(.metadataNames, "the names are SKAN 4's, and the app asks v1."))
    } else if metadata.hasSKAN4Names, let conversion {
      let missing = MetadataRules.lasting.filter { conversion.entry($0) != nil && request.sent[$0.name] == nil }
      if !missing.isEmpty {
        let names = missing.map(\.name).joined(separator: ", ")
        findings.append(request.finding(.metadataIncomplete, "without \(names), which the phone has."))
      }
    }
    if let asked, request.pairingName == asked.name, let lastCall = request.kept.lastCall {
      reported = (lastCall, request.finding(.metadataStale, "the last call is the one from before the answer."))
    }
  }

  /// The entries that never go away once they are there.
  private static let lasting = KeptKey.skan4.filter { key in
    switch key {
    case .coarseValue, .previousCoarseValue: false
    default: true
    }
  }

  /// The next request shows whether the answer before it moved the last call, and so whether the report between them was
  /// from before.
  private mutating func asks(_ request: CheckedRequest, into findings: inout [TrafficFinding]) {
    guard let lastCall = request.kept.lastCall else { return }
    if let asked, let reported, lastCall > asked.lastCall {
      if reported.lastCall > asked.lastCall { isCurrent = true } else { behind += 1 }
      if behind == Self.enough, !isCurrent {
        var finding = reported.finding
        finding.message = "for the \(Self.enough)rd time the last call is the one from before the answer."
        findings.append(finding)
      }
    }
    asked = (request.pairingName, lastCall)
    reported = nil
  }
}

extension CheckedRequest {
  /// Whether its iOS is older than any that keeps values.
  fileprivate var isTooOld: Bool { iosVersion.map { $0 < .conversionValueUpdate } ?? false }

  /// `v` or `ve`; nil where it is missing or none.
  var iosVersion: IOSVersion? { (sent["v"] ?? sent["ve"]).flatMap { IOSVersion($0) } }
}
