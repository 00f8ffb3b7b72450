import SKANBase
import SKANDevice
import SKANModel
import SKANSigning

/// What the installs of each campaign are worth: `skan report --worth`.
///
/// A campaign's revenue to day 35 is the sum of the worths of its installs' first postbacks. Postbacks of later windows
/// tell of installs that have been counted, and cannot be joined to them. Redownloads and re-engagements are not valued:
/// worths are of new users.
package struct CampaignReport: Sendable {
  package let kind: ReportTable.Kind
  package let worth: Worth
  /// The shares of installs with tiers 0 to 3; nil if not given.
  package let tiers: [Double]?
  package private(set) var rows: [Row] = []
  package private(set) var total = Row()
  /// Redownloads and re-engagements, which have no worth.
  package private(set) var unvalued = 0
  /// Installs with a value that no device of the export has; each counts like one without a value.
  package private(set) var unknownValues = 0
  /// The number of apps whose postbacks are counted.
  package private(set) var apps = 0
  /// The estimated days of the installs, since 1970.
  package private(set) var days: ClosedRange<Int>?
  /// The days of the costs; nil without them.
  package private(set) var costDays: ClosedRange<Int>?
  package var hasSpend: Bool { costDays != nil }

  package struct Row: Sendable, Equatable {
    package var network = ""
    /// The id of the campaign map, or else the identifier of postbacks.
    package var campaign = ""
    package var name = ""
    /// Installs that are known to be the campaign's.
    package var installs = 0
    /// Its share of those that show only digits that several campaigns have.
    package var shared = 0.0
    /// Installs without a value, and the part of the revenue that is theirs, in millionths.
    package var nulls = 0.0
    package var nullRevenue = 0
    /// The name of the group whose worths are used; nil for those of all devices.
    package var group: String?
    /// The revenue to day 35 and its interval, in millionths.
    package var revenue = 0
    package var low = 0
    package var high = 0
    /// The standard deviations because of the worths and because of the campaign's own users, in millionths.
    package var byWorth = 0
    package var byUsers = 0
    /// In millionths; nil without costs.
    package var cost: Int?
    /// The best and the worst place that the interval allows, from 1.
    package var places = 1...1

    package var users: Double { Double(installs) + shared }
    package var costPerInstall: Int? { cost.flatMap { users > 0 ? Int((Double($0) / users).rounded()) : nil } }
    /// Revenue by cost, and the ends of its interval.
    package var returns: (middle: Double, low: Double, high: Double)? {
      guard let cost, cost > 0 else { return nil }
      return (Double(revenue) / Double(cost), Double(low) / Double(cost), Double(high) / Double(cost))
    }
    package var perInstall: (middle: Double, low: Double, high: Double)? {
      users > 0 ? (Double(revenue) / users, Double(low) / users, Double(high) / users) : nil
    }
    /// Whether another campaign may have a better or a worse place.
    package var isDistinguishable: Bool { places.count == 1 }
  }
}

extension CampaignReport {
  private struct Leaf: Hashable {
    let network: String
    let campaign: String
  }

  /// What is counted together.
  private struct Source: Hashable {
    let network: String
    let identifier: String
    let value: Int
  }

