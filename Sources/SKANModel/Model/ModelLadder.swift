import SKANBase
import SKANDevice

/// Distinct values, of which the highest that holds is the answer.
struct ModelLadder {
  let steps: [Step]

  /// A value and its mapping.
  struct Step {
    let value: ModelValue
    let window: ConversionWindow
    let mapping: ValueMapping
    let region: ModelRegion
    /// Whether the mapping's hours come only after the end of the measurement.
    let isCut: Bool
    /// The first hour after the value's window, if the mapping includes later ones.
    let end: Int64?

    init(_ value: ModelValue, _ mapping: ValueMapping, _ model: ConversionModel, in window: ConversionWindow) {
      self.value = value
      self.window = window
      self.mapping = mapping
      region = ModelRegion(mapping, hours: model.hours(of: window))
      isCut = !region.hasHours && ModelRegion(mapping, hours: model.hours(of: window, measured: false)).hasHours
      let end = model.hours(of: window, measured: false).upperBound
      let life = ConversionWindow.p2.end / 3600
      // An end at the end of all windows or of the measurement counts as no end.
      let late = mapping.maxHours.map { $0 > end && $0 < life && $0 != model.measurementHours }
      self.end = late == true ? end : nil
    }

    func oddity(_ message: String) -> ModelOddity { ModelOddity("\(value.name) \(message)", at: mapping.range) }

    /// The only entry of the mapping; nil if there are several or none.
    fileprivate var entry: MappedEvent? { mapping.events.count == 1 ? mapping.events[0] : nil }

    fileprivate func sharesHours(with other: Self) -> Bool {
      (mapping.minHours ?? 0) < (other.mapping.maxHours ?? .max)
        && (other.mapping.minHours ?? 0) < (mapping.maxHours ?? .max)
    }
  }

  /// - Parameters:
  ///   - isWhole: whether no value is missing.
  ///   - cut: receives the values that would be reached if the model measured longer.
  ///   - budget: the remaining number of comparisons.
  func oddities(isWhole: Bool, cut: inout [ModelValue], _ budget: inout Int) -> [ModelOddity] {
    cut += steps.filter(\.isCut).map(\.value)
    var oddities = steps.flatMap(Self.currencies)
    for step in steps where !step.isCut {
      oddities += (unreachable(step, &budget) ?? lateHours(step)).map { [$0] } ?? []
    }
    return oddities + overlaps + (isWhole ? gaps : []) + disorder
  }

  private static func currencies(_ step: Step) -> [ModelOddity] {
    var seen: Set<String> = []
    return step.mapping.events.compactMap { event in
      guard let currency = event.currency, !currency.isCurrencyCode, seen.insert(currency).inserted else { return nil }
      return step.oddity("has \(JSONWriter.quoted(currency)) for a currency: three capital letters, such as USD")
    }
  }

  /// The oddity of a value that is never the answer, because its conditions contradict each other, or because a higher
  /// value or several together hold whenever it does.
  private func unreachable(_ step: Step, _ budget: inout Int) -> ModelOddity? {
    let region = step.region
    func hidden(_ reason: String) -> ModelOddity {
      ModelOddity(step.value, hiddenSince: reason, at: step.mapping.range)
    }
    if !region.hasHours { return hidden("its hours are outside its window") }
    if region.isEmpty { return hidden("its conditions exclude each other") }
    if let event = SingleEvent.impossible(in: step.mapping, of: step.window) {
      return hidden("\(event) comes once, in the first window")
    }
    var hiding = steps.filter { $0.value.rank > step.value.rank }
    if let one = hiding.first(where: { region.isWithin($0.region) }) {
      return hidden("\(one.value.name) holds whenever it does")
    }
    guard region.isCovered(by: hiding.map(\.region), &budget) else { return nil }
    // Removes the values that are not needed to hide it.
    for position in hiding.indices.reversed() {
      let rest = hiding[..<position] + hiding[(position + 1)...]
      if region.isCovered(by: rest.map(\.region), &budget) { hiding.remove(at: position) }
    }
    return hidden("whenever it holds, \(hiding.map(\.value.name).joined(separator: " or ")) does")
  }

  /// The oddity of a mapping with hours after the end of the window.
  private func lateHours(_ step: Step) -> ModelOddity? {
    guard let end = step.end, let asked = step.mapping.maxHours else { return nil }
    let what =
      if case .fine = step.value { "fine values belong to the first \(end) hours" } else {
        "its window ends at \(end) hours"
      }
    return step.oddity("asks for hours up to \(asked), but \(what)")
  }

