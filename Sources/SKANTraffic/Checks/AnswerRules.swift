import SKANDevice
import SKANBase
import SKANModel

/// The rules that compare the values in answers with those in the phone's requests.
struct AnswerRules {
  /// The values of an answer, until a conversion_value request shows them or must show them.
  private struct Given {
    var fine: Int64
    /// Inner nil for an answer without a coarse value; outer nil for an answer of launch or evt, which never has one.
    var coarse: Int64??
    /// The values in the answered request.
    var before: ShownValues
    var entry: Int
    /// The time of the answered request, in Unix seconds.
    var seconds: Int64?
    /// The time of the answered request.
    var sentAt: Instant?
    /// When the answer was complete; nil where the capture does not say.
    var answeredAt: Instant?
    /// The finding at a request that left too early to show the values; nil without one.
    var stale: TrafficFinding?
    /// Whether an unknown answer followed, which may have given another value.
    var mayBeReplaced = false
    /// Whether an answer of launch or evt gave the same value; applying it again clears the coarse value.
    var mayBeCleared = false

    init(fine: Int64, coarse: Int64??, in request: CheckedRequest) {
      (self.fine, self.coarse, before) = (fine, coarse, ShownValues(request.kept))
      (entry, seconds, sentAt) = (request.captured.location.entry, request.seconds, request.captured.at)
      answeredAt = request.captured.answeredAt
    }

    /// Whether Apple's completion of this answer may come after a request was sent. SKAN 3 stores without one.
    func mayComplete(after request: CheckedRequest, within completion: TimeSpan) -> Bool {
      guard request.kind == .conversionValue(.v2), let now = request.captured.at, let sentAt, now >= sentAt else {
        return false
      }
      let start = answeredAt ?? sentAt
      return now.since(start) <= completion
    }

    /// - Parameter lack: the values that a request does not show.
    func text(of lack: [(text: String, entry: StoreEntry)]) -> String {
      "the answer at entry \(entry) gave \(lack.map(\.text).joined(separator: " and "))"
    }

    /// The message that no request shows the values.
    func notShown(_ lack: [(text: String, entry: StoreEntry)]) -> String {
      text(of: lack) + (stale.map { ", and entry \($0.location.entry) left too early to show it" } ?? "") + "."
    }

    /// How long before a request that left too early the answer came, or else was asked for.
    func course(before request: CheckedRequest) -> String {
      guard let now = request.captured.at, let sentAt else { return "was asked for before" }
      guard let answeredAt else { return "was asked for \(now.since(sentAt)) before" }
      return answeredAt > now ? "was still on its way" : "came \(now.since(answeredAt)) before"
    }
  }

  /// Whether the capture has all answers since the registration.
  private(set) var isComplete = false
  private var isFirst = true
  private var hasConversions = false
  /// The fine values that the phone may have or have had, as bits; after the registration it has 0.
  private var fine: UInt64 = 1
  /// The coarse values in answers, as bits.
  private var coarse: UInt64 = 0
  /// Oldest first. There are several where requests left before the values of the answer before could be stored.
  private var given: [Given] = []

  /// - Parameter completion: how long Apple's completion may take to store the values of an answer.
  mutating func check(_ request: CheckedRequest, completion: TimeSpan, into findings: inout [TrafficFinding]) {
    if isFirst, request.kept.firstCall != nil {
      isComplete = request.kept.isFresh
      isFirst = false
    }
    if !request.kind.isReport, !given.isEmpty { show(request, completion: completion, into: &findings) }
    if !request.kind.isReport { hasConversions = true }
    if isComplete, !hasConversions, !knows(request.kept) { isComplete = false }
    if isComplete { known(request, into: &findings) }
    if request.kind.isReport { forwarded(request) } else { conversion(request, into: &findings) }
  }

