import SKANBase
import SKANDevice

/// Writes models as schemas of Google Analytics (``AnalyticsSchema``).
///
/// In a schema the first value that holds counts, so higher values come first. Window one gives coarse values and locks
/// with its fine values. Whether a schema says what the model says is not derived: it is read again and compared.
package struct AnalyticsWriter: Sendable {
  /// The limits of the API's reference (v1alpha, `ConversionValues` and `EventMapping`); names in UTF-16 units.
  private static let (mostEvents, longestName) = (3, 40)

  /// The schema's name of a model's event.
  private let names: [String: String]
  /// The model's event of a schema's name.
  private let aliases: [String: String]
  /// The currency of the property; nil if it is the only one of the model.
  private let currency: String?

  /// - Parameters:
  ///   - aliases: events of the schema, mapped to those of the model; no two of them to the same one.
  ///   - currency: the currency of the property; nil if it is the only one of the model.
  package init(aliases: [String: String], currency: String?) {
    self.aliases = aliases
    names = Dictionary(aliases.map { ($0.value, $0.key) }) { first, _ in first }
    self.currency = currency
  }

  /// The part of a model that a schema can say.
  package func reduced(_ model: ConversionModel) -> ReducedModel {
    var reduced = ReducedModel(model, to: .analytics) { obstacle($0) }
    loseCurrencies(&reduced)
    loseAmounts(&reduced)
    loseWhatReadsDifferently(&reduced, from: model)
    reduced.remarks += remarks(on: reduced.model)
    return reduced
  }

  /// The schema's text for a model that it can say.
  package func text(_ model: ConversionModel) -> String {
    JSONWriter.text(schema(of: model).json(names), layout: .file) + "\n"
  }

  private func obstacle(_ events: [MappedEvent]) -> String? {
    if events.count > Self.mostEvents {
      return "has at most \(Self.mostEvents) events for a value, here \(events.count)"
    }
    return events.lazy.compactMap { obstacle($0) }.first
  }

  private func obstacle(_ event: MappedEvent) -> String? {
    let name = names[event.name] ?? event.name
    let quoted = JSONWriter.quoted(name)
    if name == Device.sessionEventName {
      return "has no event \(name): --event-alias session_start=\(name) names the one that stands for it"
    }
    if MappedEvent(name: name).isRevenueOnly {
      return "has amounts of events, and no \(name): --event-alias EVENT=\(name) names the one that stands for it"
    }
    if name == event.name, let alias = aliases[name], alias != name {
      return "has \(quoted) for \(alias), as --event-alias says, and this is another event"
    }
    if name.utf16.count > Self.longestName {
      return "has names of at most \(Self.longestName) UTF-16 units, and \(quoted) has \(name.utf16.count)"
    }
    return event.asksForNoAmount ? "asks for an amount, and everyone has revenue from 0 on" : nil
  }

  /// Loses amounts that are not in the currency of the property.
  private func loseCurrencies(_ reduced: inout ReducedModel) {
    let used = Set(reduced.model.values.flatMap { reduced.model.currencies(of: $0) })
    let property = currency ?? (used.count == 1 ? used.first : nil)
    for value in reduced.model.values {
      let others = reduced.model.currencies(of: value).filter { $0 != property }
      guard let other = others.first else { continue }
      reduced.lose(
        .value(value),
        "has amounts in the currency of the property"
          + (property.map { ", \($0), and this is \(other)" }
            ?? ", and here are \(used.sorted().listed()): --currency CODE says which it is"))
    }
  }

  /// Loses amounts of events if they are of several: one can stand for all revenue of the window, two cannot.
  private func loseAmounts(_ reduced: inout ReducedModel) {
    let model = reduced.model
    let earners = Set(model.values.flatMap { model.earners(of: $0) }).sorted()
    guard earners.count > 1 else { return }
    for value in model.values {
      if model.earners(of: value).contains(where: { !MappedEvent(name: $0).isRevenueOnly }) {
        reduced.lose(
          .value(value),
          "has amounts of each event; those of one event can stand for the window's revenue, but here they are of "
            + earners.map { JSONWriter.quoted(names[$0] ?? $0) }.listed())
      }
    }
  }

  /// Loses what a reader of the schema would take for something else, until it reads as the model.
  ///
  /// A trigger that is left can still differ from that of the whole model, since values with which it fires are lost.
  private func loseWhatReadsDifferently(_ reduced: inout ReducedModel, from whole: ConversionModel) {
    while true {
      let (back, outranked) = Self.read(schema(of: reduced.model))
      let subjects = back.differences(from: reduced.model).map(\.subject)
      let values = reduced.model.values.filter { subjects.contains(.value($0)) }
      if let fine = values.first(where: \.isFine) {
        reduced.lose(.value(fine), Self.isHidden)
      } else if let value = outranked.first ?? values.last {
        reduced.lose(
          .value(value),
          value.window != .p0
            ? Self.isHidden
            : "gives coarse values of window one with fine values, and none of them hold exactly when this one does")
      } else if let window = ConversionWindow.allCases.first(where: { subjects.contains(.lock($0)) }) {
        reduced.lose(
          .lock(window),
          "locks with values, and with none exactly when this trigger fires\(reduced.model.lockText(window))")
      } else if let window = back.differences(from: whole).lazy.compactMap(\.subject.lockedWindow)
        .first(where: { reduced.model.windows[$0].lock != nil })
      {
        reduced.lose(
          .lock(window),
          "locks with values, and some of this trigger's values are lost\(reduced.model.lockText(window))")
      } else {
        return
      }
    }
  }

  private static let isHidden = "takes the first value that holds, and higher ones hold whenever this one does"

  /// The model that a schema reads as, and the coarse values before which lower ones can hold.
  private static func read(_ schema: AnalyticsSchema) -> (ConversionModel, outranked: [ModelValue]) {
    var model = ConversionModel()
    var outranked: [ModelValue] = []
    var problems: [SourceProblem] = []
    for window in ConversionWindow.allCases {
      let list = FirstWinsList((window == .p0 ? schema.first : schema.later[window]) ?? [], of: window)
      outranked += list.outrankedCoarse.compactMap { pair in
        list.values[pair.index].coarse.map { .coarse($0, window) }
      }
      var leftOut: [(value: CoarseValue, range: Range<Int>)] = []
      if window == .p0 { model.fine = list.fineMappings(&problems) }
      model.windows[window].coarse = list.coarseMappings(&problems, leftOut: &leftOut)
      model.windows[window].lock = list.lock(&problems, without: leftOut.map(\.value))
    }
    return (model, outranked)
  }

  private func remarks(on model: ConversionModel) -> [SourceProblem] {
    var remarks: [SourceProblem] = []
    func remark(_ message: String, at value: ModelValue?) {
      remarks.append(SourceProblem(message, at: value.flatMap { model.mapping(of: $0)?.range } ?? 0..<1))
    }
    let values = model.values
    if let value = values.first(where: { !model.currencies(of: $0).isEmpty }) {
      remark("amounts are in the currency of the property, which must be \(model.currencies(of: value)[0])", at: value)
    }
    if let value = values.first(where: { !model.earners(of: $0).isEmpty }),
      let name = model.earners(of: value).first, !MappedEvent(name: name).isRevenueOnly
    {
      remark("revenue of the window is written as amounts of \(JSONWriter.quoted(names[name] ?? name))", at: value)
    }
    let schema = schema(of: model)
    let bare = schema.first.filter { $0.coarse == nil }.compactMap(\.fine).sorted()
    if let first = bare.first {
      remark(
        "the API's reference requires a coarse value of each value, and fine value\(bare.count == 1 ? "" : "s") "
          + "\(bare.map { String($0) }.listed(atMost: 4)) of window one \(bare.count == 1 ? "has" : "have") none",
        at: .fine(first))
    }
    let empty = ConversionWindow.allCases.filter { schema.later[$0]?.isEmpty == true }
    if !empty.isEmpty {
      remark(
        "the API's reference requires a value in window\(empty.count == 1 ? "" : "s") \(empty.map(\.word).listed()), which "
          + "otherwise take\(empty.count == 1 ? "s" : "") the values of window one", at: nil)
    }
    return remarks
  }
}