  private var entries: [(step: Step, event: MappedEvent)] { steps.compactMap { step in step.entry.map { (step, $0) } } }

  /// Bounded ranges of an event that overlap.
  private var overlaps: [ModelOddity] {
    var oddities: [ModelOddity] = []
    for (index, (step, event)) in entries.enumerated() {
      for (other, before) in entries[..<index] where before.isAboutSame(event) && step.sharesHours(with: other) {
        if let range = event.revenue, let earlier = before.revenue, range.overlaps(earlier) {
          oddities.append(step.oddity("overlaps \(other.value.name) in its revenue range"))
        }
        if let range = event.occurrence, let earlier = before.occurrence, event.revenue == nil, before.revenue == nil,
          range.overlaps(earlier)
        {
          oddities.append(step.oddity("overlaps \(other.value.name) in its count range"))
        }
      }
    }
    return oddities
  }

  /// Bounded ranges of an event with a gap between them.
  private var gaps: [ModelOddity] {
    var oddities: [ModelOddity] = []
    for (step, event) in entries {
      let same = entries.filter { $0.event.isAboutSame(event) && step.sharesHours(with: $0.step) }.map(\.event)
      if let end = event.revenue?.max {
        let next = same.compactMap { $0.revenue?.min }.filter { $0 >= end }.min()
        if let next, next > end, !same.contains(where: { $0.revenue?.holds(end) ?? false }) {
          oddities.append(step.oddity("leaves a gap: revenue from \(end.jsonText) to \(next.jsonText) has no value"))
        }
      }
      if event.revenue == nil, let end = event.occurrence?.max {
        let next = same.compactMap { $0.occurrence?.min }.filter { $0 > end }.min()
        if let next, next > end + 1 {
          oddities.append(step.oddity("leaves a gap: counts from \(end + 1) to \(next - 1) have no value"))
        }
      }
    }
    return oddities
  }

  /// A higher coarse value that requires less of an event than the one below it.
  private var disorder: [ModelOddity] {
    zip(steps.dropFirst(), steps).compactMap { higher, lower in
      guard case .coarse = higher.value else { return nil }
      var asked: [MappedEvent.Subject: (revenue: Double, count: Int64)] = [:]
      for event in lower.mapping.events {
        let old = asked[event.subject] ?? (0, 0)
        asked[event.subject] = (max(old.revenue, event.revenue?.min ?? 0), max(old.count, event.occurrence?.min ?? 0))
      }
      let asksLess = higher.mapping.events.contains { event in
        guard let below = asked[event.subject] else { return false }
        return (event.revenue?.min ?? 0) < below.revenue || (event.occurrence?.min ?? 0) < below.count
      }
      return asksLess ? higher.oddity("asks for less than \(lower.value.name): the ladder is not monotonic") : nil
    }
  }
}

extension MappedEvent {
  /// The event and currency of a condition.
  fileprivate struct Subject: Hashable {
    let name: String
    let currency: String
  }

  fileprivate var subject: Subject { Subject(name: name, currency: currency ?? "USD") }

  fileprivate func isAboutSame(_ other: MappedEvent) -> Bool { subject == other.subject }
}

extension RevenueCondition {
  /// Thresholds without an upper end overlap by design: the highest value counts.
  fileprivate func overlaps(_ other: RevenueCondition) -> Bool {
    guard let max, let end = other.max else { return false }
    return min < end && other.min < max
  }
}

extension OccurrenceCondition {
  fileprivate func overlaps(_ other: OccurrenceCondition) -> Bool {
    guard let max, let end = other.max else { return false }
    return min <= end && other.min <= max
  }
}

/// Events that an install has once, in its first window.
///
/// `first_open`: "the first time a user launches an app after installing or re-installing it" (Google Analytics Help,
/// "Automatically collected events"). A reinstall begins anew in every model.
enum SingleEvent {
  static let names: Set<String> = ["first_open"]

  /// An event because of which a mapping can never hold in its window.
  static func impossible(in mapping: ValueMapping, of window: ConversionWindow) -> String? {
    mapping.events.first { names.contains($0.name) && (window != .p0 || ($0.occurrence?.min ?? 1) > 1) }?.name
  }
}
