import SKANBase
import SKANDevice
import SKANHTTP
import SKANRun

/// A capture as an event list, with each phone as a device. `skan replay` then shows where the real app differs from
/// the snippet.
package struct CapturedList {
  /// The lines with their line ends.
  package private(set) var text = ""
  /// The number of phones.
  package private(set) var phones = 0
  /// Requests without a step: they have no device or answer, or cannot be decoded.
  package private(set) var leftOut: [CaptureLocation] = []
  /// The first request with a sum of more digits than the snippet keeps, and that sum: the client keeps doubles.
  package private(set) var doubles: (sum: Double, location: CaptureLocation)?

  /// - Parameter requests: the requests in order of time.
  package init(_ requests: [CapturedRequest]) {
    let document = JSONDocument()
    var order: [TrafficDevice] = []
    var byDevice: [TrafficDevice: [CheckedRequest]] = [:]
    for request in requests {
      guard let kind = EndpointKind(path: request.request.path), !request.hasUnreadForm,
        let checked = CheckedRequest(request, kind: kind, in: document), let device = checked.device,
        !checked.lacksAnswer
      else {
        leftOut.append(request.location)
        continue
      }
      if byDevice[device] == nil { order.append(device) }
      byDevice[device, default: []].append(checked)
      if doubles == nil, checked.snippet.rules.sums == .single, let sum = checked.details.doubleSum {
        doubles = (sum, checked.captured.location)
      }
    }
    phones = order.count
    if let note { text = "# \(note)\n" }
    let names = NameTable()
    for device in order {
      let index = names.insert(order.count == 1 ? "" : "\(device.app) \(device.id)")
      for listed in PhoneList(byDevice[device] ?? []).steps {
        var step = Step(listed.operation, time: listed.at.map(TimeSpec.at))
        step.phone = index
        step.phones = names
        step.annotate(label: listed.label, expectations: listed.expectations)
        text += StepWriter(step).line + "\n"
      }
    }
  }
}

extension CapturedList {
  /// A note about the whole list; nil if there is none.
  package var note: String? {
    guard let doubles else { return nil }
    return "the client keeps sums as doubles (\(doubles.sum.jsonText), \(doubles.location.file.oneLine) entry "
      + "\(doubles.location.entry)) where the snippet keeps single precision; money is compared to 2 parts in 100,000"
  }
}

extension CheckedRequest {
  /// Whether it is a request of the snippet whose answer is not in the capture.
  fileprivate var lacksAnswer: Bool {
    guard case .conversionValue = kind else { return false }
    switch captured.answer {
    case .notCaptured, .status, .unreadable: return true
    case .response, .failure: return false
    }
  }
}

/// The life of one device of a capture, as a simulated phone has it by the device's requests and the answers.
package struct CapturedLife {
  package let device: Device
  package let history: [LifeEvent]
  /// The phone's time after the last request.
  package let end: Instant
  /// The version of iOS that the life assumes, because no request tells one; nil where one does.
  package let assumedIOS: IOSVersion?

  /// - Parameter requests: the requests of one device, in order of time.
  /// - Returns: nil where none of them makes a step.
  package init?(_ requests: [CapturedRequest]) {
    let document = JSONDocument()
    let checked = requests.compactMap { request -> CheckedRequest? in
      guard let kind = EndpointKind(path: request.request.path) else { return nil }
      return CheckedRequest(request, kind: kind, in: document).flatMap { $0.lacksAnswer ? nil : $0 }
    }
    guard !checked.isEmpty else { return nil }
    let list = PhoneList(checked)
    (device, history) = (list.phone.device, list.history)
    end = list.phone.clock.end ?? .listStart
    assumedIOS = checked.contains { $0.iosVersion != nil } ? nil : device.profile.ios
  }
}

