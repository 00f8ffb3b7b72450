import SKANDevice
import SKANBase

/// A value that a model can give.
package enum ModelValue: Hashable, Sendable {
  case fine(Int64)
  case coarse(CoarseValue, ConversionWindow)

  /// In the words of a message.
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

/// Something odd about a model that can be read.
struct ModelOddity {
  var problem: SourceProblem
  /// The values that can never come for this, and why.
  var hidden: (values: [ModelValue], reason: String)?

  init(_ message: String, at range: Range<Int>) { problem = SourceProblem(message, at: range) }

  /// A value that can never come.
  init(_ value: ModelValue, hiddenSince reason: String, at range: Range<Int>) {
    problem = SourceProblem("\(value.name) is never reached: \(reason)", at: range)
    hidden = ([value], reason)
  }
}

extension ConversionModel {
  /// What is odd about a model that can be read: values that no user can get, ladders with holes, triggers that never
  /// fire. Each with its location in the file, in the order of the locations.
  package var problems: SourceProblems { SourceProblems(oddities(isWhole: true).map(\.problem)) }

  /// The values that no user can get, and why.
  package var unreachable: [ModelValue: String] {
    oddities(isWhole: true).reduce(into: [:]) { all, oddity in
      for value in oddity.hidden?.values ?? [] where all[value] == nil { all[value] = oddity.hidden?.reason }
    }
  }

  /// How many oddities are reported; a generated file may have any number.
  private static let most = 100

  /// - Parameter isWhole: whether nothing had to be left out in reading. Else nothing is said to be missing: it may stand
  ///   in the file.
  func oddities(isWhole: Bool) -> [ModelOddity] {
    // Beyond them the ladders are those of the first mapping of each value.
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

  /// The hours after the first call in which a window's values can be had.
  func hours(of window: ConversionWindow, measured: Bool = true) -> Range<Int64> {
    let start = (ConversionWindow(rawValue: window.rawValue - 1)?.end ?? 0) / 3600
    return start..<max(start, min(window.end / 3600, measured ? measurementHours ?? .max : .max))
  }

  /// The fine values, and each window's coarse ones; of each value the first mapping.
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

  /// `fine value 1, fine value 2 and 5 more`.
  static func list(_ values: [ModelValue]) -> String {
    let names = values.prefix(4).map(\.name)
    let rest = values.count - names.count
    return rest > 0 ? "\(names.joined(separator: ", ")) and \(rest) more" : names.listed()
  }
}
