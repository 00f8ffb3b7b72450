import SKANDevice
import SKANHTTP

@testable import SKANTraffic

/// The rules about several requests of one device, worked out plainly: with all requests at hand, without limits, and
/// with texts in place of hashes.
struct SlowTraffic {
  /// The rules that it knows.
  static let rules: Set<TrafficRule> = [
    .duplicateRequest, .refusalRepeated, .retryOvertaken, .requestRefused, .errorTakenAsDelivered, .failureNotRetried,
    .eventBeforeSession, .installRepeated, .timeWentBack, .timeAhead, .eventNotForwarded, .eventNotUpdated,
    .sessionNotUpdated, .reportedBeforeUpdated, .eventNameCase, .sessionNameMisplaced, .firstCallChanged, .revenueTwice,
    .metadataMissing, .lastCallBeforeFirst, .lastCallWentBack, .windowTooEarly, .windowChangedLate,
    .fineChangedAfterP0, .lockOutsideWindow, .requestAfterWindows, .bundleCase, .keyDiffers,
  ]
  /// Those that need the requests of both sides.
  static let ofBothSides: Set<TrafficRule> = [
    .eventNotForwarded, .eventNotUpdated, .sessionNotUpdated, .reportedBeforeUpdated,
  ]

  private(set) var findings: [String] = []
  private(set) var open: [String] = []
  /// The device of each request.
  private(set) var owners: [String] = []
  private(set) var unlinked = 0

  private var end: Int64?

  /// - Parameter requests: in order of time.
  init(_ requests: [SlowRequest]) {
    end = requests.compactMap(\.time).max()
    for (index, request) in requests.enumerated() { own(request, after: requests[..<index]) }
    for app in Set(requests.map { $0["i"] ?? "" }.map { $0.lowercased() }) {
      let own = requests.indices.filter { requests[$0]["i"]?.lowercased() == app }
      let hasBoth = own.contains { requests[$0].isAsk } && own.contains { !requests[$0].isAsk }
      let isCertain = !own.contains { owners[$0].contains(" sdid ") }
      for index in own {
        differs(requests[index], owners[index], "i", .bundleCase, requests[own[0]])
        if let key = own.first(where: { requests[$0]["a"] != nil }), key < index {
          differs(requests[index], owners[index], "a", .keyDiffers, requests[key])
        }
      }
      for device in Set(own.map { owners[$0] }) {
        var life = SlowDevice(name: device, hasBoth: hasBoth, isCertain: isCertain, end: end)
        for index in own where owners[index] == device { life.take(requests[index]) }
        life.finish()
        findings += life.findings
        open += life.open
      }
    }
    findings.sort()
    open.sort()
  }

  private mutating func differs(
    _ request: SlowRequest, _ device: String, _ name: String, _ rule: TrafficRule, _ first: SlowRequest
  ) {
    guard let now = request[name], let before = first[name], now != before else { return }
    let text =
      rule == .bundleCase
      ? "i is \(now) here and \(before) before." : "a is another key than in the first request of the app."
    findings.append("\(device) \(request.entry) \(rule.id): \(text)")
  }

  /// Finds the device: an `sdid` alone stands for the device that named it last.
  private mutating func own(_ request: SlowRequest, after earlier: ArraySlice<SlowRequest>) {
    let app = (request["i"] ?? "").lowercased()
    func name(_ kind: String, _ request: SlowRequest) -> String? {
      request[kind].map { "\(app), \(kind) \($0.uppercased())" }
    }
    if let own = name("idfv", request) ?? name("idfa", request) { return owners.append(own) }
    let named = earlier.last {
      $0["i"]?.lowercased() == app && $0["sdid"]?.uppercased() == request["sdid"]?.uppercased()
        && ($0["idfv"] ?? $0["idfa"]) != nil
    }
    if named == nil { unlinked += 1 }
    owners.append(named.flatMap { name("idfv", $0) ?? name("idfa", $0) } ?? name("sdid", request) ?? "")
  }
}

/// One device.
private struct SlowDevice {
  let name: String
  /// Whether the app's requests of both sides are in the capture, and whether each event's device is known.
  let hasBoth: Bool
  let isCertain: Bool
  let end: Int64?
  var findings: [String] = []
  var open: [String] = []

