import SKANDevice
import SKANBase

/// Units of currencies per unit of a base, which is the US dollar or the model's own currency: at all times, or by UTC
/// day.
package struct ExchangeRates: Sendable, Equatable {
  private let table: Table

  private enum Table: Equatable {
    /// Sorted by currency.
    case always([Rate])
    case byDay(DailyRates)
  }

  private struct Rate: Equatable {
    var currency: CurrencyCode
    var units: Double
  }

  /// The number of problems reported; a generated file may have many.
  private static let mostProblems = 100

  /// No rates: only amounts already in the right currency can be used.
  package init() { table = .always([]) }

  init(_ daily: DailyRates) { table = .byDay(daily) }

  /// The rates by day; nil if they are the same at all times.
  private var daily: DailyRates? { if case .byDay(let daily) = table { daily } else { nil } }

  /// Whether the rates differ by day.
  package var isDaily: Bool { daily != nil }

  /// Reads `{"EUR":0.92,…}`.
  ///
  /// - Throws: every problem with its location.
  package init(_ bytes: [UInt8]) throws(SourceProblems) {
    let node: JSONNode
    do throws(JSONError) {
      node = try JSONReader.read(bytes, dialect: .file)
    } catch {
      throw [SourceProblem(error)]
    }
    guard case .object(let members) = node.content else {
      throw [SourceProblem("rates must be an object of currencies and numbers, this is \(node.kind)", at: node.range)]
    }
    var problems: [SourceProblem] = []
    var rates: [Rate] = []
    for member in members where problems.count < Self.mostProblems {
      let currency = CurrencyCode(member.key)
      if currency == nil {
        problems.append(
          SourceProblem(
            "\(JSONWriter.quoted(member.key)) is not a currency code (three capital letters)", at: member.keyRange))
      }
      let rate: Double? =
        switch member.value.content {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
      guard let rate, rate > 0 else {
        problems.append(
          SourceProblem("a rate must be a number above 0, this is \(member.value.briefly)", at: member.value.range))
        continue
      }
      if let currency { rates.append(Rate(currency: currency, units: rate)) }
    }
    guard problems.isEmpty else { throw SourceProblems(problems) }
    table = .always(rates.sorted { $0.currency.number < $1.currency.number })
  }

  /// The sum of all amounts in one currency. Adds in the order of the table, on which the rounding depends.
  ///
  /// - Parameters:
  ///   - target: the code of the currency, if it has the form of one.
  ///   - name: the name of the currency.
  ///   - time: the time of the conversion.
  func total(
    _ table: borrowing RevenueTable, in target: CurrencyCode?, named name: @autoclosure () -> String, at time: Instant
  ) throws(RateMissing) -> Double {
    var total = 0.0
    for index in 0..<table.count {
      let amount = table.amount(at: index)
      if amount == 0 { continue }
      let code = table.code(at: index)
      if code == nil ? table.currency(at: index).isLiterally(name()) : code == target {
        total += amount
      } else {
        let units = units(of: target, at: time)
        // The dollar needs no rate if the target has one.
        guard let rate = self.units(of: code, at: time) ?? (code == .usd && units != nil ? 1 : nil) else {
          throw RateMissing(currency: table.currency(at: index))
        }
        let converted = amount / rate * (units ?? 1)
        if converted.isNaN { throw RateMissing(currency: table.currency(at: index)) }
        total += converted
      }
    }
    return total
  }

  /// An amount in another currency, by the same rule as ``total(_:in:named:at:)``; nil without a rate.
  ///
  /// - Parameter time: nil for an amount that belongs to no day, for which rates by day have no rate.
  package func converted(
    _ amount: Double, from currency: CurrencyCode, to target: CurrencyCode, at time: Instant?
  ) -> Double? {
    if currency == target { return amount }
    let units = units(of: target, at: time)
    guard let rate = self.units(of: currency, at: time) ?? (currency == .usd && units != nil ? 1 : nil) else {
      return nil
    }
    let converted = amount / rate * (units ?? 1)
    return converted.isNaN ? nil : converted
  }

  /// Whether the rate of a currency is known, at least on some days; the US dollar needs none.
  package func knows(_ currency: CurrencyCode) -> Bool { currency == .usd || units(of: currency, at: nil) != nil }

  /// The days around a time that have no rate of a currency that has one on other days; nil otherwise.
  package func gap(of currency: CurrencyCode, at time: Instant) -> RateGap? { daily?.gap(of: currency, at: time) }

  /// What there is no rate for when an amount cannot be converted: its currency, and the days of rates by day.
  package func missing(from currency: CurrencyCode, to target: CurrencyCode, at time: Instant) -> String {
    if let gap = gap(of: currency, at: time) { return "\(currency.name) \(gap.text)" }
    if let gap = gap(of: target, at: time) { return "\(currency.name) (\(target.name) has no rate \(gap.text))" }
    return currency.name
  }

  /// NaN if there are rates of the currency by day, and none at this time.
  private func units(of currency: CurrencyCode?, at time: Instant?) -> Double? {
    guard let currency else { return nil }
    let rates: [Rate]
    switch table {
    case .byDay(let daily): return daily.units(of: currency, at: time)
    case .always(let all): rates = all
    }
    var range = 0..<rates.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      if rates[middle].currency == currency { return rates[middle].units }
      range =
        rates[middle].currency.number < currency.number
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }
}

/// There is no rate for the currency of some revenue.
package struct RateMissing: Error, Sendable, Equatable {
  package var currency: String
}

/// A currency named by a model.
struct Currency: Sendable, Hashable {
  let name: String
  let code: CurrencyCode?

  init(_ name: String) {
    self.name = name
    code = CurrencyCode(name)
  }
}
