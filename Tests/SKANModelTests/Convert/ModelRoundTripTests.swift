import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

/// The law of every conversion: what is written and read again has no difference from the model, but for what is listed
/// as lost, and nothing is listed that is not a difference.
@Suite("A model that is written in another form and read again")
struct ModelRoundTripTests {
  private static let aliases = [
    "session_start": "__SESSION__", "in_app_purchase": "__REVENUE__", "store_purchase": "__IAP_REVENUE__",
  ]

  /// What is lost, after the law was checked; nil if nothing can be written.
  private func lost(_ model: ConversionModel, _ form: ModelForm, currency: String? = nil) throws -> [String]? {
    let writer = AnalyticsWriter(aliases: Self.aliases, currency: currency)
    let reduced = form == .csv ? ModelTable.reduced(model) : writer.reduced(model)
    if reduced.missing != nil { return nil }
    let text = form == .csv ? ModelTable.text(reduced.model) : writer.text(reduced.model)
    let back: ConversionModel
    if form == .csv {
      back = try #require(try? ModelTable.read(Array(text.utf8), currency: nil, hint: ""), "\(text)")
    } else {
      let events = reduced.model.values.flatMap { reduced.model.mapping(of: $0)?.events ?? [] }
      let used = events.first { $0.revenue != nil || $0.isRevenueOnly }.map { $0.currency ?? "USD" }
      let schema = try #require(try? AnalyticsSchema(Array(text.utf8)).renamingEvents(Self.aliases), "\(text)")
      back = try #require(try? schema.converted(currency: currency ?? used ?? "USD").model, "\(text)")
    }
    #expect(back.differences(from: reduced.model) == [], "\(text)")
    let differing = back.differences(from: model).map(\.name)
    let lost = reduced.losses.map { $0.subject.name }
    #expect(Set(differing) == Set(lost) && Set(lost).count == lost.count, "\(text)\n\(JSONWriter.text(model.json))")
    return lost
  }