  private static let minute: Int64 = 60
  private static let day: Int64 = 86_400
  private static let ends: [Int64] = [2 * day, 7 * day, 35 * day]

  init(name: String, hasBoth: Bool, isCertain: Bool, end: Int64?) {
    (self.name, self.hasBoth, self.isCertain, self.end) = (name, hasBoth, isCertain, end)
  }

  private var isBySDID: Bool { name.contains(" sdid ") }

  private mutating func found(_ rule: TrafficRule, _ request: SlowRequest, _ text: String) {
    findings.append("\(name) \(request.entry) \(rule.id): \(text)")
  }

  private mutating func leave(_ rule: TrafficRule, _ request: SlowRequest) {
    let after = end.flatMap { end in request.time.map { " \(max(0, end - $0)) s" } } ?? ""
    open.append("\(name) \(request.entry) \(rule.id): the capture ends\(after) after")
  }

  // MARK: Repetitions

  fileprivate enum State {
    case delivered, refused(String), refusedAgain(String), failed(String, is200: Bool), lost, unknown
  }
  fileprivate struct Message {
    let first: SlowRequest
    var last: SlowRequest
    var place: Int
    var state: State
    var tries = 1
  }
  private var messages: [Message] = []
  private var reports = 0

  private static func state(_ answer: CapturedAnswer) -> State {
    switch answer {
    case .notCaptured: return .unknown
    case .status(let status), .unreadable(let status):
      return status >= 400 ? .failed("status \(status)", is200: false) : .unknown
    case .failure(let text): return .failed(text.isEmpty ? "no answer" : text, is200: false)
    case .response(let status, let body):
      let text = String(decoding: body, as: UTF8.self)
      if status >= 500 { return .failed("status \(status)", is200: false) }
      if text.contains("ok") { return .delivered }
      if text.contains("no device ID supplied") { return .refused("no device ID supplied") }
      return .failed(text.contains("later") ? "try later" : "the body has no status", is200: status == 200)
    }
  }

  /// Whether the request repeats another; nil if it may also be a new one.
  private mutating func isRepeated(_ request: SlowRequest) -> Bool? {
    reports += 1
    if let index = messages.lastIndex(where: { $0.first.identity == request.identity }), messages[index].takes(request)
    {
      var isCertain = true
      if case .unknown = messages[index].state { isCertain = messages[index].first.content == request.content }
      again(index, request)
      return isCertain ? true : nil
    }
    if let now = request.time { lose(before: now - Self.minute) }
    messages.append(Message(first: request, last: request, place: reports, state: Self.state(request.answer)))
    return false
  }

  private mutating func again(_ index: Int, _ request: SlowRequest) {
    let (message, state) = (messages[index], Self.state(request.answer))
    switch message.state {
    case .delivered:
      return found(.duplicateRequest, request, "entry \(message.first.entry) is the same, and its answer is ok.")
    case .refused(let reason), .refusedAgain(let reason):
      found(.refusalRepeated, request, "entry \(message.first.entry) is the same, and the answer was: \(reason).")
      if case .refused(let reason) = state { return messages[index].state = .refusedAgain(reason) }
    case .failed:
      let between = reports - 1 - message.place
      if between > 0 {
        found(
          .retryOvertaken, request,
          "entry \(message.first.entry) failed; \(between) later request\(between == 1 ? "" : "s") came first.")
      }
    case .lost, .unknown: break
    }
    (messages[index].state, messages[index].last, messages[index].place) = (state, request, reports)
    messages[index].tries += 1
  }

  private mutating func lose(before limit: Int64) {
    for index in messages.indices where messages[index].last.time.map({ $0 < limit }) ?? true { lose(index) }
  }

  private mutating func lose(_ index: Int) {
    guard let (rule, text) = messages[index].loss else { return }
    found(rule, messages[index].first, text)
    messages[index].state = .lost
  }

  // MARK: Installs

  /// The requests of the install that were compared with each other, in order.
  private var install: [SlowRequest] = []
  /// The latest call of each side.
  private var latest: [Bool: Int64] = [:]
  private var lastStated: Int64?
  private var wasAhead = false

