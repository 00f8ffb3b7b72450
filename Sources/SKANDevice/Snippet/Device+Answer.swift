import SKANBase

/// What both families of the snippet do with an answer alike.
extension Device {
  /// What comes of an answer that is not an object.
  mutating func finish(_ answer: SnippetAnswer.Unusable, _ options: UpdateOptions) -> StepReport {
    switch answer {
    case .failure(let error):
      var report = StepReport(.transportError, .noAnswer(error))
      runHandler(.error(error, from: snippet), &report, options)
      return report
    case .unparsable(let why):
      var report = StepReport(.unparsable, .notJSON(why))
      runHandler(.error(Self.parsingError, from: snippet), &report, options)
      return report
    case .array:
      return crash(
        .answerCrashed("The answer is a JSON array instead of an object"),
        reason: "-[__NSArrayM objectForKey:]: unrecognized selector sent to instance (the answer is a JSON array)")
    }
  }

  /// An answer without `conversion_value`, by its `status` and `reason`.
  mutating func finishWithoutValue(_ status: StatusVerdict, _ options: UpdateOptions) -> StepReport {
    switch status {
    case .ok: return StepReport(.noUpdate, .nothingToUpdate)
    case .error(let message):
      var report = StepReport(.serverError, .refused(message))
      runHandler(.error(message, from: snippet), &report, options)
      return report
    case .crash(let status): return crash("status", status, sent: "isEqualToString:")
    }
  }

  /// The app sends a message to an object that does not answer to it.
  mutating func crash(
    _ field: String, _ value: UnusableValue, sent selector: String, after warnings: [Warning] = []
  ) -> StepReport {
    var report = crash(
      .answerCrashed("The answer's \(field) is \(value.displayText)"),
      reason: "-[\(value.foundationClass) \(selector)]: unrecognized selector sent to instance "
        + "(\(field) is \(value.displayText))")
    report.found +=
      warnings + [.oddType(field: field, value: value.displayText, expected: Warning.documented[field] ?? "")]
    return report
  }

  /// The answer says which postback it is meant for; the snippet does not look.
  @inline(__always)
  func indexWarning(_ answer: AnswerMembers, _ window: ConversionWindow?) -> Warning? {
    guard let index = answer.index else { return nil }
    if case .number(let number) = index, let window, number == Int64(window.rawValue) { return nil }
    return .indexMismatch(index: index.displayText, window: window)
  }
}

extension Warning {
  /// What the guides document for the fields of an answer.
  static let documented = [
    "conversion_value": "a whole number, 0-63", "skan_updated_coarse_value": "a whole number, 0-2",
    "skan_updated_lock_window_value": "true or false", "status": "a string",
  ]

  static func oddType(_ field: String, _ value: KeptValue) -> Warning {
    .oddType(field: field, value: value.displayText, expected: documented[field] ?? "")
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