  @Test("Every example", arguments: Models.examples)
  func examples(name: String) throws {
    let model = try Models.example(name)
    let table = try #require(try lost(model, .csv))
    let schema = try lost(model, .analytics)
    // All its values ask for ad revenue, of which no event is named here.
    if name == "ad-revenue" { return #expect(schema == nil) }
    // The examples name an app; what they have besides is in the end-to-end case.
    #expect(table.first == "app_id" && schema?.first == "app_id")
    if name == "engagement" { #expect(schema == ["app_id"]) }
  }

  @Test("Any model", arguments: [ModelForm.csv, .analytics])
  func random(form: ModelForm) throws {
    var generator = SplitMix64(seed: 42)
    var (whole, less) = (0, 0)
    for round in Rounds.of(400) {
      let model = round % 2 == 0 ? RandomModel.any(&generator) : RandomModel.ladder(&generator)
      let currency = [nil, "EUR", "USD"].randomElement(using: &generator) ?? nil
      guard let lost = try lost(model, form, currency: currency) else { continue }
      if lost.isEmpty { whole += 1 } else { less += 1 }
    }
    #expect(whole > Rounds.of(40).count && less > Rounds.of(100).count, "\(whole) \(less)")
  }
}

/// Models whose parts are drawn.
enum RandomModel {
  /// Anything, most of it odd.
  static func any(_ generator: inout SplitMix64) -> ConversionModel {
    var model = ConversionModel()
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
    if chance(20) { model.appID = "7" }
    if chance(20) { model.measurementHours = [24, 839, 840, 900].randomElement(using: &generator) }
    for _ in 0..<Int.random(in: 0...5, using: &generator) {
      let value = Int64.random(in: 0...9, using: &generator)
      model.fine.append(ConversionModel.FineMapping(value: value, mapping: mapping(&generator)))
    }
    for window in ConversionWindow.allCases {
      for value in CoarseValue.allCases where chance(40) {
        model.windows[window].coarse.append(ConversionModel.CoarseMapping(value: value, mapping: mapping(&generator)))
      }
      if chance(30) { model.windows[window].lock = lock(of: model, window, &generator) }
    }
    return model
  }

  /// Ranges or thresholds of revenue or of counts, and coarse values that stand for several of them.
  static func ladder(_ generator: inout SplitMix64) -> ConversionModel {
    var model = ConversionModel()
    let currency = ["EUR", "USD"].randomElement(using: &generator) ?? "USD"
    let isRevenue = Bool.random(using: &generator)
    let hasEnds = Bool.random(using: &generator)
    let count = Int.random(in: 2...6, using: &generator)
    let starts = [1, 2, 5, 10, 20, 50].shuffled(using: &generator).prefix(count).sorted()
    func entry(_ steps: Range<Int>) -> ValueMapping {
      let (start, end) = (
        starts[steps.lowerBound], steps.upperBound < count && hasEnds ? starts[steps.upperBound] : nil
      )
      var mapping = ValueMapping()
      mapping.events = [
        isRevenue
          ? MappedEvent(
            name: MappedEvent.allRevenue, currency: currency,
            revenue: RevenueCondition(min: Double(start), max: end.map(Double.init)))
          : MappedEvent(
            name: "__SESSION__", occurrence: OccurrenceCondition(min: Int64(start), max: end.map { Int64($0) - 1 }))
      ]
      return mapping
    }
    let values = (1...20).shuffled(using: &generator).prefix(count).sorted()
    model.fine = values.indices.map {
      ConversionModel.FineMapping(value: Int64(values[$0]), mapping: entry($0..<$0 + 1))
    }
    for window in ConversionWindow.allCases where Int.random(in: 0...3, using: &generator) > 0 {
      let cuts = (0..<count).shuffled(using: &generator).prefix(3).sorted()
      let firstValue = 3 - cuts.count
      model.windows[window].coarse = cuts.indices.map { index in
        let end = index + 1 < cuts.count ? cuts[index + 1] : count
        return ConversionModel.CoarseMapping(
          value: CoarseValue.allCases[firstValue + index], mapping: entry(cuts[index]..<end))
      }
      if Bool.random(using: &generator) { model.windows[window].lock = lock(of: model, window, &generator) }
    }
    return model
  }

  private static func lock(
    of model: ConversionModel, _ window: ConversionWindow, _ generator: inout SplitMix64
  ) -> ConversionModel.LockTrigger? {
    let triggers: [ConversionModel.LockTrigger] =
      model.fine.filter { $0.value > 0 }.map { .fine($0.value) }
      + model.windows[window].coarse.map { .coarse($0.value) } + (model.fine.count % 3 == 0 ? [.event("a")] : [])
    return triggers.randomElement(using: &generator)
  }

  private static func mapping(_ generator: inout SplitMix64) -> ValueMapping {
    var mapping = ValueMapping()
    func one<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: elements.indices, using: &generator)]
    }
    if one([true, false, false, false, false]) {
      (mapping.minHours, mapping.maxHours) = one([(nil, 24), (nil, 48), (24, nil), (50, 100), (1, 900), (nil, 900)])
    }
    for _ in 0..<one([0, 1, 1, 1, 2, 2, 4]) {
      let name = one([
        "a", "b", "a", "b", "__SESSION__", "__REVENUE__", "__IAP_REVENUE__", "__ADMON_REVENUE__", " b", "=a",
        "in_app_purchase",
      ])
      let revenue: RevenueCondition? = one([
        nil, nil, nil, RevenueCondition(min: 0, max: 2), RevenueCondition(min: 1e-7),
        RevenueCondition(min: 2, max: 4.99),
      ])
      mapping.events.append(
        MappedEvent(
          name: name, currency: one([nil, "USD", "EUR", "eur", "EUR"]), revenue: revenue,
          occurrence: one([
            nil, nil, OccurrenceCondition(min: 1), OccurrenceCondition(min: 2, max: 3),
            OccurrenceCondition(min: 1, max: 1),
          ])))
    }
    return mapping
  }
}
