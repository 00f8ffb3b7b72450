import SKANBase
import SKANDevice
import SKANRun

/// The outcome of a delivery.
package struct ReceiverFinding: Sendable {
  package let delivery: ReceiverDelivery
  package let outcome: Outcome

  package enum Outcome: Sendable, Equatable {
    /// The answer is right. The text is its status, or describes the connection's end.
    case right(String)
    case wrong(String)
    /// The delivery was not made, for this reason.
    case notEvaluated(String)
    /// The delivery was made, but the receiver limits the rate of requests; what it accepted is unknown.
    case limited(String)
  }

  package init(_ delivery: ReceiverDelivery, _ outcome: Outcome) {
    self.delivery = delivery
    self.outcome = outcome
  }

  /// - Parameter answers: the answer to each request of the delivery.
  package init(_ delivery: ReceiverDelivery, answers: [Answer]) {
    let wrong = answers.filter { !$0.isRight(for: delivery.right) }
    var text = (wrong.first ?? answers.first)?.text ?? "no answer"
    if answers.count > 1 {
      text = wrong.isEmpty ? "\(answers.count) times \(text)" : "\(wrong.count) of \(answers.count): \(text)"
    }
    self.init(delivery, wrong.isEmpty ? .right(text) : .wrong(text))
  }

  /// The answer to one request.
  package enum Answer: Sendable, Equatable {
    case status(Int)
    /// The connection was closed or reset without an answer.
    case closed
    /// There was no answer, for this reason.
    case none(String)
    /// The answer was too late.
    case late(status: Int, why: String)
    /// The receiver limits the rate of requests.
    case limited(status: Int, retryAfter: String?)

    func isRight(for right: ReceiverDelivery.RightAnswer) -> Bool {
      switch self {
      case .status(let status): right.takes(status)
      case .closed: right.takes(nil)
      case .none, .late, .limited: false
      }
    }

    var text: String {
      switch self {
      case .status(let status), .limited(let status, _): "\(status)"
      case .closed: "closed without an answer"
      case .none(let reason): reason
      case .late(let status, let why): "\(status), \(why)"
      }
    }
  }
}

extension ReceiverFinding {
  /// Every name of a result.
  package static let names = ["ok", "wrong", "advice", "not-evaluated"]

  /// The name of the result: `ok`, `wrong`, `advice` for a wrong answer about which Apple's documentation says nothing,
  /// or `not-evaluated`.
  package var name: String {
    switch outcome {
    case .right: "ok"
    case .wrong: delivery.level == .must ? "wrong" : "advice"
    case .notEvaluated, .limited: "not-evaluated"
    }
  }

  /// The answer, or why no request was sent.
  package var answer: String {
    switch outcome {
    case .right(let text), .wrong(let text), .notEvaluated(let text), .limited(let text): text
    }
  }

  /// The answer without the number of requests.
  var status: String { answer.split(separator: ": ").last.map(String.init) ?? answer }

  /// Whether the answer is wrong, at any level.
  package var failed: Bool { if case .wrong = outcome { true } else { false } }
  /// Whether the answer violates Apple's documentation.
  package var breaksMust: Bool { failed && delivery.level == .must }
  package var isEvaluated: Bool {
    switch outcome {
    case .right, .wrong: true
    case .notEvaluated, .limited: false
    }
  }
  /// Whether the receiver may have kept any of the delivery.
  var wasSent: Bool { if case .notEvaluated = outcome { false } else { true } }
}

extension ReceiverFinding: JSONObjectWritable {
  package static let fields = JSONFields<ReceiverFinding> {
    JSONField("delivery") { $0.delivery.id }
    JSONField("result", as: .names(names)) { $0.name }
    JSONField("level") { $0.delivery.level }
    JSONField("answer") { $0.answer }
    JSONField("must_be") { $0.delivery.right }
    JSONField("request") { $0.delivery.request }
    JSONField("why") { $0.delivery.why }
    JSONField("open") { $0.delivery.open?.rawValue }
  }
}

extension ReceiverDelivery.Level: JSONWritable {}

extension ReceiverDelivery.RightAnswer: JSONWritable {}

extension [ReceiverFinding] {
  /// The report as JUnit XML: one suite, with a case for each delivery and for each count that differs.
  ///
  /// - Parameters:
  ///   - comparison: the comparison with the receiver's own counts; nil where there is none.
  ///   - isStrict: whether advice is a failure.
  ///   - receiver: the receiver's address.
  ///   - time: the time of the test.
  package func junit(
    _ comparison: ReceiverComparison? = nil, isStrict: Bool = false, receiver: String, at time: Instant
  ) -> [UInt8] {
    let counts = comparison.map { $0.differences.isEmpty ? 1 : $0.differences.count } ?? 0
    let failures = count { $0.isFailure(isStrict: isStrict) } + (comparison?.differences.count ?? 0)
    var advice: [String] = []
    var xml = XMLWriter()
    xml.begin("testsuites")
    xml.beginSuite(
      "receiver \(receiver)", start: time, tests: count + counts, failures: failures, skipped: count { !$0.isEvaluated }
    )
    for finding in self {
      let delivery = finding.delivery
      let outcome: JUnitOutcome?
      switch finding.outcome {
      case .wrong(let answer) where finding.isFailure(isStrict: isStrict):
        outcome = .failure(
          "answered \(answer), \(delivery.level.rawValue) be \(delivery.right.rawValue)",
          type: delivery.level.rawValue, "\(delivery.request)\n\(delivery.why)")
      case .wrong(let answer):
        outcome = nil
        advice.append("\(delivery.id): answered \(answer), should be \(delivery.right.rawValue): \(delivery.why)")
      case .right: outcome = nil
      case .notEvaluated(let reason), .limited(let reason): outcome = .skipped("not evaluated: \(reason)")
      }
      xml.testCase(Self.className, delivery.id, outcome)
    }
    if let comparison, comparison.differences.isEmpty { xml.testCase(Self.className, "counts") }
    for difference in comparison?.differences ?? [] {
      xml.testCase(
        Self.className, "counts \(difference.path)",
        .failure(
          "\(difference.actualText), must be \(difference.expectedText)", type: "count", difference.hint ?? ""))
    }
    xml.endSuite(output: advice)
    xml.end()
    return xml.bytes
  }

  private static var className: String { "skan.receiver-test" }
}

extension ReceiverFinding {
  fileprivate func isFailure(isStrict: Bool) -> Bool { isStrict ? failed : breaksMust }
}
