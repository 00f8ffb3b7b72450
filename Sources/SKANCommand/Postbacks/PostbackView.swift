import SKANDevice
import SKANBase
import SKANRun

/// The postbacks of a phone as text and as JSON.
struct PostbackView {
  private let result: StepResult
  private let deliveries: [Delivery]
  private let signer: PostbackSigner
  private let tiers: ShownTiers

  init(_ result: StepResult, deliveries: [Delivery], signer: PostbackSigner, tiers: ShownTiers) {
    self.result = result
    self.deliveries = deliveries
    self.signer = signer
    self.tiers = tiers
  }

  /// The result of the step; its postbacks with signatures, and of the tier that is asked for.
  func shown() throws(CommandError) -> ShownResult {
    let shown = ShownResult(result)
    shown.explanation = explanation
    shown.postbacks = try postbacks(tier: oneTier)
    shown.deliveries = deliveries
    if case .all = tiers {
      var tiers: [ShownResult.Tier] = []
      for tier in 0...3 as ClosedRange<Int64> { tiers.append(ShownResult.Tier(tier, try postbacks(tier: tier))) }
      shown.tiers = tiers
    }
    return shown
  }

  private var oneTier: Int64? { if case .one(let tier) = tiers { tier } else { nil } }

  /// What the step came to, of the tier that is asked for.
  private var explanation: String {
    "\(result.device.readPostbacks(phone: result.step.device, at: result.endedAt, tier: oneTier).explanation)"
  }

  private func postbacks(tier: Int64?) throws(CommandError) -> [Postback] {
    try signer.signed(result.device.postbacks(phone: result.step.device, at: result.endedAt, tier: tier))
  }

  func lines() throws(CommandError) -> [StyledText] {
    let head: StyledText = "\("\(result.at)", .dim)  \(explanation)"
    if case .all = tiers {
      return [head]
        + PostbackTable.lines(result.device, phone: result.step.device, at: result.endedAt)
    }
    return [head] + (try postbacks(tier: oneTier)).flatMap { [""] + lines(of: $0) }
  }

  private func lines(of postback: Postback) -> [StyledText] {
    let role: TextRole? = postback.state == .sent ? .success : nil
    var first: StyledText = "\("P\(postback.sequenceIndex)", .bold)  \(postback.state.displayText, role)  "
    first.indent = 4
    first.append(postback.why)
    var lines = [first]
    guard let content = postback.content else { return lines }
    if let prepared = postback.preparedAt, let earliest = postback.earliest, let latest = postback.latest {
      lines.append("    \("prepared at \(prepared), leaves between \(earliest) and \(latest)", .dim)")
    }
    // The JSON is one word, which nothing breaks.
    lines.append("    simulated, \(signer.displayText): \(JSONWriter.text(content))")
    let attempts = deliveries.filter { $0.isOf(postback) }
    lines += attempts.map { StyledText("    \($0.displayText)", $0.hasArrived ? nil : .failure) }
    for recipient in Delivery.Recipient.allCases {
      let toOne = attempts.filter { $0.recipient == recipient }
      if toOne.count > Delivery.mostRetries, !toOne.contains(where: \.hasArrived) {
        lines.append("    \("given up: no attempt to the \(recipient.displayText) arrived", .failure)")
      }
    }
    return lines
  }
}

extension Delivery.Recipient {
  fileprivate var displayText: String { self == .network ? "ad network" : "developer" }
}

extension Delivery {
  /// One attempt in words.
  fileprivate var displayText: String { displayText(of: "") }

  /// The same of one of several phones or postbacks, which is named behind the time.
  func displayText(of name: String) -> String {
    let ending =
      switch result {
      case .answered(let status): "HTTP \(status)"
      case .failed(let displayText): displayText
      }
    return "\(at)  \(name)\(name.isEmpty ? "" : "  ")to the \(recipient.displayText) at \(url): \(ending)"
  }
}
