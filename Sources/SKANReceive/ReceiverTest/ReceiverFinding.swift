import SKANBase

/// What became of a delivery.
package struct ReceiverFinding: Sendable {
  package let delivery: ReceiverDelivery
  package let outcome: Outcome

  package enum Outcome: Sendable, Equatable {
    /// The answer is right: its status, or what became of the connection.
    case right(String)
    case wrong(String)
    /// Why it was not made.
    case notEvaluated(String)
    /// It was made, and the receiver limits how often that may be; what it took of it is not known.
    case limited(String)
  }

  package init(_ delivery: ReceiverDelivery, _ outcome: Outcome) {
    self.delivery = delivery
    self.outcome = outcome
  }

  /// - Parameter answers: of each request of the delivery; nil for a connection that was closed without an answer.
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
    /// The connection was closed or reset without one.
    case closed
    /// No answer came, for the reason given.
    case none(String)
    /// It came, but too late.
    case late(status: Int, why: String)
    /// The receiver asks to come again later.
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
  /// Every name that a finding can have.
  package static let names = ["ok", "wrong", "advice", "not-evaluated"]

  /// `ok`, `wrong`, `advice` for a wrong answer that Apple's documentation says nothing of, or `not-evaluated`.
  package var name: String {
    switch outcome {
    case .right: "ok"
    case .wrong: delivery.level == .must ? "wrong" : "advice"
    case .notEvaluated, .limited: "not-evaluated"
    }
  }

  /// What was answered, or why nothing was asked.
  package var answer: String {
    switch outcome {
    case .right(let text), .wrong(let text), .notEvaluated(let text), .limited(let text): text
    }
  }

  /// The answer without the number of its requests.
  var status: String { answer.split(separator: ": ").last.map(String.init) ?? answer }

  /// Whether the answer is wrong, of whatever level.
  package var isWrong: Bool { if case .wrong = outcome { true } else { false } }
  /// Whether it is wrong by Apple's documentation.
  package var breaksMust: Bool { isWrong && delivery.level == .must }
  package var isEvaluated: Bool {
    switch outcome {
    case .right, .wrong: true
    case .notEvaluated, .limited: false
    }
  }
  /// Whether the receiver may have kept something of it.
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
