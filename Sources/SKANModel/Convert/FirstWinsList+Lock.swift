import SKANDevice
import SKANText

extension FirstWinsList {
  /// The trigger that locks just with the values that do: a value that is reached or passed.
  func lock(_ problems: inout [SourceProblem]) -> ConversionModel.LockTrigger? {
    guard let locked = values.first(where: \.locks) else { return nil }
    if let trigger = fineLock ?? coarseLock { return trigger }
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

  /// The same by coarse values alone.
  var coarseLock: ConversionModel.LockTrigger? {
    let least = values.filter(\.locks).min { $0.coarseRank < $1.coarseRank }
    guard let least, let coarse = least.coarse else { return nil }
    return values.contains { !$0.locks && $0.coarseRank >= coarse.number } ? nil : .coarse(coarse)
  }
}
