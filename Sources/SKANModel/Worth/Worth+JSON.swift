import SKANBase
import SKANDevice

/// The file of worths, with its keys in this order.
extension Worth: JSONObjectWritable {
  private static let format: Int64 = 1
  /// The most resamples.
  package static let mostResamples = 10_000

  package static let fields = JSONFields<Worth> {
    JSONField("format", as: .integer(format...format)) { _ in format }
    JSONField("currency") { $0.currency }
    JSONField("model") { $0.model }
    JSONField("model_hash") { $0.modelHash }
    JSONField("seed", as: .integer(0...Int64.max)) { Int64(clamping: $0.seed) }
    JSONField("resamples", as: .integer(20...Int64(mostResamples))) { $0.resamples }
    JSONField("shrink_below", as: .count) { $0.shrinkBelow }
    JSONField("least_devices", as: .count) { $0.leastDevices }
    JSONField("by") { $0.column }
    JSONField("input", object: Input.fields) { $0.input }
    JSONField("worth", list: Group.fields) { $0.groups }
  }
}

extension Worth.Input {
  fileprivate static let fields = JSONFields<Self> {
    JSONField("devices") { $0.devices }
    JSONField("from") { $0.from }
    JSONField("to") { $0.to }
    JSONField("until") { $0.until }
    JSONField("small_groups") { $0.smallGroups }
  }
}

extension Worth.Group {
  fileprivate static let fields = JSONFields<Self> {
    JSONField("group") { $0.name }
    JSONField("values", list: Worth.Value.fields) { $0.values }
    JSONField("held_out", list: Worth.HeldOut.fields) { $0.heldOut }
  }
}

extension Worth.Value {
  fileprivate static let fields = JSONFields<Self> {
    JSONField("window", as: .integer(0...2)) { $0.window.rawValue }
    JSONField("kind") { $0.kind }
    JSONField("value") { $0.name }
    JSONField("tiers", as: .list(.integer(0...3))) { $0.tiers }
    JSONField("meaning") { $0.meaning }
    Worth.Horizon.allCases.map { horizon in JSONField<Self>(horizon.key, object: Worth.Mean.fields) { $0[horizon] } }
    JSONField("deviation_micros", as: JSONForm.count.orNull) { $0.spread?.deviation }
    JSONField("skewness") { $0.spread?.skewness }
    JSONField("top_1_percent") { $0.spread?.topShare }
    JSONField("distribution", list: Worth.Amount.fields) { $0.spread?.amounts ?? [] }
    JSONField("resampled_micros", as: .list(.integer)) { $0.resampled }
  }
}

extension Worth.Mean {
  fileprivate static let fields = JSONFields<Self> {
    JSONField("devices") { $0.devices }
    JSONField("mean_micros", as: JSONForm.integer.orNull) { $0.mean }
    JSONField("worth_micros", as: JSONForm.integer.orNull) { $0.worth }
    JSONField("low_micros", as: JSONForm.integer.orNull) { $0.interval?.low }
    JSONField("high_micros", as: JSONForm.integer.orNull) { $0.interval?.high }
  }
}

extension Worth.Amount {
  fileprivate static let fields = JSONFields<Self> {
    JSONField("weight") { $0.weight }
    JSONField("revenue_micros", as: .integer) { $0.revenue }
  }
}

extension Worth.HeldOut {
  fileprivate static let fields = JSONFields<Self> {
    JSONField("kind") { $0.kind }
    JSONField("devices") { $0.devices }
    JSONField("revenue_micros", as: .integer) { $0.revenue }
    JSONField("told_micros", as: .integer) { $0.told }
    JSONField("bias") { $0.bias }
    JSONField("bias_low") { $0.low }
    JSONField("bias_high") { $0.high }
  }
}

// MARK: - Reading

