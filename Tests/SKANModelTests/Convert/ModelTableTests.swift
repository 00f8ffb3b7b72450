import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("A flat table as a model")
struct ModelTableTests {
  private static let header = ModelTable.columns.joined(separator: ",")

  /// What reading complains of, or the model's tables in lines.
  private func result(_ text: String, currency: String? = nil) -> [String] {
    do throws(SourceNotes) {
      let model = try ModelTable.read(Array(text.utf8), currency: currency, hint: "!")
      return model.tables.flatMap { table in table.rows.map { "\($0.value): \($0.meaning)" } }
    } catch {
      return error.notes.map { "\($0.location.line):\($0.location.column): \($0.message)" }
    }
  }

  @Test("Rows of one value hold together; the order of rows says nothing")
  func rows() {
    let text = """
      \(Self.header)
      0,1,,__SESSION__,,,,,
      0,5,,level_5,2,4,,,
      0,9,,purchase,1,,0.99,4.99,EUR
      0,9,,__SESSION__,3,,,,
      1,,high,,,,20,,
      1,,low,__SESSION__,,,,,

      """
    #expect(
      result(text, currency: "USD") == [
        "1: a session at least once", "5: level_5 2 to 4 times",
        "9: purchase at least once with revenue from 0.99 to below 4.99 EUR and a session at least 3 times",
        "low: a session at least once", "high: revenue of at least 20 USD",
      ])
    #expect(result("window,coarse,event\n2,LOW,a") == ["low: a at least once"])
    #expect(result("\(Self.header)\n0,1,,a,3,3,,,\n0,2,,b,1,1,,,") == ["1: a exactly 3 times", "2: b exactly once"])
    #expect(result("\(Self.header)\n0,1,,a,,2,,3,USD") == ["1: a 1 to 2 times with revenue from 0 to below 3 USD"])
  }

  @Test(
    "What is wrong, with its column",
    arguments: [
      ("3,1,,a,,,,,", "2:1: window must be 0, 1 or 2, the index of a postback"),
      ("0,64,,a,,,,,", "2:3: value must be a whole number from 0 to 63"),
      ("0,1,low,a,,,,,", "2:5: a row is for a fine value or for a coarse one: give each its own row"),
      ("0,,,a,,,,,", "2:1: the row needs a value, 0 to 63, or a coarse value"),
      ("0,,mid,a,,,,,", "2:4: coarse must be low, medium or high"),
      ("1,1,,a,,,,,", "2:3: fine values belong to window 0"),
      ("0,1,,,,,,,", "2:6: the row asks for nothing: it needs an event or revenue"),
      ("0,1,,a,0,,,,", "2:8: min_count must be a whole number from 1"),
      ("0,1,,a,3,2,,,", "2:10: the counts end before they begin"),
      ("0,1,,a,,,-1,,USD", "2:10: min_revenue must be an amount such as 4.99, 0 or more"),
      ("0,1,,a,,,0,,USD", "2:10: everyone has revenue from 0 on: leave it out"),
      ("0,1,,a,,,2,2,USD", "2:12: no revenue is in this range: its end is not part of it"),
      ("0,1,,a,,,2,,", "2:10: the amount has no currency!"),
      ("0,1,,a,,,2,,usd", "2:13: currency must be three capital letters, such as USD"),
      ("0,1,,,2,,1,,USD", "2:7: revenue alone is not counted: name an event"),
      ("0,1,,,,2,1,,USD", "2:8: revenue alone is not counted: name an event"),
      ("0,1,,a,,,,0,USD", "2:11: no revenue is in this range: its end is not part of it"),
      ("0,1,,a,,,,2,", "2:11: the amount has no currency!"),
    ])
  func wrong(row: String, message: String) {
    #expect(result("\(Self.header)\n\(row)") == [message])
  }

  @Test("A row that is there twice")
  func twice() {
    #expect(
      result("\(Self.header)\n0,1,,a,2,,,,\n0,2,,a,2,,,,\n0,1,,a,2,,,,") == ["4:1: fine value 1 has this row already"])
  }

  @Test("A wrong header, and none")
  func header() {
    #expect(result("window,valeu,event\n").first?.contains("did you mean value?") == true)
    #expect(result("value,event\n1,a") == ["1:1: the column window is missing"])
    #expect(result(Self.header) == ["1:1: there is no row under the header"])
  }
}

@Suite("A model that is written")
struct ModelWriteTests {
  @Test("is the same model when it is read again", arguments: Models.examples)
  func examples(name: String) throws { try expectSame(Models.example(name)) }

  @Test("with all that a model can hold")
  func everything() throws {
    let hours = #""min_time_post_install_hours":2,"max_time_post_install_hours":9"#
    let locks = [
      #""lock_window_fine_conversion_value":3"#, #""lock_window_coarse_conversion_value":"LOW""#,
      #""lock_window_event":"x""#,
    ]
    try expectSame(
      Models.read(
        Part.model(
          fine: [
            Part.fine(0, Part.event("z")), Part.fine(3, Part.count("a", 2, 2), hours: hours),
            Part.fine(4, Part.revenue(nil, 0.5, "buy", currency: "EUR"), Part.revenue(1e-9, nil)),
          ], windows: locks.enumerated().map { Part.window($0, low: Part.event("a"), lock: $1) },
          #""app_id":"7","measurement_window_hours":99"#)))
  }

  private func expectSame(_ model: ConversionModel) throws {
    let text = JSONWriter.text(model.json, layout: .file)
    let read = try ConversionModel(Array(text.utf8))
    #expect(read.differences(from: model) == [] && read.tables == model.tables && read.json == model.json)
    #expect(read.fine.map(\.mapping.events) == model.fine.map(\.mapping.events))
  }
}

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
