import SKANBase
import SKANDevice

/// A phone's actions so far, as an endpoint knows them.
struct PhoneHistory {
  /// The phone's clock.
  var now: Instant
  /// The time since the first call.
  var elapsed: TimeSpan
  var window: ConversionWindow
  var revenue = WindowRevenue()
  /// The index of the current event in the table of counted events; nil if no model uses it.
  var event: Int?
  /// The fine value that the phone reports.
  var currentFine: Int64
  /// The coarse value that the request states for this window, 0–2; nil in the first window, where the fine value
  /// decides.
  var statedCoarse: Int64?
}

/// A model's values for a phone.
package struct ModelVerdict: Sendable, Equatable {
  package var fine: Int64
  package var coarse: CoarseValue?
  package var locks: Bool
  /// Whether no mapping with this coarse value holds now, and the phone keeps the one it had.
  package var keepsCoarse = false
}

extension ConversionModel {
  /// The names of all events in mappings and locks, sorted: only these need to be counted.
  package var eventNames: [String] {
    let mappings = fine.map(\.mapping) + ConversionWindow.allCases.flatMap { windows[$0].coarse.map(\.mapping) }
    let locks = ConversionWindow.allCases.compactMap { window -> String? in
      if case .event(let name)? = windows[window].lock { name } else { nil }
    }
    return Set(mappings.flatMap(\.events).filter { !$0.isRevenueOnly }.map(\.name) + locks).sorted()
  }
}

/// A conversion model prepared for answering: its quantities without duplicates, and its values from the highest down.
final class ModelPlan: Sendable {
  let measurementHours: Int64?
  /// The quantities in conditions.
  private let quantities: [Quantity]
  /// The currencies of conditions on revenue.
  private let currencies: [Currency]
  private let conditions: [Condition]
  /// Fine values and, for each window, coarse values (as numbers), the highest first.
  private let fine: [Rule]
  private let coarse: PerWindow<[Rule]>
  private let locks: PerWindow<Lock?>
  /// For each fine value, the number of the coarse value of the first window that it implies.
  private let standing: [Int64?]
  /// The quantities that mappings use, by window in the order of the file, and the range for each window.
  private let asked: [Int]
  private let askedIn: PerWindow<Range<Int>>

  enum Quantity: Sendable, Hashable {
    /// The number of times an event was seen in the window, by its index.
    case count(Int)
    /// The window's revenue in a currency, by its index.
    case revenue(RevenueKind, Int)
  }

  struct Condition: Sendable {
    var quantity: Int
    var range: Range

    enum Range: Sendable {
      case count(ClosedRange<Int64>)
      /// Half-open.
      case revenue(from: Double, to: Double)
    }
  }

  private enum Lock: Sendable {
    case fine(Int64)
    case coarse(Int64)
    /// An event, by its index.
    case event(Int)
  }

  /// A value, the half-open range of whole hours after the first call in which it can be reached, and its conditions.
  struct Rule: Sendable {
    var value: Int64
    var hours: Range<Int64>
    var conditions: Range<Int>
  }

  /// - Parameter events: the table of counted events, with all that the model uses.
  init(_ model: ConversionModel, _ events: NameIndex) {
    measurementHours = model.measurementHours
    var locks = PerWindow<Lock?>(repeating: nil)
    var coarse = PerWindow<[Rule]>(repeating: [])
    var builder = Builder(events: events)
    // Fine values first, because a missing rate is reported in the order of the file.
    let fine = model.fine.map { builder.rule($0.value, $0.mapping, in: .p0) }
    for window in ConversionWindow.allCases {
      locks[window] =
        switch model.windows[window].lock {
        case nil: nil
        case .fine(let value)?: .fine(value)
        case .coarse(let value)?: .coarse(value.number)
        case .event(let name)?: events.index(of: name).map(Lock.event)
        }
      let steps = model.windows[window].coarse.map { builder.rule($0.value.number, $0.mapping, in: window) }
      coarse[window] = steps.reversed()
    }
    self.locks = locks
    standing = model.coarseByFine
    self.fine = fine.sorted { $0.value > $1.value }
    self.coarse = coarse
    quantities = builder.quantities
    currencies = builder.currencies
    conditions = builder.conditions
    var (asked, askedIn) = ([Int](), PerWindow(repeating: 0..<0))
    for window in ConversionWindow.allCases {
      askedIn[window] = asked.count..<asked.count + builder.asked[window].count
      asked += builder.asked[window]
    }
    self.asked = asked
    self.askedIn = askedIn
  }
}

