import SKANBase

/// Everything that an operation did, in compact form; texts are composed only when shown.
///
/// It is a small value, because a long list creates one for every step. Parts that few steps have are out of line, in
/// ``Rare``.
package struct StepReport: Sendable {
  private var reason: Reason
  package var outcome: Outcome
  /// Whether an answer changed the store: reading the details too early then gives old values.
  package var changesKept = false
  /// Whether the handler is called with the values of ``reason``.
  private var passesValues = false
  private var notices: Notices = []
  /// The snippet's window at an update of SKAN 4, which may be absent.
  private var window: ConversionWindow??
  /// The call of Apple's framework, if there was one; no operation makes two.
  package private(set) var framework: FrameworkCall?
  /// Apple's answer to the call.
  package private(set) var frameworkAnswer: FrameworkAnswer?
  /// How far the phone's clock went back; below 0, how long before the end of the previous step this one begins; else 0.
  private var microsecondsBack: Int64 = 0
  private var rare: SharedValue<Rare>?

  /// The explanations that are frequent in a long list; ``Rare`` has all others.
  private enum Reason {
    case rare
    case updated(fine: UInt8, coarse: StoredByte, lock: Bool, previous: StoredByte)
    case skan3Updated(Int32, previous: Int64?)
    case notHigher(Int32, current: Int64)
    case revenueAdded(Double, CurrencyCode, isAd: Bool, ConversionWindow?, SnippetVersion)
  }

  /// Warnings that need no data beyond the report.
  struct Notices: OptionSet {
    let rawValue: UInt8

    static let handlerNotCalled = Notices(rawValue: 1)
    static let coarseCleared = Notices(rawValue: 2)
    static let idfvMissing = Notices(rawValue: 4)
    static let revenueOutsideWindows = Notices(rawValue: 8)

    fileprivate static let findings: Notices = [.handlerNotCalled, .idfvMissing]
  }

  /// The parts that few steps have.
  private struct Rare: Sendable, Equatable {
    var explanation = Explanation.nothingToUpdate
    var handler: HandlerCall?
    /// The value of ``StepReport/found``, if it does not follow from the other parts of the report.
    var found: [Warning]?
    var crash: Crash?
    var keptInHandler: KeptState?
  }

  /// The report of a step that has not run yet.
  package init() { self.init(.noUpdate, .rare as Reason) }

  package init(_ outcome: Outcome, _ explanation: Explanation) {
    self.outcome = outcome
    reason = .rare
    rare = SharedValue(Rare(explanation: explanation))
  }

  /// - Parameter warnings: of the step, before those that follow from a call of Apple's framework.
  package init(_ outcome: Outcome, _ explanation: Explanation, _ warnings: [Warning]) {
    self.init(outcome, explanation)
    if !warnings.isEmpty { found = warnings }
  }

  private init(_ outcome: Outcome, _ reason: Reason) {
    self.outcome = outcome
    self.reason = reason
  }

  // Not inlined, so that the steps of a long list need no stack space for it.
  @inline(never)
  private mutating func changeRare(_ change: (inout Rare) -> Void) {
    var all = rare?.value ?? Rare()
    change(&all)
    rare = SharedValue(all)
  }
}

// MARK: The steps of a long list

extension StepReport {
  /// Turns a fresh report into that of an update of SKAN 4 with the values of an answer.
  ///
  /// - Parameter previous: the fine value in the store before.
  @inline(__always)
  mutating func setUpdated(
    fine: KeptValue, coarse: KeptValue?, lock: Bool, _ window: ConversionWindow?, previous: KeptValue?
  ) {
    let (coarseByte, previousByte) = (StoredByte(coarse), StoredByte(previous))
    if case .integer(let number) = fine, let number = UInt8(exactly: number), !coarseByte.isOdd, !previousByte.isOdd {
      outcome = .updated
      reason = .updated(fine: number, coarse: coarseByte, lock: lock, previous: previousByte)
    } else {
      self = StepReport(
        .updated, .updated(fine: fine, coarse: coarse, lock: lock, window, previous: previous) as Explanation)
    }
    self.window = .some(window)
  }

  static func skan3Updated(_ value: Int32, previous: Int64?) -> StepReport {
    StepReport(.updated, .skan3Updated(value, previous: previous) as Reason)
  }

  static func notHigher(_ value: Int32, current: Int64) -> StepReport {
    StepReport(.notHigher, .notHigher(value, current: current) as Reason)
  }

  /// - Parameter code: the currency's code, if it has the form of one.
  @inline(__always)
  static func revenueAdded(
    _ amount: Double, _ currency: String, _ code: CurrencyCode?, isAd: Bool, _ window: ConversionWindow?,
    _ snippet: SnippetVersion
  ) -> StepReport {
    if let code { return StepReport(.added, Reason.revenueAdded(amount, code, isAd: isAd, window, snippet)) }
    return StepReport(
      .added, Explanation.revenueAdded(amount: amount, currency: currency, isAd: isAd, window, snippet))
  }

