import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

/// A converted schema against the rule of Google Analytics itself, on all users where everything is small.
@Suite("A converted schema evaluates like its source")
struct FirstWinsPropertyTests {
  /// An event mapping of the schema; only of the event "a" amounts are asked for.
  private struct Entry {
    var name: String
    var counts: (Int?, Int?)
    var sums: (Double?, Double?)

    func holds(_ user: User) -> Bool {
      let count = user.counts[name] ?? 0
      return count >= counts.0 ?? 1 && count <= counts.1 ?? .max && (sums.0.map { user.revenue >= $0 } ?? true)
        && (sums.1.map { user.revenue < $0 } ?? true)
    }

    var text: String { Schema.event(name, count: counts, value: sums) }
  }

  private struct Value {
    var fine: Int
    var coarse: String?
    var locks: Bool
    var entries: [Entry]
  }

  private struct User {
    var counts: [String: Int]
    var revenue: Double
  }

  private static func random(_ generator: inout SplitMix64) -> [Value] {
    let isSorted = Int.random(in: 0...9, using: &generator) > 1
    let count = Int.random(in: 1...4, using: &generator)
    var fines = (1...9).shuffled(using: &generator).prefix(count).map { $0 }
    if isSorted { fines.sort(by: >) }
    let ranks = (0..<count).map { _ in Int.random(in: -1...2, using: &generator) }.sorted(by: >)
    let locked = Int.random(in: 0...count, using: &generator)
    return (0..<count).map { index in
      let entries = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
        let name = ["a", "b"].randomElement(using: &generator) ?? "a"
        let start = [nil, 1, 2, 3].randomElement(using: &generator) ?? nil
        let length = [nil, 0, 1].randomElement(using: &generator) ?? nil
        let sums: [(Double?, Double?)] = name == "a" ? [(nil, nil), (1, nil), (1, 2), (nil, 2), (2, 4)] : [(nil, nil)]
        return Entry(
          name: name, counts: (start, length.map { $0 + (start ?? 1) }),
          sums: sums.randomElement(using: &generator) ?? (nil, nil))
      }
      let coarse = ranks[index] < 0 ? nil : ["LOW", "MEDIUM", "HIGH"][ranks[index]]
      return Value(fine: fines[index], coarse: coarse, locks: index < locked, entries: entries)
    }
  }

  private static let users: [User] = (0...5).flatMap { a in
    (0...5).flatMap { b in
      [0, 0.5, 1, 1.5, 2, 3, 4, 9].map { User(counts: ["a": a, "b": b], revenue: $0) }
    }
  }

  @Test("Whatever converts gives every user what the first value that holds gives")
  func firstWins() throws {
    var generator = SplitMix64(seed: 15)
    var (converted, coarse, locks, inherited, less) = (0, 0, 0, 0, 0)
    let rounds = Rounds.of(40).count
    for _ in 0..<rounds {
      let values = Self.random(&generator)
      let isInherited = Bool.random(using: &generator)
      let texts = values.map { value in
        #"{"fineValue":\#(value.fine),"# + (value.coarse.map { #""coarseValue":"COARSE_VALUE_\#($0)","# } ?? "")
          + #""lockEnabled":\#(value.locks),"eventMappings":[\#(value.entries.map(\.text).joined(separator: ","))]}"#
      }
      let own = #"{"postbackWindowSettingsEnabled":true,"conversionValues":[]}"#
      let text = Schema.text(texts, two: isInherited ? nil : own, three: own)
      guard let schema = try? AnalyticsSchema(Array(text.utf8)),
        let result = try? schema.converted(currency: "USD")
      else { continue }
      let model = result.model
      let leftOut = result.remarks.map(\.message).filter { $0.hasPrefix("left out: coarse value") }
      converted += 1
      // As it is written to a file.
      let read = try ConversionModel(Array(JSONWriter.text(model.json).utf8))
      for user in Self.users {
        let first = values.first { $0.entries.allSatisfy { $0.holds(user) } }
        for window in isInherited ? [1.0, 100] : [1] {
          let phone = TestHistory.at(
            hours: window, iap: ["USD": user.revenue], counts: user.counts.mapValues { Int64($0) }, event: "z")
          let verdict = try read.verdict(on: phone, rates: ExchangeRates())
          if window == 1 { #expect(verdict.fine == Int64(first?.fine ?? 0), "\(text) \(user)") }
          let name = first?.coarse?.lowercased()
          if let name, leftOut.contains(where: { $0.contains("value \(name) of") }) {
            #expect(verdict.coarse?.number ?? -1 < CoarseValue(rawValue: name)?.number ?? 0, "\(text) \(user)")
            less += 1
          } else {
            #expect(verdict.coarse?.rawValue == name, "\(text) \(user)")
          }
          #expect(verdict.locks == first?.locks ?? false, "\(text) \(user)")
          if window != 1 { inherited += 1 }
        }
        if first?.coarse != nil { coarse += 1 }
        if first?.locks == true { locks += 1 }
      }
    }
    #expect(
      converted > rounds / 5 && [coarse, locks, inherited, less].allSatisfy { $0 > rounds * 3 },
      "\(converted) \(coarse) \(locks) \(less)")
  }
}
