import SKANDevice

/// What a phone did so far, as an endpoint knows it.
struct PhoneHistory {
  /// Since the first call.
  var elapsed: TimeSpan
  var window: ConversionWindow
  var revenue = WindowRevenue()
  /// The index of that event among those that are counted; nil for one that no model asks for.
  var event: Int?
  /// The fine value that the phone reports.
  var currentFine: Int64
  /// The coarse value that the request states for this window, 0-2; nil in the first window, where the fine value decides.
  var statedCoarse: Int64?
}

/// What a model says of a phone.
package struct ModelVerdict: Sendable, Equatable {
  package var fine: Int64
  package var coarse: CoarseValue?
  package var locks: Bool
  /// No mapping with this coarse value holds now: it is the one that the phone had.
  package var keepsCoarse = false
}

extension ConversionModel {
  /// Every event that some mapping or lock asks for, in order: only these need to be counted.
  package var eventNames: [String] {
    let mappings = fine.map(\.mapping) + ConversionWindow.allCases.flatMap { windows[$0].coarse.map(\.mapping) }
    let locks = ConversionWindow.allCases.compactMap { window -> String? in
      if case .event(let name)? = windows[window].lock { name } else { nil }
    }
    return Set(mappings.flatMap(\.events).filter { !$0.isRevenueOnly }.map(\.name) + locks).sorted()
  }
}

/// A conversion model made ready for answering: what its mappings look at, each thing once, and the values from the
/// highest down.
final class ModelPlan: Sendable {
  let measurementHours: Int64?
  /// What conditions look at.
  private let quantities: [Quantity]
  /// Those of conditions on revenue.
  private let currencies: [Currency]
  private let conditions: [Condition]
  /// Fine values and, for each window, coarse ones (by their numbers), the highest first.
  private let fine: [Rule]
  private let coarse: PerWindow<[Rule]>
  private let locks: PerWindow<Lock?>
  /// By fine value: the coarse value of the first window that it stands for, by its number.
  private let standing: [Int64?]
  /// The quantities that mappings ask for, by window and in the order of the file, and which of them a window has.
  private let asked: [Int]
  private let askedIn: PerWindow<Range<Int>>

  enum Quantity: Sendable, Hashable {
    /// How often the event at a position was seen in the window.
    case count(Int)
    /// The window's revenue in a currency, by its position.
    case revenue(RevenueKind, Int)
  }

  struct Condition: Sendable {
    var quantity: Int
    var range: Range

    enum Range: Sendable {
      case count(ClosedRange<Int64>)
      /// The end is not part of it.
      case revenue(from: Double, to: Double)
    }
  }

  private enum Lock: Sendable {
    case fine(Int64)
    case coarse(Int64)
    /// By its position.
    case event(Int)
  }

  /// A value, the whole hours after the first call in which it can be had (the end not among them), and its conditions.
  struct Rule: Sendable {
    var value: Int64
    var hours: Range<Int64>
    var conditions: Range<Int>
  }

  /// - Parameter events: the table by which phones' events are counted, with all that the model asks for.
  init(_ model: ConversionModel, _ events: EventNames) {
    measurementHours = model.measurementHours
    var locks = PerWindow<Lock?>(repeating: nil)
    var coarse = PerWindow<[Rule]>(repeating: [])
    var builder = Builder(events: events)
    // The fine values first, as a missing rate is reported in the order of the file.
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
  /// windows it is the current one. The coarse value is the highest of the window's that holds, and never below the one
  /// that the phone had: in the first window what its fine value stands for, in later ones what it states.
  ///
  /// - Parameter counts: of this phone's events, the one that is being answered included.
  /// - Throws: ``RateMissing`` whenever the window's mappings ask for revenue that must be converted from a currency
  ///   without a rate, also where another of their conditions would not have come to it.
  func verdict(
    on phone: borrowing PhoneHistory, _ counts: inout EventCounts, _ rates: ExchangeRates
  ) throws(RateMissing) -> ModelVerdict {
    // Without memory of its own: this is done for every request.
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

  /// - Parameter amounts: what the window's mappings ask for; the rest is not there.
  private func verdict(on phone: borrowing PhoneHistory, _ amounts: UnsafeBufferPointer<Amount>) -> ModelVerdict {
    // Divided, not multiplied: a file may hold any number of hours.
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
      let code = currencies[currency].code
      if kind != .ads {
        amount += try rates.total(phone.revenue.iap, in: code, named: currencies[currency].name)
      }
      if kind != .purchases {
        amount += try rates.total(phone.revenue.ads, in: code, named: currencies[currency].name)
      }
      return .revenue(amount)
    }
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

  /// Puts the mappings' entries together.
  struct Builder {
    let events: EventNames
    var quantities: [Quantity] = []
    var currencies: [Currency] = []
    var conditions: [Condition] = []
    var asked = PerWindow<[Int]>(repeating: [])
    private var positions: [Quantity: Int] = [:]
    private var currencyPositions: [Currency: Int] = [:]
    private var isAsked = PerWindow<Set<Int>>(repeating: [])

    init(events: EventNames) { self.events = events }

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
      // Revenue alone, without a condition, asks for any revenue at all.
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

/// Which revenue an entry of a mapping looks at.
enum RevenueKind: Sendable {
  case all, purchases, ads
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