extension ModelDifference.Subject {
  fileprivate var lockedWindow: ConversionWindow? { if case .lock(let window) = self { window } else { nil } }
}

extension ConversionModel {
  /// The trigger of a window in brackets, after a space.
  fileprivate func lockText(_ window: ConversionWindow) -> String {
    windows[window].lock.map { " (\($0.displayText))" } ?? ""
  }

  /// The currencies of a value's conditions on revenue.
  fileprivate func currencies(of value: ModelValue) -> [String] {
    (mapping(of: value)?.events ?? []).filter { $0.revenue != nil || $0.isRevenueOnly }
      .map { $0.currency ?? MappedEvent.defaultCurrency }
  }

  /// The names of a value's entries that ask for amounts.
  fileprivate func earners(of value: ModelValue) -> [String] {
    (mapping(of: value)?.events ?? []).filter { $0.revenue != nil }.map(\.name)
  }
}

// MARK: - The schema

extension AnalyticsWriter {
  /// The schema of a model, with the model's names of events.
  private func schema(of model: ConversionModel) -> AnalyticsSchema {
    var schema = AnalyticsSchema(range: 0..<0)
    let coarse = model.coarseByFine
    let own = model.windows[.p0]
    schema.first = model.fine.sorted { $0.value > $1.value }.map { fine in
      AnalyticsSchema.Value(
        fine.mapping, fine: fine.value, coarse: coarse[Int(fine.value)].flatMap { CoarseValue(.integer($0)) },
        lock: own.lock)
    }
    for window in [ConversionWindow.p1, .p2] {
      let part = model.windows[window]
      // A window without its own values takes those of window one, which then have neither coarse values nor a lock.
      if part.coarse.isEmpty, own.coarse.isEmpty, own.lock == nil { continue }
      schema.later[window] = part.coarse.reversed().map {
        AnalyticsSchema.Value($0.mapping, fine: nil, coarse: $0.value, lock: part.lock)
      }
    }
    return schema
  }
}

