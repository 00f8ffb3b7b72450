import SKANDevice
import SKANJSON

/// Units of a currency per unit of a base, which is the US dollar or the model's own currency.
package struct ExchangeRates: Sendable, Equatable {
  private var rates: [String: Double] = [:]

  /// No rates: only amounts that are in the right currency already can be used.
  package init() {}

  /// Reads `{"EUR":0.92,…}`.
  ///
  /// - Throws: every problem with its place.
  package init(_ bytes: [UInt8]) throws(SourceProblems) {
    let node = try JSONReader.readSource(bytes)
    guard case .object(let members) = node.content else {
      throw [SourceProblem("rates must be an object of currencies and numbers, this is \(node.kind)", at: node.range)]
    }
    var problems: [SourceProblem] = []
    for member in members {
      if !member.key.isCurrencyCode {
        problems.append(
          SourceProblem(
            "\(JSONWriter.quoted(member.key)) is no currency code (three capital letters)", at: member.keyRange))
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
      rates[member.key] = rate
    }
    guard problems.isEmpty else { throw SourceProblems(problems) }
  }

  /// The sum of all amounts in one currency, in the order of the table: a sum of fractions depends on it.
  func total(_ table: RevenueTable?, in target: String) throws(RateMissing) -> Double {
    guard let table else { return 0 }
    var total = 0.0
    for (currency, amount) in table.sums where amount != 0 {
      total +=
        currency.isLiterally(target)
        ? amount : amount / (try rate(of: currency, for: target)) * (rates[target] ?? 1)
    }
    return total
  }

  private func rate(of currency: String, for target: String) throws(RateMissing) -> Double {
    if let rate = rates[currency] { return rate }
    // Against dollars the dollar needs no entry.
    if currency == "USD", rates[target] != nil { return 1 }
    throw RateMissing(currency: currency)
  }
}

/// Revenue came in a currency that no rate is known for.
package struct RateMissing: Error, Sendable, Equatable {
  package var currency: String
}

extension String {
  /// Three capital letters, as ISO 4217 has them.
  package var isCurrencyCode: Bool { utf8.count == 3 && utf8.allSatisfy { (0x41...0x5A).contains($0) } }
}
