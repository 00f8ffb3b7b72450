import SKANDevice
import SKANBase

extension FirstWinsList {
  /// The trigger that locks just with the values that do: a value that is reached or passed.
  ///
  /// - Parameter leftOut: coarse values that the model does not give.
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

  /// The same by coarse values alone.
  func coarseLock(without leftOut: [CoarseValue]) -> ConversionModel.LockTrigger? {
    let least = values.filter(\.locks).min { $0.coarseRank < $1.coarseRank }
    // Whoever has one that the model does not give would not be locked.
    guard let least, let coarse = least.coarse, leftOut.allSatisfy({ $0.number < coarse.number }) else { return nil }
    return values.contains { !$0.locks && $0.coarseRank >= coarse.number } ? nil : .coarse(coarse)
  }
}