/// The life of one device of a capture as steps: its app's actions, the answers, and the kept values that its requests
/// show.
///
/// A simulated phone runs the steps to find out where the app must have been relaunched.
struct PhoneList {
  private(set) var steps: [ListedStep] = []
  var profile: DeviceProfile
  private(set) var phone: Phone
  /// What happened in the phone's life so far.
  private(set) var history: [LifeEvent] = []
  private let runner = StepRunner(now: { .listStart })
  /// The values in the last request that has totals of revenue.
  var shown = ShownDetails()
  /// Whether there was a request of the snippet.
  private(set) var hasAsked = false
  /// The seconds by which the phone's clock is ahead of the capture's.
  private(set) var skew: Int64 = 0
  private(set) var isRegistered = false
  private let isForwarding: Bool
  /// Reports whose steps are not added yet; each is added at its time.
  private var reports: [CapturedReport] = []

  /// - Parameter requests: the requests of one device, in order of time.
  init(_ requests: [CheckedRequest]) {
    let moments = CapturedMoment.all(requests)
    profile = DeviceProfile(requests)
    phone = Phone(device: Device(profile), clock: PhoneClock(isVirtual: true))
    isForwarding = moments.contains { $0.report != nil }
    add(ListedStep(.device(profile), at: nil))
    let first = moments.lazy.compactMap { $0.request?.details.integer(.firstCall) }.first
    for (index, moment) in moments.enumerated() {
      addReports(before: moment)
      if !isRegistered, let first, moment.request.map({ Self.isDue(first, by: $0) }) ?? false { register(at: first) }
      if let ask = moment.ask {
        add(
          ask, moment.report, next: moments[(index + 1)...].lazy.compactMap(\.ask).first,
          isLast: index == moments.count - 1)
      } else if let report = moment.report {
        add(report)
      }
      if let report = CapturedReport(moment, after: steps.last?.at) { reports.append(report) }
    }
    addReports(before: nil)
  }

  /// Adds the reports that precede a request; nil for all.
  private mutating func addReports(before next: CapturedMoment?) {
    let limit = next?.index ?? .max
    for report in reports where report.index < limit { add(report, before: next?.request) }
    reports.removeAll { $0.index < limit }
  }

  /// Whether a request was made after the registration.
  private static func isDue(_ first: Int64, by request: CheckedRequest) -> Bool {
    request.details.integer(.firstCall) != nil || (request.seconds ?? .max) >= first
  }

  mutating func add(_ step: ListedStep) {
    let before = phone.device.kept
    // The replay reports a step that cannot run, such as an amount that is not finite.
    let result = try? runner.run(Step(step.operation, time: step.at.map(TimeSpec.at)), on: &phone)
    history += result?.lifeEvents ?? []
    steps.append(step)
    if case .forward = step.operation { steps[steps.count - 1].hasApplied = phone.device.kept != before }
  }

  private mutating func register(at first: Int64) {
    isRegistered = true
    add(ListedStep(.register(frameworkError: nil), at: Instant(unixSeconds: first)))
  }

  private mutating func add(_ ask: CheckedRequest, _ report: CheckedRequest?, next: CheckedRequest?, isLast: Bool) {
    let details = ask.details
    let at = time(of: ask, details, report, next)
    update(to: ask, at: at)
    let before = shown
    addRevenue(to: details, report, sums: ask.snippet.rules.sums, at: at)
    if phone.device.process.isLockHeld {
      add(ListedStep(.relaunch, at: at, label: "the app must have been restarted"))
    }
    expect(details, before)
    var update = Step.Update()
    update.answer = ask.captured.endpointAnswer(of: ask.captured.answer)
    let name = ask.writtenName
    let operation: Step.Operation =
      name == Device.sessionEventName ? .session(update) : .event(name: ask.captured.withoutSecrets(name), update)
    var step = ListedStep(operation, at: at, label: ask.label)
    if let report {
      step.forwarded = report.metadata.isEmpty ? nil : report.details
    } else if isForwarding, !isLast {
      // Code that informs the server in the handler does not do so when the handler is not called.
      step.label = "\(ask.label): the app's server got nothing"
      step.others.append(Expectation(path: "handler", expected: .object([("$exists", .bool(true))])))
    }
    add(step)
    hasAsked = true
  }

