import SKANDevice

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
}