extension AnalyticsSchema.Value {
  fileprivate init(
    _ mapping: ValueMapping, fine: Int64?, coarse: CoarseValue?, lock: ConversionModel.LockTrigger?
  ) {
    let locks =
      switch lock {
      case .fine(let least)?: fine ?? -1 >= least
      case .coarse(let least)?: coarse.map { $0.number >= least.number } ?? false
      case .event?, nil: false
      }
    self.init(
      fine: fine, coarse: coarse, locks: locks, mapping: mapping, range: mapping.range, lockRange: mapping.range)
  }

  fileprivate func json(_ names: [String: String]) -> JSON {
    var members: [(String, JSON)] = []
    if let fine { members.append(("fineValue", .integer(fine))) }
    if let coarse { members.append(("coarseValue", .string("COARSE_VALUE_\(coarse.rawValue.uppercased())"))) }
    if locks { members.append(("lockEnabled", .bool(true))) }
    members.append(("eventMappings", .array(mapping.events.map { $0.analyticsJSON(names) })))
    return .object(members)
  }
}

extension AnalyticsSchema {
  fileprivate func json(_ names: [String: String]) -> JSON {
    var members: [(String, JSON)] = [("applyConversionValues", .bool(true))]
    for (window, values) in [(ConversionWindow.p0, first), (.p1, later[.p1]), (.p2, later[.p2])] {
      guard let values else { continue }
      members.append(
        (
          "postbackWindow\(window.word.capitalizedFirst)",
          .object([
            ("postbackWindowSettingsEnabled", .bool(true)), ("conversionValues", .array(values.map { $0.json(names) })),
          ])
        ))
    }
    return .object(members)
  }
}

extension MappedEvent {
  /// An event mapping; ProtoJSON has counts, which have 64 bits, as texts. One of its four limits must be set.
  fileprivate func analyticsJSON(_ names: [String: String]) -> JSON {
    var members: [(String, JSON)] = [("eventName", .string(names[name] ?? name))]
    // Amounts of an event that stands for revenue alone ask for no count.
    let isCounted = !isRevenueOnly || revenue == nil
    if isCounted { members.append(("minEventCount", .string(String(isRevenueOnly ? 1 : occurrence?.min ?? 1)))) }
    if isCounted, !isRevenueOnly, let most = occurrence?.max {
      members.append(("maxEventCount", .string(String(most))))
    }
    if let start = revenue?.min, start > 0 { members.append(("minEventValue", .amount(start))) }
    if let end = revenue?.max { members.append(("maxEventValue", .amount(end))) }
    return .object(members)
  }
}
