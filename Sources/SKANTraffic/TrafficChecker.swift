import SKANHTTP
import SKANJSON
import SKANModel
import SKANText

/// Checks captured traffic against the rules, request by request.
///
/// The requests of one device are given in order of time; between devices the order does not matter. What is remembered of
/// a device is bounded.
///
///     var checker = TrafficChecker()
///     for request in requests { findings += checker.check(request, kind: .launch) }
///     findings += checker.finish()
///     checker.summary.gaps  // what was not evaluated, and why
package struct TrafficChecker {
  /// So far; complete after ``finish()``.
  package private(set) var summary = TrafficSummary()

  /// The device of the request that was checked last, by its own parameters; nil without an identifier.
  package private(set) var device: TrafficDevice?

  /// What the end of the traffic leaves open, in the order of the entries; complete after ``finish()``.
  package private(set) var open: [TrafficFinding] = []

  private var lives: [DeviceLife] = []
  private var indexes: [TrafficDevice: Int] = [:]
  private var apps = AppTable()
  /// The devices of which an `sdid` is known.
  private var owners: [TrafficDevice: TrafficDevice] = [:]
  /// For reading parameters.
  private let document = JSONDocument()

  /// Of no requests yet.
  package init() {}

  /// The findings that a request shows, alone or with those before it.
  ///
  /// A finding may be at an earlier request: a later one showed it.
  package mutating func check(_ captured: CapturedRequest, kind: TrafficKind) -> [TrafficFinding] {
    summary.count(captured, kind)
    device = nil
    var findings = TransportRules.findings(captured, kind)
    if captured.request.lacksItsForm {
      summary.withoutForm += 1
    } else if captured.request.hasJSONBody {
      // That is the finding; there are no parameters to check.
      device = captured.device
    } else if var request = CheckedRequest(captured, kind: kind, in: document) {
      device = request.device
      link(&request)
      summary.countKey(request.sent["a"])
      findings += ParameterRules.findings(request)
      if let device = request.device {
        let app = apps.index(of: device.app)
        findings += apps[app].check(request)
        let index = index(of: device, app)
        let wasPaired = lives[index].hasBothSides
        lives[index].check(request, of: apps[app], into: &findings)
        if !wasPaired, lives[index].hasBothSides { summary.met[.bothSides, default: 0] += 1 }
      }
    } else {
      findings.append(
        TrafficFinding(
          .parametersUnreadable, "an escape of the parameters is broken, or they are not UTF-8.",
          location: captured.location, at: captured.at))
    }
    summary.count(findings)
    return findings
  }

  /// The findings that only the end shows, such as an event that was never forwarded, in the order of the entries.
  package mutating func finish() -> [TrafficFinding] {
    var findings: [TrafficFinding] = []
    let end = apps.lastSeconds
    for index in lives.indices {
      lives[index].finish(apps[lives[index].app], end: end, into: &findings, open: &open)
    }
    findings += apps.finish()
    summary.met[.severalDevices] = apps.hasSeveralDevices ? 1 : 0
    summary.count(findings)
    open.sort { $0.location.precedes($1.location) }
    return findings.sorted { $0.location.precedes($1.location) }
  }

  /// Events of V2 name the device by `sdid` alone. A request that has another identifier beside it says whose that is.
  private mutating func link(_ request: inout CheckedRequest) {
    guard let device = request.device else { return }
    if device.kind == .sdid {
      request.device = owners[device] ?? device
      if owners[device] == nil { summary.unlinked += 1 }
    } else if let id = request.sent["sdid"], !id.isEmpty {
      owners[TrafficDevice(app: device.app, kind: .sdid, id: id)] = device
    }
  }

  private mutating func index(of device: TrafficDevice, _ app: Int) -> Int {
    if let index = indexes[device] { return index }
    summary.devices += 1
    indexes[device] = lives.count
    lives.append(DeviceLife(device, app: app))
    return lives.count - 1
  }
}

extension CaptureLocation {
  fileprivate func precedes(_ other: CaptureLocation) -> Bool {
    file == other.file ? entry < other.entry : file.literallyPrecedes(other.file)
  }
}

extension TrafficSummary {
  /// Counts a request, and which needs it meets.
  fileprivate mutating func count(_ captured: CapturedRequest, _ kind: TrafficKind) {
    switch kind {
    case .conversionValue:
      conversions += 1
      met[.conversions] = conversions
    case .launch: launches += 1
    case .event:
      events += 1
      met[.events] = events
    }
    met[.forwarded] = launches + events
    if captured.at != nil { met[.times, default: 0] += 1 }
    switch captured.answer {
    case .response, .failure: met[.answers, default: 0] += 1
    case .notCaptured, .status: break
    }
  }

  /// Counts a request whose key can be compared, or is missing.
  fileprivate mutating func countKey(_ key: String?) {
    if key.map(\.isRedacted) != true { met[.keys, default: 0] += 1 }
  }

  fileprivate mutating func count(_ findings: [TrafficFinding]) {
    for finding in findings { self.findings[finding.rule, default: 0] += 1 }
  }
}