  /// Whether the install begins with the registration, as far as a number of its requests shows.
  private func isFresh(_ requests: ArraySlice<SlowRequest>) -> Bool {
    requests.first { $0.first != nil }.map { $0.first == $0.last && ($0.fine ?? 0) == 0 } ?? false
  }

  mutating func take(_ request: SlowRequest) {
    if !request.isAsk, let isRepeated = isRepeated(request) {
      if isRepeated { return }
    } else if !request.isAsk {
      return settle(request)
    }
    if let newest = install.last(where: { $0.first != nil }), let now = request.first, now != newest.first {
      if request.last != nil, request.last == newest.last {
        found(.firstCallChanged, request, "the first call is \(now), it was \(newest.first ?? 0).")
      } else if now < newest.first ?? 0 {
        return
      } else {
        endPairs(at: nil)
        order(isLast: false)
        (install, latest, wasAhead) = ([], [:], false)
        (updates, reported, early, hasAsked, outOfStep) = ([], [], nil, false, false)
      }
    }
    if !request.isAsk { times(request) }
    if request.kind == .launch, request["install"] == "true",
      install.contains(where: { $0.kind == .launch && $0["install"] == "true" })
    {
      found(.installRepeated, request, "install is true, and it was for an earlier session.")
    }
    if !request.isAsk, !request.hasMetadata { found(.metadataMissing, request, "there is no metadata.") }
    pair(request)
    if case .event = request.kind, let transaction = request["purchase_transaction_id"], request["amt"] != nil,
      install.contains(where: { $0.kind.isEvent && $0["purchase_transaction_id"] == transaction })
    {
      found(.revenueTwice, request, "its transaction was reported before.")
    }
    if request.isAsk || request.hasMetadata { state(request) }
    install.append(request)
  }

  private mutating func times(_ request: SlowRequest) {
    guard let stated = request.stated else { return }
    if let lastStated, stated < lastStated {
      found(.timeWentBack, request, "its time is \(lastStated - stated) s before that of the previous request.")
    }
    lastStated = stated
    guard request.hasTime else { return }
    let isAhead = stated - request.sent > 600
    if isAhead, !wasAhead { found(.timeAhead, request, "its time is \(stated - request.sent) s after it was sent.") }
    wasAhead = isAhead
  }

  /// The first event that preceded every session, if the capture shows that there was none.
  private mutating func order(isLast: Bool) {
    let session = install.firstIndex { $0.kind == .launch }
    guard !isBySDID, let event = install.firstIndex(where: { $0.kind.isEvent }), event < session ?? .max else { return }
    let before = event..<(session ?? install.count)
    let isKnown = before.contains { !install[$0].isAsk && isFresh(install[..<$0]) }
    let isInstall = session.map { install[$0]["install"] == "true" } ?? isLast
    if isKnown || isInstall { found(.eventBeforeSession, install[event], "the device has no session yet.") }
  }

  mutating func finish() {
    order(isLast: true)
    endPairs(at: end)
    lose(before: end.map { $0 - Self.minute } ?? .max)
    for index in messages.indices {
      guard let (rule, _) = messages[index].loss else { continue }
      if rule == .requestRefused { lose(index) } else { leaveLoss(messages[index], rule) }
    }
  }

  private mutating func leaveLoss(_ message: Message, _ rule: TrafficRule) {
    var request = message.first
    if !request.hasTime { request["utime"] = message.last["utime"] }
    leave(rule, request)
  }

  // MARK: The kept state

