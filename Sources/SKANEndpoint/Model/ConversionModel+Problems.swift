import SKANDevice
import SKANJSON

extension ConversionModel {
  /// What is odd about a model that can be read: values that no user can get, ladders with holes, triggers that never
  /// fire. Each with its place in the file, in the order of the places.
  package var problems: SourceProblems { SourceProblems(oddities(isWhole: true)) }

  /// The same.
  ///
  /// - Parameter isWhole: whether nothing had to be left out in reading. Else nothing is said to be missing: it may stand
  ///   in the file.
  func oddities(isWhole: Bool) -> [SourceProblem] {
    var problems: [SourceProblem] = []
    problems += twice
    let fineSteps = fine.map {
      Step(name: "fine value \($0.value)", rank: $0.value, mapping: $0.mapping, hours: hours(of: .p0))
    }
    problems += Self.ladderProblems(fineSteps, isWhole: isWhole)
    for window in ConversionWindow.allCases {
      let model = windows[window]
      let steps = model.coarse.map { step in
        Step(
          name: "coarse value \(step.value.rawValue) of postback \(window.rawValue)", rank: step.value.number,
          mapping: step.mapping, hours: hours(of: window))
      }
      problems += Self.ladderProblems(steps, isWhole: isWhole) + Self.orderProblems(steps)
      problems += lockProblem(model, window, isWhole: isWhole).map { [$0] } ?? []
    }
    return problems
  }

  /// A value of a ladder and what it asks for.
  fileprivate struct Step {
    let name: String
    let rank: Int64
    let mapping: ValueMapping
    let region: ModelRegion

    init(name: String, rank: Int64, mapping: ValueMapping, hours: Range<Int64>) {
      self.name = name
      self.rank = rank
      self.mapping = mapping
      region = ModelRegion(mapping, hours: hours)
    }

    func problem(_ words: String) -> SourceProblem { SourceProblem("\(name) \(words)", at: mapping.range) }
  }

  /// The hours after the first call in which a window's values can be had.
  func hours(of window: ConversionWindow) -> Range<Int64> {
    let start = (ConversionWindow(rawValue: window.rawValue - 1)?.end ?? 0) / 3600
    return start..<max(start, min(window.end / 3600, measurementHours ?? .max))
  }

  private var twice: [SourceProblem] {
    fine.indices.compactMap { index in
      fine[..<index].contains { $0.value == fine[index].value }
        ? SourceProblem("fine value \(fine[index].value) is mapped twice", at: fine[index].mapping.range) : nil
    }
  }

  private static func ladderProblems(_ steps: [Step], isWhole: Bool) -> [SourceProblem] {
    let entries = steps.flatMap { step in step.mapping.events.count == 1 ? [(step, step.mapping.events[0])] : [] }
    return steps.flatMap { currencyProblems($0) } + steps.compactMap { unreachable($0, among: steps) }
      + overlaps(entries) + (isWhole ? gaps(entries) : [])
  }

  private static func currencyProblems(_ step: Step) -> [SourceProblem] {
    step.mapping.events.compactMap { event in
      guard let currency = event.currency, !currency.isCurrencyCode else { return nil }
      return step.problem("has \(JSONWriter.quoted(currency)) for a currency: three capital letters, such as USD")
    }
  }

  /// A value is never the answer when what it asks for cannot be, or when a higher one holds whenever it does, the same
  /// one or several in turn.
  private static func unreachable(_ step: Step, among steps: [Step]) -> SourceProblem? {
    let region = step.region
    if !region.hasHours { return step.problem("is never reached: its hours are outside its window") }
    if region.isEmpty { return step.problem("is never reached: what it asks for cannot be together") }
    var hiding = steps.filter { $0.rank > step.rank }
    if let one = hiding.first(where: { region.isCovered(by: [$0.region]) }) {
      return step.problem("is never reached: \(one.name) holds whenever it does")
    }
    guard region.isCovered(by: hiding.map(\.region)) else { return nil }
    // Those without which it would be reached.
    for place in hiding.indices.reversed() {
      let rest = hiding[..<place] + hiding[(place + 1)...]
      if region.isCovered(by: rest.map(\.region)) { hiding.remove(at: place) }
    }
    return step.problem("is never reached: whenever it holds, \(hiding.map(\.name).joined(separator: " or ")) does")
  }