extension ModelPlan {
  /// The next value of a phone.
  ///
  /// In the first window the fine value is the highest whose mapping holds, and never below the current one; in later
  /// windows it is the current one. The coarse value is the highest of the window whose mapping holds, and never below
  /// the phone's previous one: in the first window the one that its fine value implies, in later ones the one that it
  /// states.
  ///
  /// - Parameter counts: the counts of this phone's events, including the current one.
  /// - Throws: ``RateMissing`` if the window's mappings use revenue that must be converted from a currency without a
  ///   rate, even if another condition already fails.
  func verdict(
    on phone: borrowing PhoneHistory, _ counts: inout EventCounts, _ rates: ExchangeRates
  ) throws(RateMissing) -> ModelVerdict {
    // Without allocation, because this runs for every request.
    let result = unsafe withUnsafeTemporaryAllocation(of: Amount.self, capacity: quantities.count) { amounts in
      do throws(RateMissing) {
        for position in askedIn[phone.window] {
          let index = asked[position]
          unsafe amounts.initializeElement(at: index, to: try amount(quantities[index], phone, &counts, rates))
        }
        return unsafe Result<ModelVerdict, RateMissing>.success(verdict(on: phone, UnsafeBufferPointer(amounts)))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// - Parameter amounts: initialized only for the quantities of the window.
  private func verdict(on phone: borrowing PhoneHistory, _ amounts: UnsafeBufferPointer<Amount>) -> ModelVerdict {
    // Divided and not multiplied, which could overflow: a file may have any number of hours.
    let hours = phone.elapsed.microseconds / 3_600_000_000
    var fine = phone.currentFine
    if phone.window == .p0 {
      for rule in self.fine {
        if rule.value <= fine { break }
        if unsafe holds(rule, hours, amounts) { fine = rule.value }
      }
    }
    let had = phone.window == .p0 ? standing[Int(phone.currentFine)] : phone.statedCoarse
    for rule in self.coarse[phone.window] {
      if let had, rule.value < had { break }
      guard unsafe holds(rule, hours, amounts) else { continue }
      return verdict(on: phone, fine: fine, coarse: rule.value, keepsCoarse: false)
    }
    return verdict(on: phone, fine: fine, coarse: had, keepsCoarse: had != nil)
  }

  private func verdict(
    on phone: borrowing PhoneHistory, fine: Int64, coarse: Int64?, keepsCoarse: Bool
  ) -> ModelVerdict {
    ModelVerdict(
      fine: fine, coarse: coarse.flatMap { CoarseValue(.integer($0)) }, locks: locks(phone, fine: fine, coarse: coarse),
      keepsCoarse: keepsCoarse)
  }

  private enum Amount {
    case count(Int64)
    case revenue(Double)
  }

  @inline(__always)
  private func amount(
    _ quantity: Quantity, _ phone: borrowing PhoneHistory, _ counts: inout EventCounts, _ rates: ExchangeRates
  ) throws(RateMissing) -> Amount {
    switch quantity {
    case .count(let position): return .count(counts[position, phone.window])
    case .revenue(let kind, let currency):
      var amount = 0.0
      if kind != .ads { amount += try total(phone.revenue.iap, in: currencies[currency], at: phone.now, rates) }
      if kind != .purchases { amount += try total(phone.revenue.ads, in: currencies[currency], at: phone.now, rates) }
      return .revenue(amount)
    }
  }

  @inline(__always)
  private func total(
    _ table: borrowing RevenueTable, in currency: Currency, at now: Instant, _ rates: ExchangeRates
  ) throws(RateMissing) -> Double {
    // A table usually has no sum, or one in this currency, and a call costs more than the question.
    if let code = currency.code, let amount = table.amount(only: code) { return amount }
    return table.count == 0 ? 0 : try rates.total(table, in: currency.code, named: currency.name, at: now)
  }

  private func holds(_ rule: Rule, _ hours: Int64, _ amounts: UnsafeBufferPointer<Amount>) -> Bool {
    guard rule.hours.contains(hours) else { return false }
    for index in rule.conditions {
      switch unsafe (conditions[index].range, amounts[conditions[index].quantity]) {
      case (.count(let range), .count(let count)): if !range.contains(count) { return false }
      case (.revenue(let start, let end), .revenue(let amount)): if amount < start || amount >= end { return false }
      case (.count, .revenue), (.revenue, .count): return false
      }
    }
    return true
  }

  private func locks(_ phone: borrowing PhoneHistory, fine: Int64, coarse: Int64?) -> Bool {
    switch locks[phone.window] {
    case nil: false
    case .fine(let value)?: fine >= value
    case .coarse(let value)?: coarse.map { $0 >= value } ?? false
    case .event(let position)?: position == phone.event
    }
  }

  /// Builds the rules from the entries of mappings.
  struct Builder {
    let events: NameIndex
    var quantities: [Quantity] = []
    var currencies: [Currency] = []
    var conditions: [Condition] = []
    var asked = PerWindow<[Int]>(repeating: [])
    private var positions: [Quantity: Int] = [:]
    private var currencyPositions: [Currency: Int] = [:]
    private var isAsked = PerWindow<Set<Int>>(repeating: [])

    init(events: NameIndex) { self.events = events }

    mutating func rule(_ value: Int64, _ mapping: ValueMapping, in window: ConversionWindow) -> Rule {
      let start = conditions.count
      for event in mapping.events { add(event, in: window) }
      let first = mapping.minHours ?? .min
      return Rule(
        value: value, hours: first..<max(first, mapping.maxHours ?? .max), conditions: start..<conditions.count)
    }

    private mutating func add(_ event: MappedEvent, in window: ConversionWindow) {
      if !event.isRevenueOnly {
        let occurrence = event.occurrence ?? OccurrenceCondition(min: 1)
        let range = occurrence.min...max(occurrence.min, occurrence.max ?? .max)
        if let position = events.index(of: event.name) { add(.count(position), .count(range), in: window) }
        if event.revenue == nil { return }
      }
      // An entry about revenue without a condition requires any revenue above 0.
      let revenue = event.revenue ?? RevenueCondition(min: .leastNonzeroMagnitude)
      let currency = Currency(event.currency ?? "USD")
      let position = currencyPositions[currency] ?? currencies.count
      if position == currencies.count {
        currencies.append(currency)
        currencyPositions[currency] = position
      }
      add(
        .revenue(event.revenueKind, position),
        .revenue(from: revenue.min, to: revenue.max ?? .infinity), in: window)
    }

    private mutating func add(_ quantity: Quantity, _ range: Condition.Range, in window: ConversionWindow) {
      let index = positions[quantity] ?? quantities.count
      if index == quantities.count {
        quantities.append(quantity)
        positions[quantity] = index
      }
      if isAsked[window].insert(index).inserted { asked[window].append(index) }
      conditions.append(Condition(quantity: index, range: range))
    }
  }
}

/// The kind of revenue that an entry uses.
package enum RevenueKind: Sendable {
  case all, purchases, ads
}

extension ConversionModel {
  /// The kinds of revenue that values or locks of the model depend on: purchases, ads, or both.
  package var countedRevenue: Set<RevenueKind> {
    let mappings = fine.map(\.mapping) + ConversionWindow.allCases.flatMap { windows[$0].coarse.map(\.mapping) }
    let kinds = mappings.flatMap(\.events).filter { $0.revenue != nil || $0.isRevenueOnly }.map(\.revenueKind)
    return kinds.contains(.all) ? [.purchases, .ads] : Set(kinds)
  }
}

extension MappedEvent {
  var revenueKind: RevenueKind {
    switch name {
    case Self.iapRevenue: .purchases
    case Self.adRevenue: .ads
    default: .all
    }
  }
}