  private mutating func state(_ request: SlowRequest) {
    let before = install.last { $0.isAsk == request.isAsk && (request.isAsk || $0.hasMetadata) }
    guard let first = request.first, let last = request.last else { return }
    guard last >= first else {
      return found(.lastCallBeforeFirst, request, "the last call is \(last), the first \(first).")
    }
    if let then = before?.last, last < then {
      found(.lastCallWentBack, request, "the last call is \(last), it was \(then).")
    }
    let latest = max(self.latest[request.isAsk] ?? last, last)
    self.latest[request.isAsk] = latest
    for window in 0..<3 {
      let start = window == 0 ? 0 : Self.ends[window - 1]
      let coarse = request["p\(window)_coarse"]
      if coarse != nil, latest - first < start {
        found(
          .windowTooEarly, request,
          "there is a coarse value of P\(window), and the last call is \(latest - first) s after the first.")
      }
      if let before, let then = before.last, then - first >= Self.ends[window], coarse != before["p\(window)_coarse"] {
        found(.windowChangedLate, request, "a coarse value of P\(window) changed after its end.")
      }
      if let lock = request.number("p\(window)_window_lock") {
        if lock > latest {
          found(.lockOutsideWindow, request, "P\(window) was locked after the last call.")
        } else if lock - first < start || lock - first >= Self.ends[window] {
          found(.lockOutsideWindow, request, "P\(window) was locked \(lock - first) s after the first call.")
        }
      }
    }
    if let before, let fine = before.fine, request.fine != fine,
      (before.last ?? first) - first >= Self.ends[0] || (before.time ?? first) - first >= Self.ends[0] + 600
    {
      let now = request.fine.map { "\($0)" } ?? "none"
      found(.fineChangedAfterP0, request, "the fine value went from \(fine) to \(now).")
    }
    if request.isAsk, request.hasTime, request.sent - first >= Self.ends[2] + 600 {
      found(.requestAfterWindows, request, "the first call was \((request.sent - first) / 3600) hours before.")
    }
  }

  // MARK: Updates and reports

  private struct Waiting {
    let request: SlowRequest
    var rule: TrafficRule
    var text: String
    /// The request that the finding is at, if it is another.
    var at: SlowRequest
    var mayBeCut = false
    var needsOwn = false
  }
  private var updates: [Waiting] = []
  private var reported: [Waiting] = []
  private var early: Waiting?
  private var hasAsked = false
  /// Whether a session was reported apart from its update, so that the next ones may be, too.
  private var outOfStep = false

  private mutating func tell(_ waiting: Waiting) {
    if hasBoth, isCertain || waiting.request.isSession { found(waiting.rule, waiting.at, waiting.text) }
  }

  /// Whether more than a minute has gone by.
  private static func isLate(_ now: Int64?, _ then: Int64?) -> Bool {
    guard let now, let then else { return false }
    return now - then > minute
  }

  private mutating func misplaced(_ request: SlowRequest) {
    if request.kind == .launch {
      if request.name == "__SESSION__" || install.contains(where: { $0.kind != .launch && $0.name == request.name }) {
        found(.sessionNameMisplaced, request, "n of launch is the app's name, it is \(request.name).")
      }
    } else if request.kind.isEvent, request.name == "__SESSION__" {
      found(.sessionNameMisplaced, request, "a session is reported to evt under __SESSION__.")
    }
  }

  private mutating func pair(_ request: SlowRequest) {
    misplaced(request)
    if isBySDID { return }
    let now = request.time
    for waiting in (early.map { [$0] } ?? []) + reported
    where waiting.rule == .sessionNotUpdated && Self.isLate(now, waiting.request.time) { tell(waiting) }
    if early.map({ $0.rule == .sessionNotUpdated && Self.isLate(now, $0.request.time) }) == true { early = nil }
    reported.removeAll { $0.rule == .sessionNotUpdated && Self.isLate(now, $0.request.time) }
    if request.isAsk {
      hasAsked = true
      if !request.isSession, !outOfStep {
        reported = reported.map { asked($0, request) }
        early = early.map { asked($0, request) }
      }
    } else if let index = updates.firstIndex(where: {
      $0.rule == .reportedBeforeUpdated && Self.isLate(now, $0.request.time)
    }) {
      tell(updates.remove(at: index))
    }
    if let index = (request.isAsk ? reported : updates).firstIndex(where: { $0.request.subject == request.subject }) {
      let other = request.isAsk ? reported.remove(at: index) : updates.remove(at: index)
      step(request, other.request)
      if request.kind != .launch, !request.isSession, other.request.name != request.name {
        let there = request.isAsk ? "evt" : "conversion_value"
        found(.eventNameCase, request, "n is \(request.name) here and \(other.request.name) at \(there).")
      }
      if request.isAsk, let finding = reportedBefore(request, other) {
        found(finding.rule, finding.at, finding.text)
      }
      return
    }
    let known = install.last { $0.first != nil }?.first
    let isOver = (request.first ?? known).map { first in now.map { $0 - first >= Self.ends[2] } ?? false } ?? true
    var waiting = Waiting(
      request: request, rule: request.isAsk ? .eventNotForwarded : .eventNotUpdated,
      text: request.isAsk
        ? "\(request.isSession ? "a session" : request.name) was not reported."
        : "conversion_value was not asked with \(request.isSession ? "a session" : request.name).",
      at: request, mayBeCut: !hasAsked && request.first != request.last,
      needsOwn: request.kind == .launch && (hasAsked || request.first == request.last))
    let isFirst = request["install"] == "true" || request.first != nil && request.first == request.last
    if !request.isAsk, request.kind == .launch && isFirst || isOver {
      guard request.kind == .launch else { return }
      if let early, early.rule == .sessionNotUpdated { tell(early) }
      waiting.needsOwn = request["install"] != "true" && !isOver
      early = waiting
      return
    }
    if request.isAsk, request.isSession {
      if let early, let finding = reportedBefore(request, early) {
        (waiting.rule, waiting.text, waiting.at) = (finding.rule, finding.text, finding.at)
      }
      early = nil
    }
    if request.isAsk { updates.append(waiting) } else { reported.append(waiting) }
  }

