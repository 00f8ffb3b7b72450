import SKANDevice
import SKANBase
import SKANModel

/// The rules about the metadata of sessions and events.
struct MetadataRules {
  /// The effect of an answer on the state that the phone keeps.
  fileprivate enum Effect {
    /// Nothing changes.
    case none
    /// The last call moves to the time of the answer, as the one in the request is older.
    case moved
    /// The fine value changes, and the last call moves to the time of the answer.
    case value(Int64)
    /// Unknown until the next request.
    case unknown
  }

  /// The latest conversion_value request.
  private struct Asked {
    var name: String
    var lastCall: Int64
    var entry: Int
    var effect: Effect
    /// Unix seconds.
    var seconds: Int64?
  }

  private var api: EndpointAPI?
  private var asked: Asked?
  /// The finding at a report of the session or event in ``asked`` with the same last call. It applies if the answer
  /// moved the last call, which is certain or shown by the next request.
  private var reported: (finding: TrafficFinding, isCertain: Bool)?

  /// - Parameters:
  ///   - conversion: the state in the latest conversion_value request.
  ///   - forwarded: the state in the latest report.
  mutating func check(
    _ request: CheckedRequest, conversion: KeptState?, forwarded: KeptState?, into findings: inout [TrafficFinding]
  ) {
    if case .conversionValue(let api) = request.kind {
      self.api = api
      asks(request, into: &findings)
      return
    }
    defer { if case .unknown? = asked?.effect, case .ok(_?)? = request.reply { answersOtherwise() } }
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
        findings.append(
          request.finding(.metadataIncomplete, "without \(names), which the phone has.", about: missing))
      }
    }
    reports(request, after: forwarded)
  }

  /// The entries that stay once they are set.
  private static let lasting = StoreEntry.skan4.filter { $0.kind != .coarse }

  /// Checks a report of the session or event of the app's latest request.
  private mutating func reports(_ request: CheckedRequest, after forwarded: KeptState?) {
    guard let asked, request.pairingName == asked.name, let lastCall = request.kept.lastCall else { return }
    reported = nil
    // A last call before the first one, or before that of the previous report, is another mistake.
    let earliest = max(request.kept.firstCall ?? lastCall, forwarded?.lastCall ?? lastCall)
    guard lastCall >= earliest, lastCall <= asked.lastCall else { return }
    let isCertain: Bool
    switch asked.effect {
    case .none: return
    case .value(let value) where value == request.kept.fineValue?.int64 ?? request.kept.skan3Value: return
    case .moved, .value: isCertain = true
    case .unknown: isCertain = false
    }
    let finding = request.finding(
      .metadataStale,
      "the last call is \(lastCall), as in the request for the value (entry \(asked.entry)), whose answer moves it.",
      about: [.lastCall])
    reported = (finding, isCertain)
  }

  /// Records that the answer to a report gave a value: what moves the last call next may be that answer.
  private mutating func answersOtherwise() {
    asked?.effect = Effect.none
    if reported?.isCertain == false { reported = nil }
  }

  /// Checks whether the previous answer moved the last call, so that the report in between had older metadata.
  private mutating func asks(_ request: CheckedRequest, into findings: inout [TrafficFinding]) {
    guard let lastCall = request.kept.lastCall else { return }
    if let asked, let reported, lastCall > asked.lastCall {
      findings.append(
        reported.isCertain
          ? reported.finding : reported.finding.missing(.value, from: asked.seconds, to: request.seconds))
    }
    reported = nil
    asked = Asked(
      name: request.pairingName, lastCall: lastCall, entry: request.captured.location.entry,
      effect: Effect(of: request, lastCall: lastCall), seconds: request.seconds)
  }

  /// - Parameter open: receives the finding if nothing shows whether the report was current.
  func finish(into findings: inout [TrafficFinding], open: inout [TrafficFinding]) {
    guard let reported else { return }
    if reported.isCertain {
      findings.append(reported.finding)
    } else {
      open.append(reported.finding.open(.metadataStale, "no conversion_value follows"))
    }
  }
}

extension MetadataRules.Effect {
  /// - Parameter lastCall: the last call in the request.
  fileprivate init(of request: CheckedRequest, lastCall: Int64) {
    self = .unknown
    switch request.captured.answer {
    case .failure: self = .none
    case .response(_, let body):
      guard let answer = (try? JSONReader.read(body))?.value, let value = answer["conversion_value"] else {
        self = .none
        return
      }
      guard case .integer(let number) = value, (0...63).contains(number) else { return }
      if request.kind == .conversionValue(.v1) {
        self = number > request.kept.skan3Value ?? 0 ? .value(number) : .none
      } else if request.iosVersion.map({ $0 < .singleValueUpdate }) ?? false {
        self = .none
      } else if let sent = request.seconds, sent - lastCall > StateRules.clockTolerance {
        self = .moved
      } else if let first = request.kept.firstCall,
        lastCall - first < ConversionWindow.p0.end - StateRules.clockTolerance,
        let kept = request.kept.fineValue?.int64, kept != number
      {
        self = .value(number)
      }
    case .notCaptured, .status, .unreadable: return
    }
  }
}

extension CheckedRequest {
  /// Whether the iOS is older than any that keeps values.
  fileprivate var isTooOld: Bool { iosVersion.map { $0 < .conversionValueUpdate } ?? false }

  /// The version in `v` or `ve`; nil where it is missing or invalid.
  var iosVersion: IOSVersion? { (sent["v"] ?? sent["ve"]).flatMap { IOSVersion($0) } }
}