  /// Why the step ended as it did.
  package var explanation: Explanation {
    get {
      switch reason {
      case .rare: rare?.value.explanation ?? .nothingToUpdate
      case .updated(let fine, let coarse, let lock, let previous):
        .updated(
          fine: .integer(Int64(fine)), coarse: coarse.value, lock: lock, window ?? nil, previous: previous.value)
      case .skan3Updated(let value, let previous): .skan3Updated(value, previous: previous)
      case .notHigher(let value, let current): .notHigher(value, current: current)
      case .revenueAdded(let amount, let currency, let isAd, let window, let snippet):
        .revenueAdded(amount: amount, currency: currency.name, isAd: isAd, window, snippet)
      }
    }
    set {
      let handler = handler
      changeRare {
        $0.explanation = newValue
        $0.handler = handler
      }
      reason = .rare
      passesValues = false
    }
  }

  /// The call of the app's completion handler; nil if it is not called.
  package var handler: HandlerCall? {
    get {
      switch reason {
      case .updated(let fine, let coarse, let lock, _) where passesValues:
        .values(fine: .integer(Int64(fine)), coarse: coarse.value, lock: lock)
      case .skan3Updated(let value, _) where passesValues: .skan3Value(value)
      default: rare?.value.handler
      }
    }
    set {
      passesValues = false
      changeRare { $0.handler = newValue }
    }
  }

  /// Removes the handler's call: the app passed no handler.
  mutating func removeHandler() {
    passesValues = false
    if rare == nil { return }
    changeRare {
      $0.handler = nil
      $0.keptInHandler = nil
    }
  }

  /// Records that the handler is called with the values of the update.
  @inline(__always)
  mutating func passValues(_ call: @autoclosure () -> HandlerCall) {
    if case .rare = reason { handler = call() } else { passesValues = true }
  }

  /// Whether the app's completion handler is called.
  @inline(__always)
  var callsHandler: Bool { passesValues || rare != nil && rare?.value.handler != nil }

  /// The app's state while the handler runs, if recorded (``UpdateOptions/recordsKeptInHandler``).
  package var keptInHandler: KeptState? {
    get { rare?.value.keptInHandler }
    set { changeRare { $0.keptInHandler = newValue } }
  }

  package var crash: Crash? {
    get { rare?.value.crash }
    set { changeRare { $0.crash = newValue } }
  }

  /// How far the phone's clock went back before the step.
  package var wentBack: TimeSpan? {
    microsecondsBack > 0 ? TimeSpan(microseconds: microsecondsBack) : nil
  }

  /// Records that the step begins before the previous one has ended.
  @inline(__always)
  package mutating func note(_ early: PhoneClock.EarlyBeginning?) {
    guard let early else { return }
    microsecondsBack = early.isOverlap ? -early.span.microseconds : early.span.microseconds
  }

  /// Records the call of Apple's framework.
  @inline(__always)
  package mutating func note(_ call: FrameworkCall, _ answer: FrameworkAnswer) {
    framework = call
    frameworkAnswer = answer
  }
}

// MARK: Warnings

extension StepReport {
  /// All warnings for a tester.
  package var warnings: [Warning] {
    var warnings: [Warning] = []
    forEachWarning { warnings.append($0) }
    return warnings
  }

  /// Passes on each of the ``warnings``, in order.
  package func forEachWarning(_ body: (Warning) -> Void) {
    let found = rare?.value.found
    if let found { for warning in found where !warning.isAboutExchange { body(warning) } } else { forEachNoticed(body) }
    frameworkAnswer?.effects.forEachIgnored(body)
    if changesKept { body(.detailsStale) }
    if let early { body(early) }
    // Last, so that an expectation of another warning by its index holds.
    if let found { for warning in found where warning.isAboutExchange { body(warning) } }
  }

  /// The warning about a step that begins too early.
  private var early: Warning? {
    if microsecondsBack < 0 { return .overlaps(TimeSpan(microseconds: -microsecondsBack)) }
    return wentBack.map(Warning.clockWentBack)
  }

  /// The warnings, without those that follow from the call's effects, ``changesKept`` and an early beginning.
  ///
  /// Must be set after the call of Apple's framework, because the fate of the call is included.
  package var found: [Warning] {
    get { rare?.value.found ?? noticed }
    set { changeRare { $0.found = newValue } }
  }

  private var noticed: [Warning] {
    var warnings: [Warning] = []
    forEachNoticed { warnings.append($0) }
    return warnings
  }

  private func forEachNoticed(_ body: (Warning) -> Void) {
    if notices.contains(.handlerNotCalled) { body(.handlerNotCalled) }
    if notices.contains(.revenueOutsideWindows) { body(.revenueOutsideWindows) }
    if let answer = frameworkAnswer {
      let fate = answer.fate
      if let warning = fate.warning { body(warning) }
      answer.effects.forEachFinding(body)
      if case .taken(let held) = fate, let window, held != window { body(.windowsDiffer(window, apple: held)) }
    }
    if notices.contains(.coarseCleared) { body(.coarseCleared(window ?? nil)) }
    if notices.contains(.idfvMissing) { body(.idfvMissing) }
  }

