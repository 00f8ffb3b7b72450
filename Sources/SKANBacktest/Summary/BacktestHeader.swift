import SKANBase
import SKANDevice
import SKANModel

/// The result of a backtest, or of a part of one.
package struct BacktestSummary: Sendable, Equatable {
  package var header: BacktestHeader
  package var input = InputTally()
  /// The tallies by value of the column of `--by`; a single group with an empty name without that option.
  package var groups: [String: GroupTally] = [:]

  /// The errors of the models in resamples; nil for one model, and if a part lacks them.
  package var resamples: ModelResamples?

  package init(_ header: BacktestHeader) {
    self.header = header
    if header.models.count > 1 { resamples = ModelResamples(models: header.models.count) }
  }

  /// The sum of all groups.
  package var total: GroupTally {
    var total = GroupTally(header)
    for group in groups.values { total += group }
    return total
  }

  /// Adds a part of the same backtest.
  package mutating func add(_ part: BacktestSummary) {
    header.mapping = header.mapping ?? part.header.mapping
    input += part.input
    for (name, group) in part.groups { add(group, to: name) }
    if let more = part.resamples { resamples? += more } else { resamples = nil }
  }

  mutating func add(_ group: GroupTally, to name: String) {
    groups[name, default: GroupTally(header)] += group
  }
}

/// The properties that parts of one backtest must share, and the texts that a report needs besides the numbers.
package struct BacktestHeader: Sendable, Equatable {
  /// The models: that of `--model`, then those of `--compare`.
  package var models: [ModelSummary]
  /// The currency of the report, ISO 4217.
  package var currency: String
  /// The end of what was observed: windows that end later do not count. Nil where there is no row.
  package var until: Instant?
  /// Whether only devices that `model fit` holds out are counted.
  package var isHeldOut = false
  /// The column whose values are the groups; nil without `--by`.
  package var groupColumn: String?
  /// A hash of all options and files that affect the numbers, except models and mapping.
  package var options: UInt64
  /// A hash of the mapping of exports; nil where none was read.
  package var mapping: UInt64?
  /// The events that the models use, in order.
  package var names: [String]

  /// The model of `--model`.
  package var model: ModelSummary { models[0] }

  /// Whether a value of a model stands for revenue.
  package var decodesRevenue: Bool {
    models.contains { model in
      (model.fine + ConversionWindow.allCases.flatMap { model.coarse[$0] }).contains { $0.decoded != nil }
    }
  }

  /// The models' names; those that several models share have a number, too.
  var modelNames: [String] {
    models.enumerated().map { index, model in
      models.count { $0.name == model.name } > 1 ? "\(model.name) (\(index + 1))" : model.name
    }
  }

  /// The description of a model in reports.
  package struct ModelSummary: Sendable, Equatable {
    /// The file's name without its folder.
    package var name: String
    /// FNV-1a (64 bits) of the file's bytes.
    package var hash: UInt64
    /// The values by fine value.
    package var fine: [Value]
    /// The values by window and number of the coarse value, 0-2.
    package var coarse: PerWindow<[Value]>
    /// A description of each window's lock trigger; nil without one.
    package var locks: PerWindow<String?>
    /// The events that the model uses, in order.
    package var events: [String]
  }

  /// A value of a model.
  package struct Value: Sendable, Equatable {
    /// The user's actions that give the value; nil when no mapping gives it.
    package var meaning: String?
    /// The decoded value, in millionths; nil for a value without a revenue range.
    package var decoded: Int?
  }
}

extension BacktestHeader.ModelSummary {
  init(_ named: BacktestModel, _ decode: DecodeTable) {
    let model = named.model
    name = named.name
    hash = named.hash
    events = Set(model.eventNames).sorted()
    fine = (0..<64).map { value in
      BacktestHeader.Value(
        meaning: model.mapping(of: .fine(Int64(value)))?.displayText, decoded: decode.fine[value])
    }
    coarse = PerWindow(repeating: [])
    locks = PerWindow(repeating: nil)
    for window in ConversionWindow.allCases {
      coarse[window] = [CoarseValue.low, .medium, .high].enumerated().map { index, value in
        BacktestHeader.Value(
          meaning: model.mapping(of: .coarse(value, window))?.displayText, decoded: decode.coarse[window][index])
      }
      locks[window] = model.windows[window].lock?.displayText
    }
  }
}

extension ConversionModel.LockTrigger {
  /// A description such as `fine value 40`.
  fileprivate var displayText: String {
    switch self {
    case .fine(let value): "fine value \(value)"
    case .coarse(let value): "coarse value \(value.rawValue)"
    case .event(let name): "the event \(name)"
    }
  }
}

