import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// Checks captured traffic against the rules, request by request.
///
/// The requests of one device must be in order of time; the order between devices does not matter. The memory for each
/// device is limited.
///
///     var checker = TrafficChecker()
///     for request in requests { findings += checker.check(request, kind: .launch) }
///     findings += checker.finish()
///     checker.summary.gaps  // rules that were not evaluated, and why
///
/// With a ``TrafficSurvey`` of all requests the devices can be checked one after the other, and ``finishLives()``
/// forgets those checked so far. Without one the number of devices can be limited, for traffic without an end.
package struct TrafficChecker {
  /// What is known about the traffic apart from its requests.
  package var context: TrafficContext

  /// The results so far; complete after ``finish()``.
  package private(set) var summary = TrafficSummary()

  /// The device of the last request, by its own parameters; nil without an identifier.
  package private(set) var device: TrafficDevice?

  /// Possible findings that the end of the traffic leaves undecided, in the order of the entries; complete after
  /// ``finish()``.
  package private(set) var open: [TrafficFinding] = []

  /// The findings that the end of a device's requests reveals, for the device that the last request made it forget.
  package private(set) var ended: [TrafficFinding] = []

  private var lives: RecentValues<TrafficDevice, DeviceRules>
  private var links: DeviceLinks
  private var survey = TrafficSurvey()
  /// Whether the survey covers all requests, rather than those checked so far.
  private var isSurveyed: Bool
  private var split = SplitPhones()
  private var formless = FormlessAnswers()
  /// The memory in which parameters are parsed.
  private let document = JSONDocument()

  /// - Parameter limit: the most devices that are remembered. The one whose last request is longest ago is forgotten
  ///   first; it counts as another device when it comes back.
  package init(limit: Int = .max, _ context: TrafficContext = TrafficContext()) {
    self.context = context
    isSurveyed = false
    lives = RecentValues(limit: limit)
    links = DeviceLinks(limit: limit)
  }

  /// - Parameter survey: a survey of all requests that will be checked.
  package init(_ survey: TrafficSurvey, _ context: TrafficContext = TrafficContext()) {
    self.init(context)
    self.survey = survey
    isSurveyed = true
    split = survey.splitPhones
    formless = survey.formless
    summary.hidden = survey.hidden
    self.survey.forgetDevices()
  }

  /// The findings that a request reveals, by itself or together with earlier ones.
  ///
  /// A finding may be at an earlier request that only this one proves wrong.
  ///
  /// - Parameter query: the parameters in the request's query, if they were already read.
  package mutating func check(
    _ captured: CapturedRequest, kind: EndpointKind, query: SentParameters? = nil
  ) -> [TrafficFinding] {
    summary.count(captured, kind)
    if kind.isReport || context.client != nil { summary.met[.client, default: 0] += 1 }
    // Only a server must send what a model counts.
    summary.met[.model] = context.endpoint == nil && context.client == .server ? 0 : 1
    (device, ended) = (nil, [])
    var findings = TransportRules.findings(captured, kind)
    if !isSurveyed {
      formless.add(captured, kind)
      findings += formless.take()
    }
    if captured.lacksItsForm {
      summary.withoutForm += 1
      hide(captured, kind, .withoutForm(kind))
    } else if captured.request.hasParametersInWrongBody(of: kind) {
      hide(captured, kind, .unreadable(kind))
      // The body is itself the finding; there are no parameters to check.
      device = captured.device
    } else if var request = CheckedRequest(captured, kind: kind, in: document, query: query) {
      device = request.device
      if !isSurveyed { learn(request) }
      if !links.link(&request) { summary.unlinked += 1 }
      summary.countKey(request.sent["a"])
      summary.checked[kind, default: 0] += 1
      findings += ParameterRules.findings(request, in: context)
      if let device = request.device {
        let app = survey.app(of: device)
        findings += app.findings(request)
        if let forgotten = lives.makesForget(device) { forget(forgotten) }
        let known = lives.count + lives.forgotten
        let hidden = summary.hidden
        let isPaired = lives.with(device, new: DeviceRules(device, first: request, client: context.client)) { life in
          let wasPaired = life.hasBothSides
          life.check(request, of: app, beside: hidden, in: context, into: &findings)
          return !wasPaired && life.hasBothSides
        }
        findings.removeAll(where: isHalfAPair)
        summary.devices += lives.count + lives.forgotten - known
        if isPaired { summary.met[.bothSides, default: 0] += 1 }
      }
    } else {
      hide(captured, kind, .unreadable(kind))
      findings.append(
        TrafficFinding(
          .parametersUnreadable, "an escape of the parameters is broken, or they are not UTF-8.",
          location: captured.location, at: captured.at))
    }
    findings.removeAll(where: summary.hidden.excuses)
    summary.count(findings)
    return findings
  }

  /// Records a request whose parameters are unknown, if no survey has it.
  private mutating func hide(_ captured: CapturedRequest, _ kind: EndpointKind, _ cause: HiddenRequests.Cause) {
    if !isSurveyed { summary.hidden.add(captured, kind, cause) }
  }

  /// The findings that only the end of a device's requests reveals, such as an event that was never forwarded, in the
  /// order of the entries. They concern the devices checked since the last call, which must not occur again.
  package mutating func finishLives() -> [TrafficFinding] {
    defer {
      lives.removeAll()
      links = DeviceLinks(limit: lives.limit)
    }
    return endLives()
  }

  private mutating func endLives() -> [TrafficFinding] {
    var findings = lives.values.flatMap { end($0) }
    findings.removeAll(where: isHalfAPair)
    summary.count(findings)
    return findings.sorted { $0.location.precedes($1.location) }
  }

  /// The findings that the end of a device's requests reveals.
  private mutating func end(_ life: DeviceRules) -> [TrafficFinding] {
    var life = life
    var findings: [TrafficFinding] = []
    if context.client == nil, life.client != nil { summary.met[.client, default: 0] += life.conversions }
    life.finish(survey.app(of: life.device), end: survey.apps.lastSeconds, into: &findings, open: &open)
    if let twin = split.twins[life.device] {
      findings.append(
        life.finding(
          .idfvDiffers, "idfv \(twin.id) has the same calls to SKAdNetwork: probably the same phone.", about: ["idfv"],
          missing: .request))
    }
    findings.removeAll(where: summary.hidden.excuses)
    return findings
  }

  /// Ends a device that is about to be forgotten.
  private mutating func forget(_ life: DeviceRules) {
    ended = end(life)
    summary.count(ended)
    if open.count > lives.limit { open.removeFirst(open.count - lives.limit) }
  }

  /// Adds a request to the survey, which begins anew when it has grown to twice the limit.
  private mutating func learn(_ request: CheckedRequest) {
    if survey.size / 2 >= lives.limit { survey = TrafficSurvey() }
    _ = survey.add(request)
  }

  /// The findings that only the end of all requests reveals, in the order of the entries.
  package mutating func finish() -> [TrafficFinding] {
    if !isSurveyed { split = survey.splitPhones }
    let lives = endLives()
    formless.finish(open: &open)
    let findings = survey.apps.finish().filter { !summary.hidden.excuses($0) } + formless.take()
    summary.met[.severalDevices] = survey.apps.hasSeveralDevices ? 1 : 0
    summary.count(findings)
    open.removeAll(where: isHalfAPair)
    open.sort { $0.location.precedes($1.location) }
    return (lives + findings).sorted { $0.location.precedes($1.location) }
  }

  /// Whether the finding says that one half of a phone's requests is missing, when another device has that half.
  private func isHalfAPair(_ finding: TrafficFinding) -> Bool {
    guard !split.devices.isEmpty, let device = finding.device, split.devices.contains(device) else { return false }
    return [.eventNotForwarded, .eventNotUpdated, .sessionNotUpdated].contains(finding.rule)
  }

  /// The number of things that are remembered of devices and apps, for tests of the limit.
  package var size: Int { lives.count + links.count + survey.size + open.count }
}

extension CaptureLocation {
  fileprivate func precedes(_ other: CaptureLocation) -> Bool {
    file == other.file ? entry < other.entry : file.literallyPrecedes(other.file)
  }
}

extension TrafficSummary {
  /// Counts a request and the needs that it meets.
  fileprivate mutating func count(_ captured: CapturedRequest, _ kind: EndpointKind) {
    sent[kind, default: 0] += 1
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
    case .status(let status), .unreadable(let status):
      if status >= 400 {
        met[.answers, default: 0] += 1
      } else if case .unreadable = captured.answer {
        unreadAnswers += 1
      }
    case .notCaptured: break
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