  /// Bounded ranges of one event that share amounts.
  private static func overlaps(_ entries: [(Step, MappedEvent)]) -> [SourceProblem] {
    var problems: [SourceProblem] = []
    for (index, (step, event)) in entries.enumerated() {
      for (other, before) in entries[..<index] where before.isAboutSame(event) && step.sharesHours(with: other) {
        if let range = event.revenue, let earlier = before.revenue, range.overlaps(earlier) {
          problems.append(step.problem("overlaps \(other.name) in its revenue range"))
        }
        if let range = event.occurrence, let earlier = before.occurrence, event.revenue == nil, before.revenue == nil,
          range.overlaps(earlier)
        {
          problems.append(step.problem("overlaps \(other.name) in its count range"))
        }
      }
    }
    return problems
  }

  /// Bounded ranges of one event that leave some amounts out.
  private static func gaps(_ entries: [(Step, MappedEvent)]) -> [SourceProblem] {
    var problems: [SourceProblem] = []
    for (step, event) in entries {
      let same = entries.filter { $0.1.isAboutSame(event) && step.sharesHours(with: $0.0) }.map(\.1)
      if let end = event.revenue?.max {
        let next = same.compactMap { $0.revenue?.min }.filter { $0 >= end }.min()
        if let next, next > end, !same.contains(where: { $0.revenue?.holds(end) ?? false }) {
          problems.append(step.problem("leaves a gap: revenue from \(end.jsonText) to \(next.jsonText) has no value"))
        }
      }
      if event.revenue == nil, let end = event.occurrence?.max {
        let next = same.compactMap { $0.occurrence?.min }.filter { $0 > end }.min()
        if let next, next > end + 1 {
          problems.append(step.problem("leaves a gap: counts from \(end + 1) to \(next - 1) have no value"))
        }
      }
    }
    return problems
  }

  /// A higher coarse value that asks for less than a lower one of the same event.
  private static func orderProblems(_ steps: [Step]) -> [SourceProblem] {
    var problems: [SourceProblem] = []
    for (higher, lower) in zip(steps.dropFirst(), steps) {
      for event in higher.mapping.events {
        for other in lower.mapping.events where other.isAboutSame(event) {
          let asksLess =
            (event.revenue?.min ?? 0) < (other.revenue?.min ?? 0)
            || (event.occurrence?.min ?? 0) < (other.occurrence?.min ?? 0)
          if asksLess {
            problems.append(higher.problem("asks for less than \(lower.name): the ladder is not monotonic"))
          }
        }
      }
    }
    return problems
  }

  private func lockProblem(_ model: WindowModel, _ window: ConversionWindow, isWhole: Bool) -> SourceProblem? {
    let name = "the lock trigger of postback \(window.rawValue)"
    switch model.lock {
    case .fine(let value) where window != .p0:
      return SourceProblem("\(name) is fine value \(value), but fine values belong to postback 0", at: model.lockRange)
    case .fine(let value) where isWhole && !fine.contains { $0.value == value }:
      return SourceProblem("\(name) is fine value \(value), which no mapping gives", at: model.lockRange)
    case .coarse(let value) where isWhole && !model.coarse.contains { $0.value == value }:
      return SourceProblem("\(name) is coarse value \(value.rawValue), which the window lacks", at: model.lockRange)
    default: return nil
    }
  }
}

extension ConversionModel.Step {
  fileprivate func sharesHours(with other: Self) -> Bool {
    (mapping.minHours ?? 0) < (other.mapping.maxHours ?? .max)
      && (other.mapping.minHours ?? 0) < (mapping.maxHours ?? .max)
  }
}

extension MappedEvent {
  fileprivate func isAboutSame(_ other: MappedEvent) -> Bool {
    name == other.name && (currency ?? "USD") == (other.currency ?? "USD")
  }
}

extension RevenueCondition {
  /// Ladders of thresholds without an upper end are meant to overlap: the highest wins.
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