/// The header in a partial result.
extension BacktestHeader {
  var json: JSON {
    .object(
      [
        ("models", .array(models.map(\.json))), ("currency", .string(currency)),
        ("until", until.map { .integer($0.microseconds) } ?? .null), ("group_column", .optional(groupColumn)),
        ("options", .string(options.hexText)),
        ("mapping", .optional(mapping?.hexText)),
        ("names", .array(names.map(JSON.string))),
      ] + (isHeldOut ? [("held_out", .bool(true))] : []))
  }

  /// Nil for any other JSON.
  init?(_ json: JSON) {
    guard let models = json["models"]?.items, !models.isEmpty, let currency = json["currency"]?.text,
      let options = json["options"]?.text.flatMap({ UInt64($0, radix: 16) }), let names = json["names"]?.items,
      let groupColumn = json["group_column"], let mapping = json["mapping"], let until = json["until"]
    else { return nil }
    if until != .null {
      guard let moment = until.number.map({ Instant(microseconds: Int64($0)) }),
        Instant.secondsRange.contains(moment.wholeSeconds)
      else { return nil }
      self.until = moment
    }
    self.models = []
    for model in models {
      guard let summary = ModelSummary(model) else { return nil }
      self.models.append(summary)
    }
    self.currency = currency
    self.options = options
    self.groupColumn = groupColumn.text
    self.mapping = mapping.text.flatMap { UInt64($0, radix: 16) }
    self.names = names.compactMap(\.text)
    isHeldOut = json["held_out"] == .bool(true)
  }
}

extension BacktestHeader.ModelSummary {
  fileprivate var json: JSON {
    .object([
      ("name", .string(name)), ("hash", .string(hash.hexText)), ("fine", .array(fine.map(\.json))),
      ("coarse", .array(ConversionWindow.allCases.map { .array(coarse[$0].map(\.json)) })),
      ("locks", .array(ConversionWindow.allCases.map { .optional(locks[$0]) })),
      ("events", .array(events.map(JSON.string))),
    ])
  }

  fileprivate init?(_ json: JSON) {
    guard let name = json["name"]?.text, let hash = json["hash"]?.text.flatMap({ UInt64($0, radix: 16) }),
      let fine = json["fine"]?.items, let coarse = json["coarse"]?.items, let locks = json["locks"]?.items,
      let events = json["events"]?.items, fine.count == 64, coarse.count == 3, locks.count == 3
    else { return nil }
    self.name = name
    self.hash = hash
    self.events = events.compactMap(\.text)
    self.fine = fine.compactMap { BacktestHeader.Value($0) }
    self.coarse = PerWindow(repeating: [])
    self.locks = PerWindow(repeating: nil)
    for window in ConversionWindow.allCases {
      let values = coarse[window.rawValue].items ?? []
      guard values.count == 3 else { return nil }
      self.coarse[window] = values.compactMap { BacktestHeader.Value($0) }
      self.locks[window] = locks[window.rawValue].text
      guard self.coarse[window].count == 3 else { return nil }
    }
    guard self.fine.count == 64 else { return nil }
  }
}

extension BacktestHeader.Value {
  /// Null for a value that no mapping gives.
  fileprivate var json: JSON {
    meaning.map { .array([.string($0), decoded.map { .integer(Int64($0)) } ?? .null]) } ?? .null
  }

  /// - Returns: nil for an amount that no model has.
  fileprivate init?(_ json: JSON) {
    let items = json.items ?? []
    meaning = items.first?.text
    decoded = items.count > 1 ? items[1].number : nil
    if let decoded, !CountedUnit.money.range.contains(decoded) { return nil }
  }
}

extension JSON {
  var number: Int? { if case .integer(let number) = self { Int(exactly: number) } else { nil } }
  /// The items of an array of integers; nil for any other value.
  var numbers: [Int]? {
    guard let items else { return nil }
    let numbers = items.compactMap(\.number)
    return numbers.count == items.count ? numbers : nil
  }
}

extension BacktestHeader {
  /// The reason why two parts cannot be added up; nil if they can.
  package func difference(from other: BacktestHeader) -> String? {
    if model.hash != other.model.hash { return "their models differ" }
    if models.map(\.hash) != other.models.map(\.hash) { return "they are compared with different models" }
    if groupColumn != other.groupColumn { return "they are grouped by different columns" }
    if currency != other.currency { return "their currencies differ (\(currency) and \(other.currency))" }
    if until != other.until {
      let ends = [until, other.until].map { $0.map { "\($0)" } ?? "no row" }
      return "they go to different times (\(ends[0]) and \(ends[1]))"
    }
    if let mapping, let otherMapping = other.mapping, mapping != otherMapping {
      return "their exports are read differently"
    }
    // Models with the same bytes have the same values. A part without rows has no mapping.
    return options == other.options && names == other.names ? nil : "their options or rates differ"
  }
}