  /// - Returns: nil if no installs were verified by this kind of key.
  package init?(
    _ report: PostbackReport, _ kind: ReportTable.Kind, _ worth: Worth, tiers: [Double]?, _ spend: SpendTable?
  ) {
    (self.kind, self.worth, self.tiers) = (kind, worth, tiers)
    var counts: [Source: Int] = [:]
    var names: [Leaf: Set<String>] = [:]
    var apps: Set<String> = []
    report.forEach { key, tally in
      let postback = report.postbacks[Int(tally.first.postback)]
      guard ReportTable.Kind(key) == kind, postback.isConversion else { return }
      guard !postback.isRedownload, !postback.isReEngagement else { return unvalued += 1 }
      let identifier = postback.mappedID.isEmpty ? postback.campaign : postback.mappedID
      let network = postback.network.lowercased()
      if !postback.mappedName.isEmpty {
        names[Leaf(network: network, campaign: identifier), default: []].insert(postback.mappedName)
      }
      apps.insert(postback.app)
      counts[Source(network: network, identifier: identifier, value: Self.value(of: postback)), default: 0] += 1
      let received = Instant(microseconds: tally.first.receivedAt)
      if let day = ReportDate.estimatedInstallDate.day(of: postback, receivedAt: received, by: key.clock).map(Int.init)
      {
        days = days.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
      }
    }
    self.apps = apps.count
    if counts.isEmpty { return nil }
    let groups = worth.groups.compactMap { CampaignItems($0, tiers: tiers, resamples: worth.resamples) }
    // A file of worths has those of a null in each group.
    if groups.count < worth.groups.count { return nil }
    var (sums, known) = ([Leaf: [Source: Double]](), [Leaf: Int]())
    for (network, sources) in Dictionary(grouping: counts.keys, by: \.network) {
      let sizes = Dictionary(grouping: sources, by: \.identifier).mapValues { $0.reduce(0) { $0 + (counts[$1] ?? 0) } }
      let tree = CampaignTree(sizes)
      for source in sources {
        for part in tree.campaigns(of: source.identifier) {
          let leaf = Leaf(network: network, campaign: part.campaign)
          sums[leaf, default: [:]][source] = part.share
          if part.share == 1 { known[leaf, default: 0] += counts[source] ?? 0 }
        }
      }
    }
    var whole = CampaignSums()
    for (leaf, parts) in sums.sorted(by: { ($0.key.network, $0.key.campaign) < ($1.key.network, $1.key.campaign) }) {
      var row = Row()
      let given = names[leaf] ?? []
      (row.network, row.campaign) = (leaf.network, leaf.campaign)
      row.name = given.count == 1 ? given.first ?? "" : ""
      row.installs = known[leaf] ?? 0
      let group =
        worth.groups.dropFirst().firstIndex { group in [row.campaign, row.name].contains { group.name == $0 } } ?? 0
      row.group = worth.groups[group].name
      var sum = CampaignSums()
      for (source, share) in parts.sorted(by: { ($0.key.value, $0.key.identifier) < ($1.key.value, $1.key.identifier) })
      {
        let (count, item) = (counts[source] ?? 0, groups[group].index(of: source.value))
        sum.add(Double(count), CampaignSums.Key(item: item, share: share))
        // Each postback counts once among all, in parts.
        whole.add(Double(count) * share, CampaignSums.Key(item: group * CampaignItems.count + item, share: 1))
        if share < 1 { row.shared += Double(count) * share }
        if source.value == CampaignItems.null {
          row.nulls += Double(count) * share
          row.nullRevenue += Int((Double(count) * share * groups[group].items[item].mean).rounded())
        }
      }
      let seed = fnv1a("\(leaf.network)\n\(leaf.campaign)") ^ worth.seed
      row.take(sum.result(groups[group].items, resamples: worth.resamples, seed: seed))
      rows.append(row)
    }
    for (source, count) in counts {
      let isUnknown = groups[0].index(of: source.value) != source.value
      if isUnknown { unknownValues += count }
      if source.value == CampaignItems.null { total.nulls += Double(count) }
      total.installs += count
    }
    total.nullRevenue = rows.reduce(0) { $0 + $1.nullRevenue }
    total.take(whole.result(groups.flatMap(\.items), resamples: worth.resamples, seed: worth.seed))
    if let spend { add(spend) }
    rank()
  }

  /// The number of a postback's value, see ``CampaignItems``.
  private static func value(of postback: ReportedPostback) -> Int {
    if let fine = postback.fine { return CampaignItems.fine(fine) }
    return postback.coarse.map { CampaignItems.coarse($0.index) } ?? CampaignItems.null
  }

  private mutating func add(_ spend: SpendTable) {
    for row in rows.indices { rows[row].cost = 0 }
    var more: [Leaf: Int] = [:]
    for cost in spend.rows {
      costDays = costDays.map { min($0.lowerBound, cost.day)...max($0.upperBound, cost.day) } ?? cost.day...cost.day
      let ofNetwork = rows.indices.filter { rows[$0].network == cost.network }
      let named = ofNetwork.filter { rows[$0].name == cost.campaign }
      let index = ofNetwork.first { rows[$0].campaign == cost.campaign } ?? (named.count == 1 ? named.first : nil)
      if let index {
        rows[index].cost = (rows[index].cost ?? 0) + cost.cost
      } else {
        more[Leaf(network: cost.network, campaign: cost.campaign), default: 0] += cost.cost
      }
    }
    for (leaf, cost) in more {
      var row = Row()
      (row.network, row.campaign, row.cost) = (leaf.network, leaf.campaign, cost)
      rows.append(row)
    }
    total.cost = spend.rows.reduce(0) { $0 + $1.cost }
  }

  /// Sorts the campaigns, and finds the places that their intervals allow. Those without a cost or installs come last.
  private mutating func rank() {
    let hasSpend = hasSpend
    func measure(_ row: Row) -> (middle: Double, low: Double, high: Double)? { hasSpend ? row.returns : row.perInstall }
    rows.sort { one, two in
      switch (measure(one), measure(two)) {
      case (let left?, let right?) where left.middle != right.middle: return left.middle > right.middle
      case (.some, nil): return true
      case (nil, .some): return false
      default: return (one.network, one.campaign) < (two.network, two.campaign)
      }
    }
    let measured = rows.compactMap(measure)
    let (lows, highs) = (measured.map(\.low).sorted(), measured.map(\.high).sorted())
    for index in rows.indices {
      guard let own = measure(rows[index]) else {
        rows[index].places = min(measured.count + 1, rows.count)...rows.count
        continue
      }
      // Those that are certainly better, and certainly worse.
      let better = lows.count - lows.partition(after: own.high)
      let worse = highs.partition(from: own.low)
      rows[index].places = (better + 1)...(measured.count - worse)
    }
  }
}

