import SKANDevice

extension ValueLane {
  /// What the app keeps; see the article "Kept state".
  init(belief life: Life) {
    side = .app
    title = "The app keeps"
    bands = life.appBands
    hasCoarse = life.device.snippet.rules.hasCoarseValues
    emptyText = "nothing: the app has not registered"
    var steps: [Step] = []
    var values = PerWindow<Values>(repeating: .none)
    for event in life.history {
      guard let call = event.call, event.isKept, let window = life.appWindow(at: event.at) else { continue }
      var now = values[window]
      if window == .p0, let fine = call.fineValue { now.fine = fine }
      // Of the calls without a coarse value it is not known what the answer had.
      if case .updatePostbackCoarse(_, let coarse, let lock) = call, hasCoarse {
        now.coarse = coarse.map { ShownCoarse($0) }
        // The app keeps the last lock, in whole seconds.
        if lock { now.lockedAt = Life.instant(event.at.wholeSeconds) }
      }
      guard now != values[window] else { continue }
      values[window] = now
      steps.append(Step(at: event.at, window: window, values: now))
    }
    self.steps = steps + bands.corrections(from: values, to: life.kept, after: life.history.last?.at)
  }
}

extension LifeEvent {
  /// Whether the app keeps what it called Apple with.
  fileprivate var isKept: Bool {
    switch outcome {
    case .registered, .updated, .frameworkError: true
    default: false
    }
  }
}

extension Life {
  /// What the app keeps in the end.
  var kept: PerWindow<ValueLane.Values> {
    let store = device.kept
    var values = PerWindow<ValueLane.Values>(repeating: .none)
    values[.p0].fine = device.keptValue
    guard device.snippet.rules.hasCoarseValues else { return values }
    for window in ConversionWindow.allCases {
      values[window].coarse = store.coarseValue[window].map { ShownCoarse($0) }
      values[window].lockedAt = Life.instant(store.windowLock[window])
    }
    return values
  }

  /// What Apple holds in the end.
  var held: PerWindow<ValueLane.Values> { device.framework.heldValues }
}

extension AppleFramework {
  var heldValues: PerWindow<ValueLane.Values> {
    var values = PerWindow<ValueLane.Values>(repeating: .none)
    for window in ConversionWindow.allCases {
      let held = held[window]
      values[window] = ValueLane.Values(
        fine: held.fine.map(Int64.init), coarse: held.coarse.map { ShownCoarse($0) }, lockedAt: held.lockedAt)
    }
    return values
  }
}

extension [Band] {
  /// Steps to what is held in the end, where the history does not lead there: when it is not known, or began with a
  /// phone with an earlier life.
  func corrections(
    from last: PerWindow<ValueLane.Values>, to end: PerWindow<ValueLane.Values>, after moment: Instant?
  ) -> [ValueLane.Step] {
    compactMap { band in
      guard last[band.window] != end[band.window] else { return nil }
      let isUnknown = last[band.window] == .none
      let at = isUnknown ? band.start : Swift.min(Swift.max(moment ?? band.start, band.start), band.end)
      return ValueLane.Step(at: at, window: band.window, values: end[band.window], isAssumed: true)
    }
  }
}
