import SKANBase
import SKANDevice

/// A value that a model can give.
package enum ModelValue: Hashable, Sendable {
  case fine(Int64)
  case coarse(CoarseValue, ConversionWindow)

  /// The value in the words of a message.
  package var name: String {
    switch self {
    case .fine(let value): "fine value \(value)"
    case .coarse(let value, let window): "coarse value \(value.rawValue) of postback \(window.rawValue)"
    }
  }

  var rank: Int64 {
    switch self {
    case .fine(let value): value
    case .coarse(let value, _): value.number
    }
  }
}

/// An oddity of a valid model.
struct ModelOddity {
  var problem: SourceProblem
  /// The values that it makes unreachable, and why.
  var hidden: (values: [ModelValue], reason: String)?

  init(_ message: String, at range: Range<Int>) { problem = SourceProblem(message, at: range) }

  /// The oddity of an unreachable value.
  init(_ value: ModelValue, hiddenSince reason: String, at range: Range<Int>) {
    problem = SourceProblem("\(value.name) is never reached: \(reason)", at: range)
    hidden = ([value], reason)
  }
}

extension ConversionModel {
  /// The oddities of a valid model: values that no user can get, ladders with gaps, triggers that never fire. Each has
  /// its location in the file; they are in the order of the locations.
  package var problems: SourceProblems { SourceProblems(oddities(isWhole: true).map(\.problem)) }

  /// The values that no user can get, with the reasons.
  package var unreachable: [ModelValue: String] {
    oddities(isWhole: true).reduce(into: [:]) { all, oddity in
      for value in oddity.hidden?.values ?? [] where all[value] == nil { all[value] = oddity.hidden?.reason }
    }
  }

  /// The number of oddities reported; a generated file may have many.
  private static let most = 100

  /// - Parameter isWhole: whether all mappings could be read. Otherwise missing values are not reported, because the
  ///   file may contain them.
  func oddities(isWhole: Bool) -> [ModelOddity] {
    // Repeated values are reported here; the ladders use the first mapping of each value.
    var oddities = repeated
    let isWhole = isWhole && oddities.isEmpty
    var budget = ModelRegion.mostWork
    var cut: [ModelValue] = []
    for ladder in ladders {
      oddities += ladder.oddities(isWhole: isWhole, cut: &cut, &budget)
    }
    if !cut.isEmpty, let hours = measurementHours {
      let reason = "measurement_window_hours is \(hours), and from then on every request is refused"
      var oddity = ModelOddity("\(reason): \(Self.list(cut)) can never come", at: measurementRange)
      oddity.hidden = (cut, reason)
      oddities.append(oddity)
    }
    if isWhole, fine.isEmpty, ConversionWindow.allCases.allSatisfy({ windows[$0].coarse.isEmpty }) {
      let lock = ConversionWindow.allCases.map { windows[$0] }.first { $0.lock != nil }
      oddities.append(ModelOddity("the model has lock triggers and no values", at: lock?.lockRange ?? 0..<0))
    }
    for window in ConversionWindow.allCases {
      oddities += lockOddity(in: window, isWhole: isWhole).map { [$0] } ?? []
    }
    oddities += nameOddities
    if isWhole { oddities += contradictions }
    return Array(oddities.prefix(Self.most))
  }

  /// The hours after the first call in which a window's values can be reached.
  func hours(of window: ConversionWindow, measured: Bool = true) -> Range<Int64> {
    let start = (ConversionWindow(rawValue: window.rawValue - 1)?.end ?? 0) / 3600
    return start..<max(start, min(window.end / 3600, measured ? measurementHours ?? .max : .max))
  }

  /// The fine values, and each window's coarse values, with the first mapping of each.
  private var ladders: [ModelLadder] {
    var seen: Set<Int64> = []
    let fine = fine.filter { seen.insert($0.value).inserted }
      .map { ModelLadder.Step(.fine($0.value), $0.mapping, self, in: .p0) }
    return [ModelLadder(steps: fine)]
      + ConversionWindow.allCases.map { window in
        ModelLadder(
          steps: windows[window].coarse.map {
            ModelLadder.Step(.coarse($0.value, window), $0.mapping, self, in: window)
          })
      }
  }

  private var repeated: [ModelOddity] {
    let counts = fine.reduce(into: [:]) { $0[$1.value, default: 0] += 1 }
    var seen: [Int64: Int] = [:]
    return fine.compactMap { mapping in
      seen[mapping.value, default: 0] += 1
      guard seen[mapping.value] == 2, let count = counts[mapping.value] else { return nil }
      let times = count == 2 ? "twice" : "\(count) times"
      return ModelOddity("fine value \(mapping.value) is mapped \(times)", at: mapping.mapping.range)
    }
  }

  /// The names of values, such as `fine value 1, fine value 2 and 5 more`.
  static func list(_ values: [ModelValue]) -> String { values.map(\.name).listed(atMost: 4) }

