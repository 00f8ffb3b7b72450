import SKANDevice
import SKANBase

extension AnalyticsSchema {
  /// The same schema in the form of this program, in which not the first value that holds counts but the highest.
  ///
  /// Amounts are of the window's revenue in `currency`, and a range of amounts is half-open: Google exports the schema to its
  /// ads product in these numbers, whose form says no more.
  ///
  /// - Parameter currency: that of the property; nil only when no amount needs one.
  /// - Throws: what has no counterpart, with its location.
  package func converted(currency: String?) throws(SourceProblems) -> ConvertedModel {
    var result = ConvertedModel(model: ConversionModel())
    var problems: [SourceProblem] = []
    if !isApplied {
      result.remarks.append(
        SourceProblem("Google's SDK sets no values by this schema: applyConversionValues is false", at: range))
    }
    let earners = revenueEvents
    if let name = earners.first {
      if earners.count > 1 {
        let names = earners.map(JSONWriter.quoted).joined(separator: " and ")
        problems.append(
          SourceProblem(
            "amounts of \(names) are asked for; a model knows the window's revenue and not that of each event",
            at: amountRange ?? range))
      } else {
        result.remarks.append(
          SourceProblem(
            "amounts of \(JSONWriter.quoted(name)) are read as all revenue of the window", at: amountRange ?? range))
      }
    }
    var firstLeftOut: [CoarseValue] = []
    for window in ConversionWindow.allCases {
      guard let values = window == .p0 ? first : later[window] else { continue }
      let list = FirstWinsList(values.map { $0.paid(in: currency) }, of: window)
      result.remarks += list.remarks
      var converted = ConversionModel.WindowModel()
      var leftOut: [(value: CoarseValue, range: Range<Int>)] = []
      converted.coarse = list.coarseMappings(&problems, leftOut: &leftOut)
      converted.lock = list.lock(&problems, without: leftOut.map(\.value))
      result.remarks += leftOut.map { SourceProblem(message(leftOut: $0.value, in: window), at: $0.range) }
      if window == .p0 { firstLeftOut = leftOut.map(\.value) }
      if window == .p0 { result.model.fine = list.fineMappings(&problems) }
      result.model.windows[window] = converted
    }
    if !inherited.isEmpty {
      let list = FirstWinsList(first.map { $0.paid(in: currency) }, of: .p0)
      var windowModel = ConversionModel.WindowModel()
      windowModel.coarse = result.model.windows[.p0].coarse
      windowModel.lock = problems.isEmpty ? list.coarseLock(without: firstLeftOut) : nil
      if problems.isEmpty, windowModel.lock == nil, let locked = list.values.first(where: \.locks) {
        problems.append(
          SourceProblem(
            "window \(inherited[0].word) takes the values of window one, and this lock by a fine value has "
              + "no counterpart in it", at: locked.lockRange))
      }
      for window in inherited { result.model.windows[window] = windowModel }
    }
    if problems.isEmpty, result.model.fine.isEmpty {
      problems.append(SourceProblem("no value of the schema can ever hold", at: range))
    }
    if !problems.isEmpty { throw SourceProblems(problems) }
    return result
  }

  /// The later windows that take the values of window one.
  private var inherited: [ConversionWindow] { ConversionWindow.allCases.filter { $0 != .p0 && later[$0] == nil } }

  private func message(leftOut coarse: CoarseValue, in window: ConversionWindow) -> String {
    let words = ([window] + (window == .p0 ? inherited : [])).map(\.word)
    let windows = "window\(words.count == 1 ? "" : "s") \(words.listed())"
    return "left out: coarse value \(coarse.rawValue) of \(windows); several "
      + "conversion values give it, and no one mapping of a model holds just when one of them does. Users who have it get a "
      + "lower coarse value, or none"
  }

  /// The events whose amounts are asked for, each once.
  private var revenueEvents: [String] {
    var seen: Set<String> = []
    let values = first + ConversionWindow.allCases.flatMap { later[$0] ?? [] }
    return values.flatMap(\.mapping.events).filter { $0.revenue != nil && seen.insert($0.name).inserted }.map(\.name)
  }
}

extension AnalyticsSchema.Value {
  /// Amounts are of this currency.
  fileprivate func paid(in currency: String?) -> Self {
    var value = self
    for index in mapping.events.indices where mapping.events[index].revenue != nil {
      value.mapping.events[index].currency = currency
    }
    return value
  }
}

extension ConversionWindow {
  /// As Google Analytics counts them.
  fileprivate var word: String {
    switch self {
    case .p0: "one"
    case .p1: "two"
    case .p2: "three"
    }
  }
}
