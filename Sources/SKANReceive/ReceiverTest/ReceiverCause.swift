import SKANDevice
import SKANBase

/// A property shared by several deliveries, which may be the common cause of wrong answers. The text ends a sentence
/// about the answer. Of two traits that explain equally many answers the later one is chosen, because it is more
/// specific.
enum ReceiverTrait: String, CaseIterable, Sendable {
  case postback = "every postback"
  case adAttributionKit = "postbacks of AdAttributionKit"
  case knownTransaction = "a transaction id that was sent before"
  case beforeVersion4 = "postbacks before version 4.0, which have campaign-id instead of source-identifier"
  case withoutAnySource = "postbacks without source-app-id and source-domain"
  case withoutSource = "postbacks without source-app-id"
  case withoutCountry = "postbacks of AdAttributionKit without country-code"
  case withoutPublisher = "postbacks of AdAttributionKit without publisher-item-identifier"
  case withoutMarketplace = "postbacks of AdAttributionKit without marketplace-identifier"
  case withoutFineValue = "postbacks without conversion-value"
  case coarseValue = "postbacks with coarse-conversion-value"
  case laterWindow = "second and third postbacks"
  case shortIdentifier = "source identifiers with fewer than four digits"
  case notWon = "postbacks of ads that did not win"
  case atOnce = "postbacks that come at the same time"
  case notWhole = "what is not a whole postback"
  case forgery = "postbacks whose signature does not match"
}

extension TestPostback {
  /// The properties shared with other deliveries that must be accepted.
  var traits: Set<ReceiverTrait> {
    var traits: Set<ReceiverTrait> = []
    if !version.hasWindows { traits.insert(.beforeVersion4) }
    // A null field counts as present: many readers treat null as absent, but none treat an absent field as null.
    if self[.sourceAppID] == nil { traits.insert(.withoutSource) }
    if self[.sourceAppID] == nil, self[.sourceDomain] == nil { traits.insert(.withoutAnySource) }
    if self[.conversionValue] == nil { traits.insert(.withoutFineValue) }
    if case .string? = self[.coarseConversionValue] { traits.insert(.coarseValue) }
    if case .integer(1...)? = self[.sequenceIndex] { traits.insert(.laterWindow) }
    if case .string(let digits)? = self[.sourceIdentifier], digits.utf8.count < 4 { traits.insert(.shortIdentifier) }
    if self[.didWin] == .bool(false) { traits.insert(.notWon) }
    return traits
  }
}

/// Wrong answers that seem to have one cause: a trait of deliveries that were all answered wrongly, or else one
/// delivery.
package struct ReceiverCause: Sendable, JSONObjectWritable {
  /// The findings in order of the deliveries.
  package let findings: [ReceiverFinding]
  /// Nil for a single delivery.
  let trait: ReceiverTrait?

  /// A description of the deliveries with wrong answers.
  package var text: String { trait?.rawValue ?? findings[0].delivery.request }

  package var level: ReceiverDelivery.Level {
    findings.contains { $0.delivery.level == .must } ? .must : .should
  }

  /// The answer, which is equal for all findings.
  package var answer: String { findings[0].status }

  /// The delivery that determines the right answer and the reason.
  package var example: ReceiverDelivery {
    (findings.first { $0.delivery.level == level } ?? findings[0]).delivery
  }

  package static let fields = JSONFields<ReceiverCause> {
    JSONField("cause") { $0.text }
    JSONField("level") { $0.level }
    JSONField("deliveries") { $0.findings.map(\.delivery.id) }
    JSONField("answer") { $0.answer }
    JSONField("must_be") { $0.example.right }
    JSONField("why") { $0.example.why }
  }

  /// The causes of all wrong answers: those that violate Apple's documentation first, then those with more findings
  /// first.
  package static func all(of findings: [ReceiverFinding]) -> [ReceiverCause] {
    // A trait of a correctly answered delivery is not a cause. An open delivery may not have the trait for the
    // receiver, so it does not count.
    let innocent = findings.filter { $0.isEvaluated && !$0.failed && $0.delivery.open == nil }
      .reduce(into: Set<ReceiverTrait>()) { $0.formUnion($1.delivery.traits) }
    let traits = ReceiverTrait.allCases.filter { !innocent.contains($0) }
    var rest = findings.filter(\.failed)
    var causes: [ReceiverCause] = []
    while let status = rest.first?.status {
      causes += causesOfOneAnswer(rest.filter { $0.status == status }, traits)
      rest.removeAll { $0.status == status }
    }
    let sorted = causes.enumerated().sorted { one, other in
      let keys = [one, other].map { ($0.element.level == .must ? 0 : 1, -$0.element.findings.count, $0.offset) }
      return keys[0] < keys[1]
    }
    return sorted.map(\.element)
  }

  /// The traits that explain the most answers, one after another, followed by single deliveries.
  private static func causesOfOneAnswer(_ findings: [ReceiverFinding], _ traits: [ReceiverTrait]) -> [ReceiverCause] {
    var rest = findings
    var causes: [ReceiverCause] = []
    while true {
      var best: [ReceiverFinding] = []
      var cause: ReceiverTrait?
      for trait in traits {
        let explained = rest.filter { $0.delivery.traits.contains(trait) }
        if explained.count >= max(best.count, 2) { (best, cause) = (explained, trait) }
      }
      guard let cause else { return causes + rest.map { ReceiverCause(findings: [$0], trait: nil) } }
      causes.append(ReceiverCause(findings: best, trait: cause))
      rest.removeAll { $0.delivery.traits.contains(cause) }
    }
  }
}
