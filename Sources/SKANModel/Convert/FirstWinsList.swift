import SKANBase
import SKANDevice

/// A window's list in which the first value that holds counts, and its conversion to a model, in which the highest
/// counts.
struct FirstWinsList {
  /// The values that are the first for some user, in order.
  let values: [AnalyticsSchema.Value]
  /// The region in which each of ``values`` holds.
  let regions: [ModelRegion]
  /// Remarks about values that were left out.
  let remarks: [SourceProblem]

  init(_ all: [AnalyticsSchema.Value], of window: ConversionWindow) {
    let hours = ConversionModel().hours(of: window)
    var values: [AnalyticsSchema.Value] = []
    var regions: [ModelRegion] = []
    var remarks: [SourceProblem] = []
    for value in all {
      let region = ModelRegion(value.mapping, hours: hours)
      var budget = ModelRegion.mostWork
      if region.isCovered(by: regions, &budget) {
        remarks.append(SourceProblem("left out: values before this one hold whenever it does", at: value.range))
      } else {
        values.append(value)
        regions.append(region)
      }
    }
    (self.values, self.regions, self.remarks) = (values, regions, remarks)
  }

  func fineMappings(_ problems: inout [SourceProblem]) -> [ConversionModel.FineMapping] {
    for (index, value) in values.enumerated() {
      guard let fine = value.fine else { continue }
      if values[..<index].contains(where: { $0.fine == fine }) {
        problems.append(
          SourceProblem("fine value \(fine) is given by two conversion values; a model maps it once", at: value.range))
      }
      if let other = firstOutranked(by: index, rank: { $0.fine ?? 0 }), let lower = values[other].fine {
        problems.append(
          SourceProblem(
            "fine value \(fine) can hold together with fine value \(lower) before it: here the first of them counts, in a "
              + "model the highest", at: value.range))
      }
    }
    return values.compactMap { value in
      value.fine.map { ConversionModel.FineMapping(value: $0, mapping: value.mapping) }
    }
  }

  /// - Parameter leftOut: receives the coarse values shared by several values that no single mapping can represent.
  func coarseMappings(
    _ problems: inout [SourceProblem], leftOut: inout [(value: CoarseValue, range: Range<Int>)]
  ) -> [ConversionModel.CoarseMapping] {
    let before = problems.count
    for (index, other) in outrankedCoarse {
      let coarse = values[index].coarse.map { "coarse value \($0.rawValue)" } ?? ""
      let lower = values[other].coarse.map { "coarse value \($0.rawValue)" } ?? "a value without a coarse one"
      problems.append(
        SourceProblem(
          "\(coarse) can hold together with \(lower) before it: here the first of them counts, in a model "
            + "the highest", at: values[index].range))
    }
    if problems.count > before { return [] }
    return CoarseValue.allCases.compactMap { coarse in
      guard let place = values.first(where: { $0.coarse == coarse }) else { return nil }
      if let mapping = mapping(of: coarse) { return ConversionModel.CoarseMapping(value: coarse, mapping: mapping) }
      leftOut.append((coarse, place.range))
      return nil
    }
  }

  /// The values whose coarse value is higher than that of an earlier value that can hold together with it, and this
  /// earlier value.
  var outrankedCoarse: [(index: Int, other: Int)] {
    values.indices.compactMap { index in
      values[index].coarse == nil ? nil : firstOutranked(by: index, rank: { $0.coarseRank }).map { (index, $0) }
    }
  }

  /// The first of the earlier values that this one outranks, and that is the first to hold for some user for whom both
  /// hold.
  private func firstOutranked(by index: Int, rank: (AnalyticsSchema.Value) -> Int64) -> Int? {
    (0..<index).first { other in
      guard rank(values[index]) > rank(values[other]) else { return false }
      var budget = ModelRegion.mostWork
      return !regions[index].common(with: regions[other]).isCovered(by: Array(regions[..<other]), &budget)
    }
  }

  /// A mapping that holds exactly if a value with this coarse value or a higher one does.
  private func mapping(of coarse: CoarseValue) -> ValueMapping? {
    let own = values.indices.filter { values[$0].coarse == coarse }
    let higher = values.indices.filter { values[$0].coarseRank > coarse.number }.map { regions[$0] }
    let holding = own.map { regions[$0] } + higher
    let whole = own.dropFirst().reduce(regions[own[0]]) { $0.hull(with: regions[$1]) }
    let candidates =
      own.map { (regions[$0], values[$0].mapping) } + [(whole, values[own[0]].mapping.widened(to: whole))]
    return candidates.first { region, _ in
      var budget = ModelRegion.mostWork
      return own.allSatisfy { regions[$0].isWithin(region) || regions[$0].isCovered(by: [region] + higher, &budget) }
        && region.isCovered(by: holding, &budget)
    }?.1
  }
}

extension AnalyticsSchema.Value {
  /// The rank of the coarse value; -1 if there is none.
  var coarseRank: Int64 { coarse?.number ?? -1 }
}

extension FirstWinsList {
  /// The trigger that locks exactly with the values that lock: a value that is reached or passed.
  ///
  /// - Parameter leftOut: coarse values that the model does not have.
  func lock(_ problems: inout [SourceProblem], without leftOut: [CoarseValue]) -> ConversionModel.LockTrigger? {
    guard let locked = values.first(where: \.locks) else { return nil }
    if let trigger = fineLock ?? coarseLock(without: leftOut) { return trigger }
    problems.append(
      SourceProblem(
        "a model locks once a value is reached or passed: either a higher value here does not lock, or this one has no number "
          + "above 0", at: locked.lockRange))
    return nil
  }

  private var fineLock: ConversionModel.LockTrigger? {
    guard let least = values.filter(\.locks).map({ $0.fine ?? 0 }).min(), least > 0 else { return nil }
    return values.contains { !$0.locks && $0.fine ?? 0 >= least } ? nil : .fine(least)
  }

  /// A trigger by coarse values alone.
  func coarseLock(without leftOut: [CoarseValue]) -> ConversionModel.LockTrigger? {
    let least = values.filter(\.locks).min { $0.coarseRank < $1.coarseRank }
    // A coarse value missing from the model would not lock.
    guard let least, let coarse = least.coarse, leftOut.allSatisfy({ $0.number < coarse.number }) else { return nil }
    return values.contains { !$0.locks && $0.coarseRank >= coarse.number } ? nil : .coarse(coarse)
  }
}
