import SKANModel
import SKANBase

/// The rules about how a sender handles answers of launch and evt: retries, duplicates, losses.
struct DeliveryRules {
  /// A sent request, with the hashes by which its repetitions are recognized.
  fileprivate struct Sent {
    var identity: UInt64
    /// A hash of the whole content.
    var content: UInt64
    var outcome: Outcome
    /// A template for findings at this request.
    var request: TrafficFinding
    /// Unix seconds.
    var seconds: Int64?
    /// The index among the device's requests.
    var index: Int
    /// The endpoint, by which a hidden request may be a repetition.
    var kinds: HiddenRequests.Kinds
    var tries = 1
  }

  fileprivate enum Outcome {
    case delivered
    /// With the reason.
    case refused(String)
    /// Refused, and already reported as a finding.
    case refusedAgain(String)
    /// With the reason, and whether the status was 200.
    case failed(String, isHidden: Bool)
    /// Failed, and the loss was already reported as a finding.
    case lost
    case unknown
  }

  /// The number of attempts after which a sender may give up.
  static let tries = 5

  private var sent: [Sent] = []
  private var count = 0

  /// Whether the last repetition may also be a new event, since the answer to the first request is unknown.
  private(set) var mayBeNew = false

  /// Whether a request repeats an earlier one; no other rules check repetitions.
  mutating func isRepeated(_ request: CheckedRequest, into findings: inout [TrafficFinding]) -> Bool {
    count += 1
    let outcome = Outcome(request)
    let (identity, content) = (request.identity, request.content)
    if let known = index(of: request, identity, content) {
      if case .unknown = sent[known].outcome { mayBeNew = sent[known].content != content } else { mayBeNew = false }
      repeated(known, request, outcome, into: &findings)
      return true
    }
    reportLosses(before: request.seconds.map { $0 - DeviceRules.patience }, into: &findings)
    if sent.count == DeviceRules.limit {
      report(loss: 0, into: &findings)
      sent.removeFirst()
    }
    sent.append(
      Sent(
        identity: identity, content: content, outcome: outcome, request: request.finding(.errorTakenAsDelivered, ""),
        seconds: request.seconds, index: count, kinds: HiddenRequests.Kinds(request.kind)))
    return false
  }

  /// The index of the request that this one repeats.
  ///
  /// A repetition of an accepted request must be equal in all parameters or be about the same money, because an event
  /// may happen twice in a second. Other repetitions may have newer metadata.
  private func index(of request: CheckedRequest, _ identity: UInt64, _ content: UInt64) -> Int? {
    guard let index = sent.lastIndex(where: { $0.identity == identity }) else { return nil }
    if case .delivered = sent[index].outcome, !request.isAboutMoney, sent[index].content != content { return nil }
    if request.hasIdentity { return index }
    // Without its own time, an equal request may be a new event.
    guard let seconds = request.seconds, let before = sent[index].seconds else { return nil }
    return seconds - before <= DeviceRules.patience ? index : nil
  }

  private mutating func repeated(
    _ known: Int, _ request: CheckedRequest, _ outcome: Outcome, into findings: inout [TrafficFinding]
  ) {
    let before = sent[known].request.location.entry
    switch sent[known].outcome {
    case .delivered:
      findings.append(request.finding(.duplicateRequest, "entry \(before) is the same, and its answer is ok."))
      return
    case .refused(let reason), .refusedAgain(let reason):
      findings.append(
        request.finding(.refusalRepeated, "entry \(before) is the same, and the answer was: \(reason)."))
      if case .refused(let reason) = outcome {
        sent[known].outcome = .refusedAgain(reason)
        return
      }
    case .failed:
      if sent[known].index != count - 1 {
        let others = count - 1 - sent[known].index
        findings.append(
          request.finding(
            .retryOvertaken,
            "entry \(before) failed; \(others) later \(others == 1 ? "request" : "requests") came first."
          ))
      }
    case .lost, .unknown: break
    }
    sent[known].outcome = outcome
    sent[known].index = count
    sent[known].tries += 1
    sent[known].seconds = request.seconds
  }

  /// Reports requests that were not sent again by the end. A refusal is final at once; a request that failed in the
  /// last minute may still be sent again.
  mutating func finish(end: Int64?, into findings: inout [TrafficFinding], open: inout [TrafficFinding]) {
    reportLosses(before: end.map { $0 - DeviceRules.patience } ?? .max, into: &findings)
    for index in sent.indices {
      guard let (rule, _) = sent[index].loss else { continue }
      if rule == .requestRefused {
        report(loss: index, into: &findings)
      } else {
        open.append(sent[index].request.open(rule, end: end, seconds: sent[index].seconds))
      }
    }
  }

  private mutating func reportLosses(before limit: Int64?, into findings: inout [TrafficFinding]) {
    guard let limit else { return }
    for index in sent.indices where sent[index].seconds.map({ $0 < limit }) ?? true {
      report(loss: index, into: &findings)
    }
  }

  private mutating func report(loss index: Int, into findings: inout [TrafficFinding]) {
    guard let (rule, message) = sent[index].loss else { return }
    var finding = sent[index].request
    finding.rule = rule
    finding.message = message
    if rule != .requestRefused {
      finding = finding.missing(
        sent[index].kinds, from: sent[index].seconds,
        to: sent[index].seconds.map(Absence.end))
    }
    findings.append(finding)
    sent[index].outcome = .lost
  }
}

extension DeliveryRules.Sent {
  /// The finding if the request is not sent again; nil where that is not a mistake.
  fileprivate var loss: (rule: TrafficRule, message: String)? {
    switch outcome {
    case .refused(let reason): (.requestRefused, "the answer is: \(reason).")
    case .failed(let reason, let isHidden) where tries < DeliveryRules.tries:
      (
        isHidden ? .errorTakenAsDelivered : .failureNotRetried,
        "the answer is: \(reason); the request was not sent again."
      )
    case .delivered, .refusedAgain, .failed, .lost, .unknown: nil
    }
  }
}

extension DeliveryRules.Outcome {
  fileprivate init(_ request: CheckedRequest) {
    switch request.reply {
    case nil: self = .unknown
    case .ok?: self = .delivered
    case .refused(let refusal)?: self = .refused(refusal.reason)
    case .failed(let reason)?:
      if case .response(200, _) = request.captured.answer {
        self = .failed(reason, isHidden: true)
      } else {
        self = .failed(reason, isHidden: false)
      }
    }
  }
}

extension CheckedRequest {
  /// Whether the request identifies its event.
  fileprivate var hasIdentity: Bool {
    ["utime", "umilisec", "purchase_transaction_id"].contains { sent[$0] != nil }
  }

  /// Whether an amount or a transaction identifies the event.
  fileprivate var isAboutMoney: Bool { sent["amt"] != nil || sent["purchase_transaction_id"] != nil }

  /// A hash that is equal for repetitions of a session or an event: of its kind, time and subject. For a request
  /// without a time it covers all parameters.
  fileprivate var identity: UInt64 {
    guard hasIdentity else { return content }
    let names = ["n", "utime", "umilisec", "amt", "cur", "purchase_transaction_id", "e"]
    return names.reduce(fnv1a(kind.name)) { fnv1a("\n\(sent[$1] ?? "")", after: $0) }
  }

  /// A hash of the endpoint and all parameters.
  fileprivate var content: UInt64 {
    sent.items.reduce(fnv1a(kind.name)) { fnv1a("\n\($1.name)=\($1.raw ?? "")", after: $0) }
  }
}
