import SKANDevice
import SKANBase
import SKANModel

/// The rules that compare the values in answers with those in the phone's requests.
struct AnswerRules {
  /// The values of an answer, until the next conversion_value request shows them.
  private struct Given {
    var fine: Int64
    /// Inner nil for an answer without a coarse value; outer nil for an answer of launch or evt, which never has one.
    var coarse: Int64??
    /// The last call in the answered request.
    var lastCall: Int64?
    var entry: Int
    /// The time of the answered request, in Unix seconds.
    var seconds: Int64?
    /// Whether an unknown answer followed, which may have given another value.
    var mayBeReplaced = false
    /// Whether an answer of launch or evt gave the same value; applying it again clears the coarse value.
    var mayBeCleared = false
  }

  /// Whether the capture has all answers since the registration.
  private(set) var isComplete = false
  private var isFirst = true
  private var hasConversions = false
  /// The fine values that the phone may have or have had, as bits; after the registration it has 0.
  private var fine: UInt64 = 1
  /// The coarse values in answers, as bits.
  private var coarse: UInt64 = 0
  private var given: Given?

  mutating func check(_ request: CheckedRequest, into findings: inout [TrafficFinding]) {
    if isFirst, request.kept.firstCall != nil {
      isComplete = request.kept.isFresh
      isFirst = false
    }
    if !request.kind.isReport, let given {
      show(given, request, into: &findings)
      self.given = nil
    }
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

  /// Checks whether the request after an answer has its values.
  private func show(_ given: Given, _ request: CheckedRequest, into findings: inout [TrafficFinding]) {
    let kept = request.kept
    guard let first = kept.firstCall, let lastCall = kept.lastCall else { return }
    // After the clock was set back, the window in which the value was stored is unknown.
    if let before = given.lastCall, lastCall < before { return }
    // Each answer that is applied moves the last call. If it did not move, no answer was applied, known or not.
    let hasMoved = lastCall != given.lastCall
    if given.mayBeReplaced, hasMoved { return }
    var wrong: [(text: String, entry: StoreEntry)] = []
    if request.kind == .conversionValue(.v1) {
      if let value = kept.skan3Value ?? 0 as Int64?, value < given.fine, fine.hasBit(value) {
        wrong.append(("value \(given.fine)", .skan3Value))
      }
    } else {
      let window = ConversionWindow.at(secondsSinceFirstCall: lastCall - first)
      if window == .p0, let value = kept.fineValue?.int64, value != given.fine, !isComplete || fine.hasBit(value) {
        wrong.append(("value \(given.fine)", .fineValue))
      }
      let shown = window.flatMap { kept.coarseValue[$0]?.int64 }
      if let window, let coarse = given.coarse, shown != coarse, !(given.mayBeCleared && shown == nil) {
        wrong.append(
          (coarse.map { "coarse value \($0) of P\(window.rawValue)" } ?? "no coarse value", .coarseValue(window)))
      }
    }
    guard !wrong.isEmpty else { return }
    let values = wrong.map(\.text).joined(separator: " and ")
    let finding = request.finding(
      .answerNotShown, "the answer at entry \(given.entry) gave \(values).", about: wrong.map(\.entry))
    findings.append(hasMoved ? finding.missing(.value, from: given.seconds, to: request.seconds) : finding)
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
      self.given = Given(
        fine: number, coarse: .some(coarse), lastCall: request.kept.lastCall, entry: request.captured.location.entry,
        seconds: request.seconds)
    }
  }

  /// Records a value in an answer of launch or evt, which the client must apply.
  private mutating func forwarded(_ request: CheckedRequest) {
    switch request.reply {
    case .ok(let value?)?:
      fine.setBit(value)
      guard (0...63).contains(value) else { return }
      if given?.fine == value {
        given?.mayBeCleared = true
        return
      }
      given = Given(
        fine: value, coarse: nil, lastCall: request.kept.lastCall, entry: request.captured.location.entry,
        seconds: request.seconds)
    case nil:
      isComplete = false
      given?.mayBeReplaced = true
    case .ok?, .refused?, .failed?: break
    }
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
