import SKANBase
import SKANDevice
import SKANModel

extension WorthSummary {
  /// The worths that the sums give.
  package func worth(_ request: WorthRequest) -> Worth {
    let header = backtest.header
    let all = groups.values.reduce(into: WorthTally()) { $0 += $1 }
    var shown = [Worth.Group(nil, all, header.model, request)]
    var small = 0
    if header.groupColumn != nil {
      for (name, tally) in groups.sorted(by: { $0.key.literallyPrecedes($1.key) }) {
        if tally.all.horizons[Worth.Horizon.day35.rawValue].devices < max(1, request.leastDevices) {
          small += 1
        } else {
          shown.append(Worth.Group(name, tally, header.model, request))
        }
      }
    }
    let span = backtest.input.span
    return Worth(
      currency: header.currency, model: header.model.name, modelHash: header.model.hash.hexText, seed: request.seed,
      resamples: request.resamples, shrinkBelow: request.shrinkBelow, leastDevices: request.leastDevices,
      column: header.groupColumn,
      input: Worth.Input(
        devices: all.all.horizons[Worth.Horizon.day2.rawValue].devices, from: span.map { "\($0.lowerBound)" },
        to: span.map { "\($0.upperBound)" }, until: header.until.map { "\($0)" }, smallGroups: small),
      groups: shown)
  }
}

extension Worth.Group {
  fileprivate init(
    _ name: String?, _ tally: WorthTally, _ model: BacktestHeader.ModelSummary, _ request: WorthRequest
  ) {
    let (all, maker) = (tally.all, ValueMaker(request: request))
    let fine = tally.fine.map { $0 ?? WorthCell() }
    var values: [Worth.Value] = []
    for (index, cell) in fine.enumerated() where cell.isUsed || model.fine[index].meaning != nil {
      let meaning = model.fine[index].meaning
      values.append(maker.value(fine, at: index, in: .p0, .fine, "\(index)", [2, 3], meaning))
    }
    values.append(maker.value([all], at: 0, in: .p0, .null, nil, [0], nil))
    for window in ConversionWindow.allCases {
      let cells = tally.coarse[window].map { $0 ?? WorthCell() }
      let tiers = window == .p0 ? [1] : [1, 2, 3]
      for (index, cell) in cells.enumerated() {
        let meaning = index == 0 ? nil : model.coarse[window][index - 1].meaning
        guard cell.isUsed || meaning != nil else { continue }
        let name = index == 0 ? nil : BacktestReport.coarseNames[index]
        values.append(maker.value(cells, at: index, in: window, index == 0 ? .null : .coarse, name, tiers, meaning))
      }
    }
    let first = tally.coarse[.p0].map { $0 ?? WorthCell() }
    self.init(
      name: name, values: values,
      heldOut: [(.fine, fine), (.coarse, first), (.null, [all])].map { Worth.HeldOut($0, $1, request) })
  }
}

extension WorthCell {
  fileprivate var isUsed: Bool { horizons[Worth.Horizon.day2.rawValue].devices > 0 }
}

/// Makes the worths of values.
private struct ValueMaker {
  let request: WorthRequest

  func value(
    _ cells: [WorthCell], at index: Int, in window: ConversionWindow, _ kind: Worth.Kind, _ name: String?,
    _ tiers: [Int], _ meaning: String?
  ) -> Worth.Value {
    var resampled: [Int] = []
    var spread: Worth.Spread?
    let revenue = Worth.Horizon.allCases.map { horizon in
      let estimate = WorthEstimate(
        cells.map { $0.horizons[horizon.rawValue] }, at: index, shrinkBelow: request.shrinkBelow)
      let worths = estimate.resampled(request.resamples)
      if horizon == .day35 {
        if window == .p0 { resampled = worths }
        let near = WorthEstimate.neighbors(of: index, in: cells.map { $0.horizons[horizon.rawValue].devices })
        let neighbors = near.reduce(into: RevenueSpread()) { $0 += cells[$1].spread }
        spread = Worth.Spread(cells[index].spread, neighbors, added: estimate.added, hasAmounts: window == .p0)
      }
      return Worth.Mean(
        devices: estimate.devices, mean: estimate.mean, worth: estimate.worth,
        interval: worths.middle.map { Worth.Interval(low: $0.low, high: $0.high) })
    }
    return Worth.Value(
      window: window, kind: kind, name: name, tiers: tiers, meaning: meaning, revenue: revenue, spread: spread,
      resampled: resampled)
  }
}

extension Worth.HeldOut {
  /// Decodes the devices that are held out by the worths of the others.
  fileprivate init(_ kind: Worth.Kind, _ cells: [WorthCell], _ request: WorthRequest) {
    let held = cells.map(\.heldOut)
    let fitted = cells.map { WorthSums($0.horizons[Worth.Horizon.day35.rawValue], less: $0.heldOut) }
    let all = WorthEstimate([fitted.reduce(into: WorthSums()) { $0 += $1 }], at: 0, shrinkBelow: 0)
    let others = all.resampled(request.resamples)
    var told = 0
    var toldIn = [Int](repeating: 0, count: request.resamples)
    for (index, cell) in held.enumerated() where cell.devices > 0 {
      let estimate = WorthEstimate(fitted, at: index, shrinkBelow: request.shrinkBelow)
      told.add((estimate.worth ?? all.worth ?? 0).multipliedSaturating(by: cell.devices))
      // A value that only devices held out have is worth the mean of all others.
      let worths = estimate.worth == nil ? others : estimate.resampled(request.resamples)
      for resample in worths.indices {
        toldIn[resample].add(worths[resample].multipliedSaturating(by: cell.weight(in: resample)))
      }
    }
    let revenue = held.reduce(0) { $0.adding($1.revenue) }
    let bias = Self.bias(told, revenue)
    let biases = toldIn.indices.compactMap { resample in
      Self.bias(toldIn[resample], held.reduce(0) { $0.adding($1.weighted(in: resample)) })
    }
    let middle = bias == nil ? nil : biases.middle
    self.init(
      kind: kind, devices: held.reduce(0) { $0.adding($1.devices) }, revenue: revenue, told: told, bias: bias,
      low: middle?.low, high: middle?.high)
  }

  private static func bias(_ told: Int, _ revenue: Int) -> Double? {
    revenue > 0 ? Double(told.less(revenue)) / Double(revenue) : nil
  }
}