extension [Double] {
  /// How many numbers of a sorted list are below a number.
  fileprivate func partition(from number: Double) -> Int { partition { $0 < number } }

  /// How many numbers of a sorted list are not above a number.
  fileprivate func partition(after number: Double) -> Int { partition { $0 <= number } }

  private func partition(_ isBefore: (Double) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension CampaignReport.Row {
  fileprivate mutating func take(_ result: CampaignSums.Result) {
    func micros(_ number: Double) -> Int { Int(Swift.min(Swift.max(number, -9e18), 9e18).rounded()) }
    (revenue, low, high) = (micros(result.revenue), micros(result.low), micros(result.high))
    (byWorth, byUsers) = (micros(result.byWorth), micros(result.byUsers))
  }
}

/// The worths of a group by the number of a value: 0 for none, then 64 fine values and three coarse ones.
private struct CampaignItems {
  static let null = 0
  static let count = 68

  static func fine(_ value: Int) -> Int { 1 + value }

  static func coarse(_ index: Int) -> Int { 65 + index }

  let items: [CampaignSums.Item]
  private let isKnown: [Bool]

  /// - Parameter tiers: the shares of tiers 0 to 3 among the installs; nil if a null is worth the mean of all devices.
  init?(_ group: Worth.Group, tiers: [Double]?, resamples: Int) {
    guard let all = group.value(.null, nil, tier: 0) else { return nil }
    let none = CampaignSums.Item(all, or: group.value(.null, nil, tier: 1), tiers: tiers, resamples: resamples)
    let coarse: [CoarseValue] = [.low, .medium, .high]
    let values = (0..<64).map { group.value(.fine, "\($0)") } + coarse.map { group.value(.coarse, $0.rawValue) }
    let known = values.map { $0.flatMap { CampaignSums.Item($0, resamples: resamples) } }
    items = [none] + known.map { $0 ?? none }
    isKnown = [true] + known.map { $0 != nil }
  }

  /// The index of a value's worth; that of a null if no device has it.
  func index(of value: Int) -> Int { isKnown[value] ? value : Self.null }
}

extension CampaignSums.Item {
  /// - Parameter parts: values, each with its part of the users, whose sum is 1.
  private init(_ parts: [(value: Worth.Value, part: Double)], resamples: Int) {
    let means = parts.map { Double($0.value[.day35].worth ?? 0) }
    let mean = zip(parts, means).reduce(0) { $0 + $1.0.part * $1.1 }
    var (second, third, weights, amounts) = (0.0, 0.0, [UInt64](), [Double]())
    for (index, (value, part)) in parts.enumerated() {
      let (deviation, distance) = (Double(value.spread?.deviation ?? 0), means[index] - mean)
      let (own, cube) = (deviation * deviation, (value.spread?.skewness ?? 0) * deviation * deviation * deviation)
      second += part * (own + distance * distance)
      third += part * (cube + 3 * distance * own + distance * distance * distance)
      let all = value.spread?.amounts ?? []
      let whole = all.reduce(0) { $0 + Double($1.weight) }
      for amount in all {
        // In 2^40ths, so that the parts of several values have common weights.
        let weight =
          parts.count == 1 ? Double(amount.weight) : (Double(amount.weight) / whole * part * 0x1p40).rounded()
        weights.append((weights.last ?? 0) + UInt64(weight))
        amounts.append(Double(amount.revenue))
      }
    }
    let resampled = (0..<resamples).map { resample in
      parts.reduce(0) { $0 + $1.part * Double($1.value.resampled[resample]) }
    }
    if weights.last ?? 0 == 0 { (weights, amounts) = ([1], [mean]) }
    self.init(mean: mean, second: second, third: third, resampled: resampled, weights: weights, amounts: amounts)
  }

  /// Nil for a value without a worth.
  fileprivate init?(_ value: Worth.Value, resamples: Int) {
    guard value[.day35].worth != nil, value.resampled.count == resamples else { return nil }
    self.init([(value, 1)], resamples: resamples)
  }

  /// A null is a user with tier 0, any of them, or one with tier 1 and no coarse value.
  ///
  /// - Parameter tiers: the shares of tiers 0 to 3 among the installs; nil if a null is worth the mean of all devices.
  fileprivate init(_ all: Worth.Value, or withoutCoarse: Worth.Value?, tiers: [Double]?, resamples: Int) {
    var parts = [(value: all, part: 1.0)]
    if let tiers, let withoutCoarse, withoutCoarse.resampled.count == resamples, all[.day35].devices > 0 {
      let share = tiers[1] * Double(withoutCoarse[.day35].devices) / Double(all[.day35].devices)
      let whole = tiers[0] + share
      if share > 0 { parts = [(all, tiers[0] / whole), (withoutCoarse, share / whole)].filter { $0.part > 0 } }
    }
    self.init(parts, resamples: resamples)
  }
}