  /// The phone's time of the update: the last call that it kept, or else when the request was sent.
  private mutating func time(
    of ask: CheckedRequest, _ details: ShownDetails, _ report: CheckedRequest?, _ next: CheckedRequest?
  ) -> Instant? {
    let before = details.integer(.lastCall)
    var calls = [report?.details.integer(.lastCall)]
    // The answer to the report may have moved the last call again.
    let value = report?.appliedValue
    if value == nil || value == ask.appliedValue { calls.append(next?.details.integer(.lastCall)) }
    let sent = ask.captured.at?.wholeSeconds
    if let call = calls.lazy.compactMap({ $0 }).first(where: { $0 != before }), ask.isAnswered {
      if let sent { skew = (call - sent).magnitude > 5 ? call - sent : 0 }
      return Instant(unixSeconds: call)
    }
    return sent.flatMap { Instant(unixSeconds: $0 + skew) }
  }

  /// Expects the values in a request after the last step, except for revenue that was added later.
  ///
  /// - Parameter before: the values before that revenue.
  private mutating func expect(_ details: ShownDetails, _ before: ShownDetails) {
    guard isRegistered, let last = steps.indices.last(where: { steps[$0].keepsValues }) else { return }
    steps[last].shown = details
    guard case .revenue = steps[last].operation else { return }
    // The step before the revenue left the rest.
    guard
      let step = steps[..<last].indices.last(where: {
        steps[$0].keepsValues && !steps[$0].operation.isRevenue
      })
    else { return }
    steps[step].shown = details.withTables(of: before)
  }

  /// Adds an update of iOS, the app or its snippet.
  private mutating func update(to ask: CheckedRequest, at: Instant?) {
    let ios = ask.sent["v"].flatMap { IOSVersion($0) }.flatMap { $0 == profile.ios ? nil : $0 }
    let appVersion = ask.sent["app_v"].flatMap { $0 == profile.appVersion ? nil : $0 }
    let snippet = ask.snippet.rules.api == profile.snippet.rules.api ? nil : ask.snippet
    if ios == nil, appVersion == nil, snippet == nil { return }
    profile.ios = ios ?? profile.ios
    profile.appVersion = appVersion ?? profile.appVersion
    profile.snippet = snippet ?? profile.snippet
    add(ListedStep(.update(ios: ios, appVersion: appVersion, snippet: snippet), at: at))
  }
}

/// A step made from a capture, before it is written.
struct ListedStep {
  var operation: Step.Operation
  var at: Instant?
  var label: String?
  /// The values in the real phone's next request, which the step must leave.
  var shown: ShownDetails?
  /// The values that the app's server forwarded for the step.
  var forwarded: ShownDetails?
  /// Whether the simulated phone applied a value from the answer to a report.
  var hasApplied = false
  /// Other expectations.
  var others: [Expectation] = []

  init(_ operation: Step.Operation, at: Instant?, label: String? = nil) {
    self.operation = operation
    self.at = at
    self.label = label
  }

  /// Whether the step may change or show what the app keeps.
  var keepsValues: Bool { operation.keepsValues || hasApplied }

  /// All expectations. Where the app's server forwarded other values than the phone shows next, each forwarded entry is
  /// expected separately.
  var expectations: [Expectation] {
    let entries = forwarded ?? ShownDetails()
    let each = entries.expected.map { Expectation(path: "details.\($0.key)", expected: $0.value) }
    guard let shown else { return others + each }
    if entries.isPart(of: shown) { return others + [Expectation(path: "details", expected: .object(shown.expected))] }
    return others + each
  }
}

extension DeviceProfile {
  /// The profile of the phone and the app in the requests of one device; the first value of each parameter counts.
  ///
  /// - Parameter requests: the requests in order of time.
  init(_ requests: [CheckedRequest]) {
    func first(_ names: String...) -> String? {
      for name in names {
        if let value = requests.lazy.compactMap({ $0.sent[name] }).first(where: { !$0.isEmpty }) { return value }
      }
      return nil
    }
    self.init(idfv: first("idfv"))
    idfa = first("idfa")
    if let id = first("i") { bundleID = id }
    if let version = first("app_v") { appVersion = version }
    // A SKAN 3 request does not contain the iOS version.
    if let version = first("v", "ve").flatMap({ IOSVersion($0) }) { ios = version }
    let asks = requests.first { if case .conversionValue = $0.kind { true } else { false } }
    snippet = (asks ?? requests.first { !$0.metadata.isEmpty })?.snippet ?? .skan4
  }
}