  /// Adds a warning.
  @inline(__always)
  mutating func notice(_ notice: Notices) {
    notices.insert(notice)
    if rare != nil { list(notice) }
  }

  /// Adds a warning to the list of ``Rare``, if there is one.
  private mutating func list(_ notice: Notices) {
    guard rare?.value.found != nil else { return }
    var alone = self
    alone.notices = notice
    alone.frameworkAnswer = nil
    let warnings = alone.noticed
    found = notice == .handlerNotCalled ? warnings + found : found + warnings
  }

  /// Whether there is a problem in the app or the endpoint, which `--strict` counts. Only ``found`` matters.
  @inline(__always)
  package var hasFinding: Bool {
    if microsecondsBack < 0 { return true }
    if let found = rare?.value.found { return found.contains { $0.level == .finding } }
    return !notices.isDisjoint(with: .findings) || frameworkAnswer?.isFinding ?? false
  }

  /// The first warning of level finding.
  package var firstFinding: WarningCode? {
    found.first { $0.level == .finding }?.kind ?? (microsecondsBack < 0 ? .overlaps : nil)
  }
}

/// The cause of an app crash.
package struct Crash: Sendable, Equatable {
  /// The exception, and the value in the answer or the store that raised it.
  package var reason: String
}

extension Crash: JSONObjectWritable {
  package static let fields = JSONFields<Crash> {
    JSONField("reason", "the exception, and what raised it") { $0.reason }
  }
}

/// A report as part of another one.
extension StepReport: JSONObjectWritable {
  package static let fields = JSONFields<StepReport> {
    JSONField("explanation", "what happened and why, as a sentence", of: String.self) { $0.writeExplanation(to: &$1) }
    JSONField("framework", "the calls into Apple's framework", of: [FrameworkCall].self) { $0.writeFramework(to: &$1) }
    JSONField("outcome", "how it ended") { $0.outcome }
  }

  /// Writes the ``explanation``.
  package func writeExplanation(to writer: inout JSONWriter) {
    let explanation = explanation
    // Only the rare ones contain texts of a list or of an answer.
    if case .rare = reason {
      writer.append(quoting: { $0.append(explanation) })
    } else {
      writer.append(quotingPlain: { $0.append(explanation) })
    }
  }

  /// Writes the ``warnings``.
  package func writeWarnings(to writer: inout JSONWriter) {
    writer.beginArray()
    forEachWarning {
      writer.beginItem()
      $0.write(to: &writer)
    }
    writer.endArray()
  }

  /// Writes the calls of Apple's framework: one or none.
  package func writeFramework(to writer: inout JSONWriter) {
    writer.beginArray()
    if let framework {
      writer.beginItem()
      FrameworkCall.fields.write(framework, to: &writer)
    }
    writer.endArray()
  }
}

/// The call of the app's completion handler.
package enum HandlerCall: Sendable, Equatable {
  /// SKAN 4: the values that the app receives. With an error there are none.
  case values(fine: KeptValue, coarse: KeptValue?, lock: Bool)
  case failed(String)
  /// SKAN 3: the value.
  case skan3Value(Int32)
  /// SKAN 3: -1 and the error.
  case skan3Failed(String)

  /// The call with an error, as the snippet makes it.
  package static func error(_ message: String, from snippet: SnippetVersion) -> HandlerCall {
    switch snippet.rules.handler {
    case .values: .failed(message)
    case .value: .skan3Failed(message)
    }
  }
}

extension HandlerCall: JSONObjectWritable {
  package static let fields = JSONFields<HandlerCall> {
    JSONField(optional: "coarse", "the coarse value, or null; absent in SKAN 3", of: KeptValue?.self) { call, writer in
      switch call {
      case .values(_, let coarse?, _): coarse.write(to: &writer)
      case .values(_, nil, _), .failed: writer.null()
      case .skan3Value, .skan3Failed: break
      }
    }
    JSONField("error", "the error, or null", of: String?.self) { call, writer in
      switch call {
      case .failed(let message), .skan3Failed(let message): writer.append(message)
      case .values, .skan3Value: writer.null()
      }
    }
    JSONField("fine", "the fine value; with an error null, or -1 in SKAN 3", of: KeptValue?.self) { call, writer in
      switch call {
      case .values(let fine, _, _): fine.write(to: &writer)
      case .failed: writer.null()
      case .skan3Value(let value): writer.append(Int64(value))
      case .skan3Failed: writer.append(Int64(-1))
      }
    }
    JSONField(optional: "lock", "whether the window is locked; absent in SKAN 3", of: Bool.self) { call, writer in
      switch call {
      case .values(_, _, let lock): writer.append(lock)
      case .failed: writer.append(false)
      case .skan3Value, .skan3Failed: break
      }
    }
  }
}
