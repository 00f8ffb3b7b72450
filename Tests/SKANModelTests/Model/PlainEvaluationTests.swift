import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

/// What is said to be never reached, against all that a phone can do where everything is small.
/// A model that is evaluated mapping by mapping, as its article says.
@Suite("Any model and any phone, beside a plain evaluation")
struct PlainEvaluationTests {
  private static func holds(_ mapping: ValueMapping, _ phone: TestHistory, hours: Int64) -> Bool {
    guard hours >= mapping.minHours ?? .min, hours < mapping.maxHours ?? .max else { return false }
    return mapping.events.allSatisfy { event in
      let tables: [RevenueTable] =
        switch event.name {
        case "__IAP_REVENUE__": [phone.revenue.iap]
        case "__ADMON_REVENUE__": [phone.revenue.ads]
        default: [phone.revenue.iap, phone.revenue.ads]
        }
      // A euro is two dollars.
      let amount = tables.compactMap { $0["USD"] }.reduce(0, +) / (event.currency == "EUR" ? 2 : 1)
      let count = phone.counts[phone.window][event.name] ?? 0
      let isCounted = count >= event.occurrence?.min ?? 1 && count <= event.occurrence?.max ?? .max
      let isPaid = event.revenue.map { amount >= $0.min && amount < $0.max ?? .infinity }
      return event.isRevenueOnly ? isPaid ?? (amount > 0) : isCounted && isPaid ?? true
    }
  }

  private static func plain(_ model: ConversionModel, _ phone: TestHistory) -> ModelVerdict {
    let (window, hours) = (phone.window, phone.elapsed.microseconds / 3_600_000_000)
    var fine = phone.currentFine
    for mapping in model.fine where window == .p0 && holds(mapping.mapping, phone, hours: hours) {
      fine = max(fine, mapping.value)
    }
    let had = window == .p0 ? model.coarseByFine[Int(phone.currentFine)] : phone.statedCoarse
    let held = model.windows[window].coarse.filter { holds($0.mapping, phone, hours: hours) }.map(\.value.number).max()
    let keeps = had.map { had in held.map { $0 < had } ?? true } ?? false
    let coarse = keeps ? had : held
    let locks =
      switch model.windows[window].lock {
      case .fine(let least)?: fine >= least
      case .coarse(let least)?: coarse.map { $0 >= least.number } ?? false
      case .event(let name)?: phone.eventName == name
      case nil: false
      }
    return ModelVerdict(
      fine: fine, coarse: coarse.flatMap { CoarseValue(.integer($0)) }, locks: locks, keepsCoarse: keeps)
  }

  @Test("They agree") func theyAgree() throws {
    var generator = SplitMix64(seed: 31)
    let rates = try ExchangeRates(Array(#"{"EUR":0.5}"#.utf8))
    var verdicts: Set<String> = []
    for round in Rounds.of(150) {
      let model = round % 2 == 0 ? RandomModel.any(&generator) : RandomModel.ladder(&generator)
      // An amount in another currency that is none has no rate.
      if model.values.flatMap({ model.mappings(of: $0) }).flatMap(\.events).contains(where: { $0.currency == "eur" }) {
        continue
      }
      for _ in 0..<12 {
        let amounts = [0, 1, 2, 4, 9.98, 10, 20, 40, 100]
        func amount() -> Double { amounts.randomElement(using: &generator) ?? 0 }
        let names = ["a", "b", "__SESSION__", " b", "=a", "in_app_purchase"]
        var phone = TestHistory.at(
          hours: [0, 23, 23.99, 24, 47, 48, 50, 99, 100, 200, 700].randomElement(using: &generator) ?? 0,
          iap: ["USD": amount()], ads: ["USD": amount()],
          counts: Dictionary(uniqueKeysWithValues: names.map { ($0, Int64.random(in: 0...4, using: &generator)) }),
          event: names.randomElement(using: &generator) ?? "a", fine: .random(in: 0...9, using: &generator))
        if phone.window != .p0 { phone.statedCoarse = [nil, 0, 1, 2].randomElement(using: &generator) ?? nil }
        let verdict = try model.verdict(on: phone, rates: rates)
        #expect(verdict == Self.plain(model, phone), "\(JSONWriter.text(model.json)) \(phone)")
        verdicts.insert("\(verdict)")
      }
    }
    #expect(verdicts.count > 30)
  }
}