extension Worth {
  /// Reads a file of worths.
  ///
  /// - Throws: all problems of the file.
  package init(_ bytes: [UInt8]) throws(SourceProblems) {
    var reader = JSONObjectReader(
      try JSONReader.readSource(bytes), what: "a file of worths", known: JSONKeys(Self.fields.names))
    let format = reader.require("format", reader.integer("format"))
    if let format, format != Self.format {
      reader.complain("this file has format \(format): make it with this version of skan", about: "format")
    }
    let currency = reader.require("currency", reader.string("currency"))
    let model = reader.require("model", reader.string("model"))
    let hash = reader.require("model_hash", reader.string("model_hash"))
    let seed = reader.require("seed", reader.integer("seed", in: 0 ... .max))
    let resamples = reader.require("resamples", reader.integer("resamples", in: 20...Int64(Self.mostResamples)))
    let shrinkBelow = reader.require("shrink_below", reader.count("shrink_below"))
    let leastDevices = reader.require("least_devices", reader.count("least_devices"))
    let column = reader.isNull("by") ? nil : reader.string("by")
    let input = reader.require("input", reader.node("input").flatMap { Input($0, in: &reader) })
    let groups = reader.items("worth") { Group($0, resamples: Int(resamples ?? 0), in: &$1) }
    if reader.problems.isEmpty, groups.first?.name != nil || groups.isEmpty {
      reader.complain("the first of \"worth\" must be of all devices, with \"group\" null")
    }
    guard reader.problems.isEmpty, let currency, let model, let hash, let seed, let resamples, let shrinkBelow,
      let leastDevices, let input
    else { throw SourceProblems(reader.problems) }
    self.init(
      currency: currency, model: model, modelHash: hash, seed: UInt64(seed), resamples: Int(resamples),
      shrinkBelow: shrinkBelow, leastDevices: leastDevices, column: column, input: input, groups: groups)
  }
}

extension JSONObjectReader {
  /// Money and counts are within this, so that sums of them do not overflow.
  fileprivate static let money: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

  fileprivate mutating func count(_ key: JSONKey) -> Int? {
    integer(key, in: 0...Self.money.upperBound).map { Int($0) }
  }

  fileprivate mutating func money(_ key: JSONKey) -> Int? { integer(key, in: Self.money).map { Int($0) } }

  fileprivate mutating func moneyOrNull(_ key: JSONKey) -> Int? { isNull(key) ? nil : money(key) }
}

extension Worth.Input {
  fileprivate init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "the input", known: JSONKeys(Self.fields.names))
    let devices = reader.require("devices", reader.count("devices"))
    let smallGroups = reader.require("small_groups", reader.count("small_groups"))
    func text(_ key: JSONKey) -> String? { reader.isNull(key) ? nil : reader.string(key) }
    let (from, to, until) = (text("from"), text("to"), text("until"))
    outer.add(reader.problems)
    guard let devices, let smallGroups else { return nil }
    self.init(devices: devices, from: from, to: to, until: until, smallGroups: smallGroups)
  }
}

extension Worth.Group {
  fileprivate init?(_ node: JSONNode, resamples: Int, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "a group of worths", known: JSONKeys(Self.fields.names))
    let name = reader.isNull("group") ? nil : reader.string("group")
    let values = reader.items("values") { Worth.Value($0, resamples: resamples, in: &$1) }
    let heldOut = reader.items("held_out") { Worth.HeldOut($0, in: &$1) }
    self.init(name: name, values: values, heldOut: heldOut)
    if reader.problems.isEmpty, value(.null, nil, tier: 0)?[.day35].worth == nil {
      reader.complain("a group needs the worth of a null of tier 0 to day 35, that of all its devices")
    }
    outer.add(reader.problems)
  }
}