  /// Whether a report before the snippet's first request only has values from answers to reports; otherwise the capture
  /// lacks requests of the snippet.
  private func knows(_ kept: KeptState) -> Bool {
    let values = [kept.fineValue?.int64, kept.skan3Value, kept.previousFineValue?.int64].compactMap { $0 }
    return values.allSatisfy { fine.hasBit($0) } && ConversionWindow.allCases.allSatisfy { kept.coarseValue[$0] == nil }
  }

  /// Reports values that no answer gave.
  private mutating func known(_ request: CheckedRequest, into findings: inout [TrafficFinding]) {
    let kept = request.kept
    for (value, entry) in [(kept.fineValue?.int64, StoreEntry.fineValue), (kept.skan3Value, .skan3Value)] {
      guard let value, !fine.hasBit(value) else { continue }
      findings.append(
        request.finding(.valueNeverAnswered, "the value is \(value), which no answer gave.", about: [entry])
          .missing(.value, from: since(request), to: request.seconds))
      fine.setBit(value)
    }
    if let value = kept.previousFineValue?.int64, !fine.hasBit(value) {
      findings.append(
        request.finding(
          .previousNeverCurrent, "prev_fine_value is \(value), which was never current.", about: [.previousFineValue]
        ).missing(.value, from: since(request), to: request.seconds))
      fine.setBit(value)
    }
    for window in ConversionWindow.allCases {
      if let value = kept.coarseValue[window]?.int64, !coarse.hasBit(value) {
        findings.append(
          request.finding(
            .valueNeverAnswered, "the coarse value of P\(window.rawValue) is \(value), which no answer gave.",
            about: [.coarseValue(window)]
          ).missing(.value, from: since(request), to: request.seconds))
        coarse.setBit(value)
      }
      if let value = kept.previousCoarseValue[window]?.int64, !coarse.hasBit(value) {
        findings.append(
          request.finding(
            .previousNeverCurrent,
            "the previous coarse value of P\(window.rawValue) is \(value), which was never current.",
            about: [.previousCoarseValue(window)]
          ).missing(.value, from: since(request), to: request.seconds))
        coarse.setBit(value)
      }
    }
  }

  /// The earliest time of an answer to this install, in Unix seconds.
  private func since(_ request: CheckedRequest) -> Int64? {
    request.kept.firstCall.map(Absence.start)
  }

  /// Checks whether a request shows the values of the answers before it.
  ///
  /// A request that left before the values of an answer could be stored shows older ones, and a later request must show
  /// those of the answer.
  private mutating func show(
    _ request: CheckedRequest, completion: TimeSpan, into findings: inout [TrafficFinding]
  ) {
    let answers = given
    given = []
    guard let first = request.kept.firstCall, let lastCall = request.kept.lastCall else { return }
    // After the clock was set back, the window in which the value was stored is unknown.
    if let before = answers.last?.before.lastCall, lastCall < before { return }
    let window = ConversionWindow.at(secondsSinceFirstCall: lastCall - first)
    let shown = ShownValues(request.kept)
    let lacks = answers.map { lack(of: $0, in: request, window) }
    // A store that is as before the answer does not have its values, even if they are the same.
    let stored = answers.indices.last { lacks[$0].isEmpty && answers[$0].before != shown }
    if let stored, window == .p0 { lost(answers[..<stored], in: request, into: &findings) }
    var stale: TrafficFinding?
    for index in answers.indices.suffix(from: stored.map { $0 + 1 } ?? 0) {
      let (answer, lack) = (answers[index], lacks[index])
      // Each answer that is applied moves the last call. If it did not move, no answer was applied, known or not.
      let hasMoved = lastCall != answer.before.lastCall
      if answer.mayBeReplaced, hasMoved { continue }
      // Apple completed the call of an earlier answer after that of this one.
      if stored != nil, window == .p0, request.kept.previousFineValue?.int64 == answer.fine { continue }
      let isOld = stored != nil || answer.before == shown
      if isOld, answer.mayComplete(after: request, within: completion) {
        given.append(answer)
        if lack.isEmpty { continue }
        let finding = request.finding(
          .staleRequest, "\(answer.text(of: lack)), and \(answer.course(before: request)).", about: lack.map(\.entry))
        given[given.count - 1].stale = answer.stale ?? finding
        stale = finding
      } else if !lack.isEmpty, isOld || index == answers.indices.last {
        let finding = request.finding(.answerNotShown, answer.notShown(lack), about: lack.map(\.entry))
        findings.append(hasMoved ? finding.missing(.value, from: answer.seconds, to: request.seconds) : finding)
      }
    }
    if let stale { findings.append(stale) }
    given.removeFirst(max(0, given.count - DeviceRules.limit))
  }

