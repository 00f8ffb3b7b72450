import SKANJSON

/// What both families of the snippet do with an answer alike.
extension Device {
  /// The members of an answer, or the report of a step that ends without them.
  mutating func read(_ answer: SnippetAnswer) -> Read {
    switch answer {
    case .members(let members): return .success(members)
    case .failure(let error):
      var report = StepReport(.transportError, .noAnswer(error))
      report.handler = .error(error, from: snippet)
      return .failure(report)
    case .unparsable(let why):
      var report = StepReport(.unparsable, .notJSON(why))
      report.handler = .error(Self.parsingError, from: snippet)
      return .failure(report)
    case .array:
      return .failure(
        crash(
          .answerCrashed("The answer is a JSON array instead of an object"),
          reason: "-[__NSArrayM objectForKey:]: unrecognized selector sent to instance (the answer is a JSON array)"))
    }
  }

  enum Read {
    case success(AnswerMembers)
    case failure(StepReport)
  }

  /// An answer without `conversion_value`: told by its `status` and `reason`.
  mutating func finishWithoutValue(_ answer: AnswerMembers) -> StepReport {
    switch answer.status {
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
    _ field: String, _ value: UnusableValue, sent selector: String, after warnings: [Warning] = []
  ) -> StepReport {
    var report = crash(
      .answerCrashed("The answer's \(field) is \(value.shown)"),
      reason: "-[\(value.foundationClass) \(selector)]: unrecognized selector sent to instance "
        + "(\(field) is \(value.shown))")
    report.warnings += warnings
    report.warnings.append(.oddType(field: field, value: value.shown, expected: Warning.documented[field] ?? ""))
    return report
  }

  /// With what Apple's framework answers a call. An organic install's takes every call and does nothing.
  func frameworkError(for call: FrameworkCall) -> Int64? {
    guard profile.ad != nil, let fine = call.fineValue, !(0...63).contains(fine) else { return nil }
    return FrameworkError.invalidConversionValue
  }

  /// Whether Apple has locked the window's values, as far as the app's own record tells.
  func isLocked(_ window: ConversionWindow) -> Bool {
    kept.windowLock[window] != nil && profile.ad != nil && profile.ios >= .coarseValueUpdate
  }

  /// The answer says which postback it is meant for; the snippet does not look.
  func indexWarning(_ answer: AnswerMembers, _ window: ConversionWindow?) -> Warning? {
    guard let index = answer.index else { return nil }
    if case .number(let number) = index, let window, number == Int64(window.rawValue) { return nil }
    return .indexMismatch(index: index.shown, window: window)
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

  /// `boolValue`.
  var isTruthy: Bool {
    switch self {
    case .integer(let number): number != 0
    case .unsigned: true
    case .double(let number): number != 0
    case .bool(let flag): flag
    case .string(let text): text.isTruthy
    }
  }
}