extension Worth.Value {
  fileprivate init?(_ node: JSONNode, resamples: Int, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "a worth", known: JSONKeys(Self.fields.names))
    let window = reader.require("window", reader.integer("window", in: 0...2))
      .flatMap { ConversionWindow(rawValue: Int($0)) }
    let kind = reader.require(
      "kind", reader.read("kind", "one of fine, coarse, null") { $0.text.flatMap(Worth.Kind.init(rawValue:)) })
    let name = reader.isNull("value") ? nil : reader.string("value")
    let tiers = reader.items("tiers") { node, _ -> Int? in
      if case .integer(let tier) = node.content, (0...3).contains(tier) { Int(tier) } else { nil }
    }
    let meaning = reader.isNull("meaning") ? nil : reader.string("meaning")
    let revenue = Worth.Horizon.allCases.compactMap { horizon in
      let key = JSONKey(horizon.key)
      return reader.require(key, reader.node(key).flatMap { Worth.Mean($0, in: &reader) })
    }
    let deviation = reader.isNull("deviation_micros") ? nil : reader.count("deviation_micros")
    let skewness = reader.isNull("skewness") ? nil : reader.number("skewness")
    let topShare = reader.isNull("top_1_percent") ? nil : reader.number("top_1_percent")
    let resampled = reader.items("resampled_micros") { node, reader -> Int? in
      if case .integer(let money) = node.content, JSONObjectReader.money.contains(money) { return Int(money) }
      reader.add([SourceProblem("a worth must be a whole number of millionths", at: node.range)])
      return nil
    }
    let amounts = reader.items("distribution") { Worth.Amount($0, in: &$1) }
    let hasWorth = revenue.count == Worth.Horizon.allCases.count && revenue[Worth.Horizon.day35.rawValue].worth != nil
    if reader.problems.isEmpty, resampled.count != (window == .p0 && hasWorth ? resamples : 0) {
      reader.complain(
        "there must be a worth of each of the \(resamples) resamples, these are \(resampled.count)",
        about: "resampled_micros")
    }
    outer.add(reader.problems)
    guard reader.problems.isEmpty, let window, let kind else { return nil }
    self.init(
      window: window, kind: kind, name: name, tiers: tiers, meaning: meaning, revenue: revenue,
      spread: deviation.map {
        Worth.Spread(deviation: $0, skewness: skewness ?? 0, topShare: topShare, amounts: amounts)
      },
      resampled: resampled)
  }
}

extension Worth.Mean {
  fileprivate init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "a mean", known: JSONKeys(Self.fields.names))
    let devices = reader.require("devices", reader.count("devices"))
    let (mean, worth) = (reader.moneyOrNull("mean_micros"), reader.moneyOrNull("worth_micros"))
    let (low, high) = (reader.moneyOrNull("low_micros"), reader.moneyOrNull("high_micros"))
    outer.add(reader.problems)
    guard let devices else { return nil }
    let interval = low.flatMap { low in high.map { Worth.Interval(low: low, high: $0) } }
    self.init(devices: devices, mean: mean, worth: worth, interval: interval)
  }
}

extension Worth.Amount {
  /// The weights of a value's amounts are below this, so that their sum does not overflow.
  private static let most: Int64 = 1 << 53

  fileprivate init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "an amount", known: JSONKeys(Self.fields.names))
    let weight = reader.require("weight", reader.integer("weight", in: 1...Self.most))
    let revenue = reader.require("revenue_micros", reader.money("revenue_micros"))
    outer.add(reader.problems)
    guard let weight, let revenue else { return nil }
    self.init(weight: Int(weight), revenue: revenue)
  }
}

extension Worth.HeldOut {
  fileprivate init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "a held-out error", known: JSONKeys(Self.fields.names))
    let kind = reader.require(
      "kind", reader.read("kind", "one of fine, coarse, null") { $0.text.flatMap(Worth.Kind.init(rawValue:)) })
    let devices = reader.require("devices", reader.count("devices"))
    let revenue = reader.require("revenue_micros", reader.money("revenue_micros"))
    let told = reader.require("told_micros", reader.money("told_micros"))
    func number(_ key: JSONKey) -> Double? { reader.isNull(key) ? nil : reader.number(key) }
    let (bias, low, high) = (number("bias"), number("bias_low"), number("bias_high"))
    outer.add(reader.problems)
    guard let kind, let devices, let revenue, let told else { return nil }
    self.init(kind: kind, devices: devices, revenue: revenue, told: told, bias: bias, low: low, high: high)
  }
}