  /// Reports that answers which earlier requests left too early to show were never stored: the value before that of the
  /// next answer is the one before all of them.
  private func lost(
    _ answers: ArraySlice<Given>, in request: CheckedRequest, into findings: inout [TrafficFinding]
  ) {
    guard let oldest = answers.first, let answer = answers.last, answer.stale != nil,
      let previous = request.kept.previousFineValue?.int64, previous == oldest.before.fine,
      !answers.contains(where: { $0.fine == previous || $0.fine == request.kept.fineValue?.int64 })
    else { return }
    let lack = [(text: "value \(answer.fine)", entry: StoreEntry.previousFineValue)]
    findings.append(
      request.finding(.answerNotShown, answer.notShown(lack), about: lack.map(\.entry))
        .missing(.value, from: oldest.seconds, to: request.seconds))
  }

  /// The values of an answer that a request does not show; empty where it shows all.
  ///
  /// - Parameter window: the window of the last call; nil after the last one.
  private func lack(
    of given: Given, in request: CheckedRequest, _ window: ConversionWindow?
  ) -> [(text: String, entry: StoreEntry)] {
    let kept = request.kept
    if request.kind == .conversionValue(.v1) {
      guard let value = kept.skan3Value ?? 0 as Int64?, value < given.fine, fine.hasBit(value) else { return [] }
      return [("value \(given.fine)", .skan3Value)]
    }
    var lack: [(text: String, entry: StoreEntry)] = []
    if window == .p0, let value = kept.fineValue?.int64, value != given.fine, !isComplete || fine.hasBit(value) {
      lack.append(("value \(given.fine)", .fineValue))
    }
    let shown = window.flatMap { kept.coarseValue[$0]?.int64 }
    if let window, let coarse = given.coarse, shown != coarse, !(given.mayBeCleared && shown == nil) {
      lack.append(
        (coarse.map { "coarse value \($0) of P\(window.rawValue)" } ?? "no coarse value", .coarseValue(window)))
    }
    return lack
  }

  /// Adds the answers that no request was left to show.
  func finish(open: inout [TrafficFinding]) {
    for stale in given.compactMap(\.stale) {
      open.append(stale.open(.answerNotShown, "no conversion_value follows"))
    }
  }

  /// What an answer of conversion_value says, whatever the request was.
  enum Meaning {
    /// The capture does not say.
    case unknown
    /// Nothing changes.
    case nothing
    case value(Int64, coarse: Int64?)
    /// An error, or an answer that the app cannot take.
    case flaw(TrafficRule, String)

    init(of answer: CapturedAnswer, hasCoarseValues: Bool) {
      switch answer {
      case .status(let status) where status >= 400, .unreadable(let status) where status >= 400:
        self = .flaw(.conversionError, "the answer has status \(status).")
      case .failure: self = .nothing
      case .response(_, let body): self.init(body, hasCoarseValues: hasCoarseValues)
      case .notCaptured, .status, .unreadable: self = .unknown
      }
    }