  private func asked(_ waiting: Waiting, _ request: SlowRequest) -> Waiting {
    var waiting = waiting
    if waiting.needsOwn, waiting.rule == .eventNotUpdated {
      waiting.rule = .sessionNotUpdated
      waiting.text =
        "conversion_value was not asked at its start, only later with \(request.name) (entry \(request.entry))."
    }
    return waiting
  }

  private mutating func step(_ request: SlowRequest, _ other: SlowRequest) {
    guard request.isSession else { return }
    let isSoon =
      if let now = request.time, let then = other.time { now - then <= Self.minute } else { false }
    let isAlone = !(updates + reported).contains { $0.request.isSession }
    outOfStep = request.isAsk || !isSoon || !isAlone
  }

  private func reportedBefore(_ ask: SlowRequest, _ report: Waiting) -> Waiting? {
    guard !report.mayBeCut, let then = report.request.time, let now = ask.time, now >= then, now - then <= Self.minute,
      let last = ask.last, report.request.last ?? last == last
    else { return nil }
    let what = report.request.isSession ? "launch" : "evt \(report.request.name)"
    let shown = report.request.last.map { "the last call \($0)" } ?? "no last call"
    let time = { (seconds: Int64) in Instant(unixSeconds: seconds)?.description ?? "" }
    return Waiting(
      request: report.request, rule: .reportedBeforeUpdated,
      text: "\(what) at \(time(then)) shows \(shown), and conversion_value \(ask.name) at \(time(now)) "
        + "(entry \(ask.entry)) shows \(last).", at: report.at)
  }

  /// Takes a report that may be a repetition: what waits for it is reported.
  private mutating func settle(_ request: SlowRequest) {
    guard let index = updates.firstIndex(where: { $0.request.subject == request.subject }) else { return }
    let update = updates.remove(at: index)
    step(request, update.request)
  }

  private mutating func endPairs(at end: Int64?) {
    let sessions = early.flatMap { $0.rule == .sessionNotUpdated ? $0 : nil }.map { [$0] } ?? []
    for waiting in updates + reported + sessions where hasBoth && (isCertain || waiting.request.isSession) {
      if let end, let then = waiting.request.time, then > end - Self.minute {
        leave(waiting.rule, waiting.at)
      } else {
        tell(waiting)
      }
    }
  }
}

extension SlowDevice.Message {
  /// Whether a request of the same identity is a repetition.
  fileprivate func takes(_ request: SlowRequest) -> Bool {
    let isOfMoney = request["amt"] != nil || request["purchase_transaction_id"] != nil
    if case .delivered = state, !isOfMoney, first.content != request.content { return false }
    if request.isNamed { return true }
    guard let now = request.time, let then = last.time else { return false }
    return now - then <= 60
  }

  /// The finding if it is not sent again.
  fileprivate var loss: (TrafficRule, String)? {
    switch state {
    case .refused(let reason): (.requestRefused, "the answer is: \(reason).")
    case .failed(let reason, let is200) where tries < 5:
      (is200 ? .errorTakenAsDelivered : .failureNotRetried, "the answer is: \(reason); the request was not sent again.")
    case .delivered, .refusedAgain, .failed, .lost, .unknown: nil
    }
  }
}
