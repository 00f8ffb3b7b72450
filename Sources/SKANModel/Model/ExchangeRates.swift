import SKANDevice
import SKANBase

/// Units of currencies per unit of a base, which is the US dollar or the model's own currency.
package struct ExchangeRates: Sendable, Equatable {
  /// Sorted by currency.
  private var rates: [Rate] = []

  private struct Rate: Equatable {
    var currency: CurrencyCode
    var units: Double
  }

  /// The number of problems reported; a generated file may have many.
  private static let mostProblems = 100

  /// No rates: only amounts already in the right currency can be used.
  package init() {}

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
    rates.sort { $0.currency.number < $1.currency.number }
  }

  /// The sum of all amounts in one currency. Adds in the order of the table, on which the rounding depends.
  ///
  /// - Parameters:
  ///   - target: the code of the currency, if it has the form of one.
  ///   - name: the name of the currency.
  func total(
    _ table: borrowing RevenueTable, in target: CurrencyCode?, named name: @autoclosure () -> String
  ) throws(RateMissing) -> Double {
    var total = 0.0
    for index in 0..<table.count {
      let amount = table.amount(at: index)
      if amount == 0 { continue }
      let code = table.code(at: index)
      if code == nil ? table.currency(at: index).isLiterally(name()) : code == target {
        total += amount
      } else {
        let units = units(of: target)
        // The dollar needs no rate if the target has one.
        guard let rate = self.units(of: code) ?? (code == .usd && units != nil ? 1 : nil) else {
          throw RateMissing(currency: table.currency(at: index))
        }
        total += amount / rate * (units ?? 1)
      }
    }
    return total
  }

  /// An amount in another currency, by the same rule as ``total(_:in:named:)``; nil without a rate.
  package func converted(_ amount: Double, from currency: CurrencyCode, to target: CurrencyCode) -> Double? {
    if currency == target { return amount }
    let units = units(of: target)
    guard let rate = self.units(of: currency) ?? (currency == .usd && units != nil ? 1 : nil) else { return nil }
    return amount / rate * (units ?? 1)
  }

  /// Whether the rate of a currency is known; the US dollar needs none.
  package func knows(_ currency: CurrencyCode) -> Bool { currency == .usd || units(of: currency) != nil }

  private func units(of currency: CurrencyCode?) -> Double? {
    guard let currency else { return nil }
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