  /// The oddity of a window's lock trigger: it never fires, or it fires before everything was measured.
  func lockOddity(in window: ConversionWindow, isWhole: Bool) -> ModelOddity? {
    guard let lock = windows[window].lock else { return nil }
    let name = "the lock trigger of postback \(window.rawValue) is"
    func oddity(_ message: String) -> ModelOddity { ModelOddity("\(name) \(message)", at: windows[window].lockRange) }
    let trigger: String
    switch lock {
    case .fine(let value):
      trigger = "fine value \(value)"
      if window != .p0 { return oddity("\(trigger), but fine values belong to postback 0") }
      if isWhole, !fine.contains(where: { $0.value == value }) {
        return oddity("\(trigger), which no mapping gives")
      }
    case .coarse(let value):
      trigger = "coarse value \(value.rawValue)"
      if isWhole, !windows[window].coarse.contains(where: { $0.value == value }) {
        return oddity("\(trigger), which the window lacks")
      }
    case .event(let name):
      trigger = "the event \(JSONWriter.quoted(name))"
      if window != .p0, SingleEvent.names.contains(name) {
        return oddity("\(trigger), which comes once, in the first window")
      }
    }
    let lost = valuesLost(to: lock, in: window)
    return lost.isEmpty ? nil : oddity("\(trigger): once it locks, \(Self.list(lost)) can no longer come")
  }

  /// The values of a window that depend on revenue, or on repeated events of the trigger, and that are lost once the
  /// window is locked.
  ///
  /// The exception of a user who reaches the trigger and such a value in one step is ignored.
  private func valuesLost(to lock: LockTrigger, in window: ConversionWindow) -> [ModelValue] {
    let hours = hours(of: window)
    func asks(_ mapping: ValueMapping) -> Bool {
      mapping.events.contains { $0.isRevenueOnly || $0.revenue != nil } && !ModelRegion(mapping, hours: hours).isEmpty
    }
    let fine = window == .p0 ? fine.sorted { $0.value < $1.value } : []
    let coarse = windows[window].coarse
    switch lock {
    case .fine(let value):
      return fine.filter { $0.value > value && asks($0.mapping) }.map { .fine($0.value) }
    case .coarse(let value):
      let standing = coarseByFine
      // The lowest fine value that implies the trigger's coarse value comes together with the trigger.
      let within = fine.filter { standing[Int($0.value)].map { $0 >= value.number } ?? false }.dropFirst()
      return within.filter { asks($0.mapping) }.map { .fine($0.value) }
        + coarse.filter { $0.value.number > value.number && asks($0.mapping) }.map { .coarse($0.value, window) }
    case .event(let name):
      func isLost(_ mapping: ValueMapping) -> Bool {
        let own = mapping.events.filter { $0.name == name }
        return own.contains { ($0.occurrence?.min ?? 1) > 1 } || own.isEmpty && asks(mapping)
      }
      return fine.filter { isLost($0.mapping) }.map { .fine($0.value) }
        + coarse.filter { isLost($0.mapping) }.map { .coarse($0.value, window) }
    }
  }

  /// Fine values that imply a lower coarse value of the first postback than a lower fine value does.
  ///
  /// A user who advances from one to the other appears worse to an advertiser who sees only coarse values. A fine value
  /// that implies no coarse value is ignored.
  var contradictions: [ModelOddity] {
    let standing = coarseByFine
    var highest: (fine: Int64, coarse: Int64)?
    var seen: Set<Int64> = []
    return fine.sorted { $0.value < $1.value }.compactMap { fine in
      guard seen.insert(fine.value).inserted, let coarse = standing[Int(fine.value)] else { return nil }
      guard let above = highest, coarse < above.coarse else {
        highest = (fine.value, coarse)
        return nil
      }
      return ModelOddity(
        "fine value \(fine.value) stands for coarse value \(Self.coarseName(coarse)) of postback 0, and the lower fine value "
          + "\(above.fine) for \(Self.coarseName(above.coarse)): the two ladders contradict each other",
        at: fine.mapping.range)
    }
  }

  private static func coarseName(_ number: Int64) -> String { CoarseValue(.integer(number))?.rawValue ?? "none" }

  /// The number of fine values from 1 to 63 that no mapping gives; 0 for a model without fine values. This is not an
  /// oddity: users without any value have 0, and most plans use fewer values.
  package var unusedFineValues: Int {
    fine.isEmpty ? 0 : 63 - Set(fine.map(\.value).filter { $0 > 0 }).count
  }

  /// Event names that violate the API reference, each reported once: an app that follows it never sends them.
  var nameOddities: [ModelOddity] {
    var seen: Set<String> = []
    let mappings = fine.map(\.mapping) + ConversionWindow.allCases.flatMap { windows[$0].coarse.map(\.mapping) }
    var names = mappings.flatMap { mapping in mapping.events.map { ($0.name, mapping.range) } }
    for window in ConversionWindow.allCases {
      if case .event(let name)? = windows[window].lock { names.append((name, windows[window].lockRange)) }
    }
    return names.filter { seen.insert($0.0).inserted }.flatMap { name, range in
      Warning.about(eventName: name).map { warning in
        let message = warning.message
        let sentence = message.prefix(1).lowercased() + message.dropFirst().dropLast()
        return ModelOddity("event \(JSONWriter.quoted(name)): \(sentence)", at: range)
      }
    }
  }
}