    private init(_ body: [UInt8], hasCoarseValues: Bool) {
      self = .nothing
      guard let answer = (try? JSONReader.read(body))?.value, case .object = answer else {
        self = .flaw(.conversionError, "the answer is not a JSON object.")
        return
      }
      if hasCoarseValues, let lock = answer["skan_updated_lock_window_value"], lock.crashesAsLock {
        self = .flaw(.answerUnusable, "the lock is \(JSONWriter.text(lock)).")
        return
      }
      guard let value = answer["conversion_value"] else {
        if answer["status"] == .string("ok") { return }
        let reason = answer["reason"].map { JSONWriter.text($0) } ?? "an error without a reason"
        self = .flaw(.conversionError, "the answer is: \(reason).")
        return
      }
      let given = hasCoarseValues ? answer["skan_updated_coarse_value"] : nil
      guard case .integer(let number) = value, (0...63).contains(number), given.map(\.isCoarse) ?? true else {
        let text = JSONWriter.text(value) + (given.map { ", the coarse value \(JSONWriter.text($0))" } ?? "")
        self = .flaw(.answerUnusable, "the value is \(text).")
        return
      }
      let coarse: Int64? = if case .integer(let number)? = given { number } else { nil }
      self = .value(number, coarse: coarse)
    }
  }

  private mutating func conversion(_ request: CheckedRequest, into findings: inout [TrafficFinding]) {
    let rules = request.snippet.rules
    let answer = request.captured.answer
    switch Meaning(of: answer, hasCoarseValues: rules.hasCoarseValues) {
    case .nothing: return
    // An unknown answer may have changed anything.
    case .unknown: isComplete = false
    case .flaw(let rule, let message):
      findings.append(request.finding(rule, message))
      if case .response = answer {} else { isComplete = false }
      if rule == .answerUnusable { isComplete = false }
    case .value(let number, let coarse):
      fine.setBit(number)
      if let coarse { self.coarse.setBit(coarse) }
      if let minimum = rules.answerMinimum, let version = request.iosVersion, version < minimum { return }
      given.append(Given(fine: number, coarse: .some(coarse), in: request))
    }
  }

  /// Records a value in an answer of launch or evt, which the client must apply.
  private mutating func forwarded(_ request: CheckedRequest) {
    switch request.reply {
    case .ok(let value?)?:
      fine.setBit(value)
      guard (0...63).contains(value) else { return }
      if let last = given.indices.last, given[last].fine == value {
        given[last].mayBeCleared = true
      } else {
        given = [Given(fine: value, coarse: nil, in: request)]
      }
    case nil:
      isComplete = false
      for index in given.indices { given[index].mayBeReplaced = true }
    case .ok?, .refused?, .failed?: break
    }
  }
}

/// The values that an answer may change, as a request shows them, and the time of their last change.
private struct ShownValues: Equatable {
  let lastCall: Int64?
  let fine: Int64?
  private let skan3: Int64?
  private let coarse: PerWindow<KeptValue?>

  init(_ kept: KeptState) {
    (lastCall, fine, skan3) = (kept.lastCall, kept.fineValue?.int64, kept.skan3Value)
    coarse = kept.coarseValue
  }
}

extension KeptState {
  /// Whether this is the state right after the registration.
  var isFresh: Bool {
    firstCall == lastCall && previousFineValue == nil && (fineValue?.int64 ?? 0) == 0 && skan3Value == nil
  }
}

extension JSON {
  /// Whether the value is a coarse value as the reference specifies it.
  fileprivate var isCoarse: Bool { if case .integer(let number) = self { (0...2).contains(number) } else { false } }

  /// Whether the snippet crashes when it reads the value as a boolean.
  fileprivate var crashesAsLock: Bool {
    switch self {
    case .null, .array, .object: true
    default: false
    }
  }
}

extension UInt64 {
  /// Whether a value is in the set; false for values outside 0...63.
  fileprivate func hasBit(_ value: Int64) -> Bool { (0...63).contains(value) && self >> UInt64(value) & 1 == 1 }

  fileprivate mutating func setBit(_ value: Int64) {
    if (0...63).contains(value) { self |= 1 << UInt64(value) }
  }
}
