import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("Evaluation of a model")
struct EvaluationTests {
  /// Whether a mapping of this event holds.
  private func holds(
    _ event: String, hours: String = "", _ phone: TestHistory, rates: String = "{}"
  ) throws -> Bool {
    let model = try Models.read(Part.model(fine: [Part.fine(9, event, hours: hours)]))
    return try model.verdict(on: phone, rates: try ExchangeRates(Array(rates.utf8))).fine == 9
  }

  @Test(
    "Currencies: rates against the dollar, and against the model's own currency",
    arguments: [
      ("USD", #"{"EUR":0.5}"#, ["EUR": 1], 2), ("EUR", #"{"EUR":0.5}"#, ["USD": 4], 2),
      ("EUR", #"{"EUR":0.5,"JPY":100}"#, ["JPY": 400], 2), ("USD", #"{"EUR":0.5}"#, ["EUR": 0.5, "USD": 1], 2),
      ("EUR", #"{"USD":2}"#, ["USD": 4], 2), ("EUR", #"{"JPY":100}"#, ["JPY": 200], 2), ("JPY", "{}", ["JPY": 2], 2),
      ("USD", "{}", ["USD": 2, "EUR": 0], 2),
    ] as [(String, String, [String: Double], Double)])
  func currencies(target: String, rates: String, amounts: [String: Double], sum: Double) throws {
    for kind in ["__REVENUE__", "__IAP_REVENUE__"] {
      let exactly = Part.revenue(sum, sum + 0.001, kind, currency: target)
      #expect(try holds(exactly, .at(iap: amounts), rates: rates))
    }
    let total = try ExchangeRates(Array(rates.utf8)).total(
      RevenueTable(amounts), in: CurrencyCode(target), named: target, at: .listStart)
    #expect(total == sum)
  }

  @Test(
    "A missing rate names its currency",
    arguments: [
      ("USD", "{}", "EUR"), ("EUR", "{}", "USD"), ("USD", #"{"EUR":0.5}"#, "GBP"), ("EUR", #"{"JPY":100}"#, "USD"),
      ("USD", "{}", "usd"), ("USD", "{}", ""),
    ])
  func missingRate(target: String, rates: String, currency: String) throws {
    #expect(throws: RateMissing(currency: currency)) {
      try holds(Part.revenue(1, nil, currency: target), .at(iap: [currency: 1]), rates: rates)
    }
  }

  @Test(
    "Rates that are none",
    arguments: [
      ("[]", 1), (#"{"EUR":0}"#, 1), (#"{"EUR":-1,"usd":1}"#, 2), (#"{"EUR":"1"}"#, 1), (#"{"euro":null}"#, 2), ("", 1),
    ])
  func badRates(text: String, count: Int) {
    let problems = #expect(throws: SourceProblems.self) { try ExchangeRates(Array(text.utf8)) }
    #expect(problems?.problems.count == count)
  }
}

@Suite("Borders of revenue")
struct RevenueBorderTests {
  @Test("At a border the upper value begins, just below it the lower one still holds")
  func borders() throws {
    var generator = SplitMix64(seed: 4)
    for _ in Rounds.of(50) {
      let low = Double.random(in: 0.01..<50, using: &generator)
      let border = low + .random(in: 0.01..<50, using: &generator)
      let high = border + .random(in: 0.01..<50, using: &generator)
      let model = try Models.read(
        Part.model(fine: [Part.fine(1, Part.revenue(low, border)), Part.fine(2, Part.revenue(border, high))]))
      for (amount, fine) in [
        (low.nextDown, 0), (low, 1), (border.nextDown, 1), (border, 2), (high.nextDown, 2), (high, 0),
      ] {
        #expect(try model.verdict(on: .at(iap: ["USD": amount]), rates: ExchangeRates()).fine == Int64(fine))
      }
    }
  }
}

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

  @Test func `They agree`() throws {
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

@Suite("Values that are never reached")
struct ReachabilityTests {
  private static let hours = [(0, 48), (0, 12), (12, 48), (12, 24), (24, 48), (0, 24)]

  private func randomModel(_ generator: inout SplitMix64) throws -> ConversionModel {
    let mappings = (1...5).map { value in
      let entries = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
        let start = Int.random(in: 1...3, using: &generator)
        let name = ["a", "b"].randomElement(using: &generator) ?? "a"
        return Part.count(name, start, [nil, start, start + 1].randomElement(using: &generator) ?? nil)
      }
      let (from, to) = Self.hours.randomElement(using: &generator) ?? (0, 48)
      let hours = #""min_time_post_install_hours":\#(from),"max_time_post_install_hours":\#(to)"#
      return entries.count == 1
        ? Part.fine(value, entries[0], hours: hours) : Part.fine(value, entries[0], entries[1], hours: hours)
    }
    return try Models.read(Part.model(fine: mappings))
  }

  @Test("It is said of just those values that are never the answer")
  func allLives() throws {
    var generator = SplitMix64(seed: 8)
    var toldInAll = 0
    let rounds = Rounds.of(40).count
    for _ in 0..<rounds {
      let model = try randomModel(&generator)
      var answers: Set<Int64> = []
      for hour in [0.0, 11.9, 12, 23.9, 24, 47.9] {
        for a in 0...6 as ClosedRange<Int64> {
          for b in 0...6 as ClosedRange<Int64> {
            let phone = TestHistory.at(hours: hour, counts: ["a": a, "b": b], event: "a")
            answers.insert(try model.verdict(on: phone, rates: ExchangeRates()).fine)
          }
        }
      }
      let reported = model.problems.problems.map(\.message).filter { $0.contains("is never reached") }
      toldInAll += reported.count
      for value in 1...5 as ClosedRange<Int64> {
        let isTold = reported.contains { $0.hasPrefix("fine value \(value) is") }
        #expect(isTold == !answers.contains(value), "\(value): \(reported), \(model.fine)")
      }
    }
    #expect(toldInAll > rounds * 2 / 3)
  }
}
