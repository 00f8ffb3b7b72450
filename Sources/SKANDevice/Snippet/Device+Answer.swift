import SKANJSON

/// What both families of the snippet do with an answer alike.
extension Device {
  /// The JSON object of an answer, or the report of a step that ends without one.
  mutating func read(_ answer: EndpointAnswer) -> Read {
    let body: [UInt8]
    switch answer {
    case .failure(let error):
      var report = StepReport(.transportError, .noAnswer(error))
      report.handler = .error(error, from: snippet)
      return .failure(report)
    case .response(_, let bytes): body = bytes
    }
    switch ParsedAnswer(body) {
    case .object(let node): return .success(node)
    case .unparsable(let why):
      var report = StepReport(.unparsable, .notJSON(why))
      report.handler = .error(Self.parsingError, from: snippet)
      return .failure(report)
    case .array:
      return .failure(
        crash(
          .answerCrashed("The answer is a JSON array instead of an object"),
          reason: "-[__NSArrayM objectForKey:]: unrecognized selector sent to instance (the answer is a JSON array)",
          keptBefore: nil))
    }
  }

  enum Read {
    case success(JSONNode)
    case failure(StepReport)
  }

  /// An answer without `conversion_value`: told by its `status` and `reason`.
  mutating func finishWithoutValue(_ answer: JSONNode) -> StepReport {
    switch StatusVerdict(answer) {
    case .ok: return StepReport(.noUpdate, .nothingToUpdate)
    case .error(let message):
      var report = StepReport(.serverError, .refused(message))
      report.handler = .error(message, from: snippet)
      return report
    case .crash(let status): return crash("status", status, sent: "isEqualToString:")
    }
  }

  /// The app sends a message to an object that does not answer to it.
  mutating func crash(
    _ field: String, _ node: JSONNode, sent selector: String, after warnings: [Warning] = []
  ) -> StepReport {
    var report = crash(
      .answerCrashed("The answer's \(field) is \(node.briefly)"),
      reason: "-[\(node.foundationClass) \(selector)]: unrecognized selector sent to instance "
        + "(\(field) is \(node.briefly))", keptBefore: nil)
    report.warnings += warnings
    report.warnings.append(.oddType(field: field, value: node.briefly, expected: Warning.documented[field] ?? ""))
    return report
  }

  /// With what Apple's framework answers a call. An organic install's takes every call and does nothing.
  func frameworkError(for call: FrameworkCall) -> Int64? {
    guard profile.ad != nil, let fine = call.fineValue, !(0...63).contains(fine) else { return nil }
    return FrameworkError.invalidConversionValue
  }

  /// Whether Apple has locked the window's values, as far as the app's own record tells.
  func isLocked(_ window: ConversionWindow) -> Bool {
    profile.ad != nil && profile.ios >= .coarseValueUpdate && kept.windowLock[window] != nil
  }

  /// The answer says which postback it is meant for; the snippet does not look.
  func indexWarnings(_ answer: JSONNode, at now: Instant) -> [Warning] {
    guard let index = answer.member("postback_sequence_index") else { return [] }
    let window = window(at: now)
    if let window, index.value == .integer(Int64(window.rawValue)) { return [] }
    return [.indexMismatch(index: index.briefly, window: window)]
  }
}

extension Warning {
  /// What the guides document for the fields of an answer.
  static let documented = [
    "conversion_value": "a whole number, 0-63", "skan_updated_coarse_value": "a whole number, 0-2",
    "skan_updated_lock_window_value": "true or false", "status": "a string",
  ]

  static func oddType(_ field: String, _ value: KeptValue) -> Warning {
    .oddType(field: field, value: value.shown, expected: documented[field] ?? "")
  }
}

extension KeptValue {
  /// A whole number, however it was written.
  var isDocumentedNumber: Bool {
    switch self {
    case .integer, .unsigned: true
    case .double(let number): number == number.rounded()
    case .bool, .string: false
    }
  }
}
