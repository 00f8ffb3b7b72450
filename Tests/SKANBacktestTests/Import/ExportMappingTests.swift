import Foundation
import SKANBase
import TestSupport
import Testing

@testable import SKANBacktest

@Suite struct ExportMappingTests {
  private func read(_ text: String) throws -> ExportMapping { try ExportMapping(Array(text.utf8), file: "map.json") }

  /// The messages for a text that is not a mapping.
  private func problems(_ text: String) -> [String] {
    do {
      _ = try read(text)
      return []
    } catch { return (error as? SourceProblems)?.problems.map(\.message) ?? [] }
  }

  @Test("Whole") func whole() throws {
    let mapping = try read(
      """
      {"format":1,"device":["idfv","adid"],"time":{"column":"ts","unit":"ms"},"name":{"column":"event","fallback":"kind"},
       "revenue":[{"column":"cost","currency":"cur","unit":"micros"},
                  {"column":"props","key":"value","currency_key":"currency"},{"column":"usd","currency_code":"USD"}],
       "admon":{"column":"kind","equals":"ad"},"revenue_only":{"column":"kind","equals":["ad","tip"]},
       "session":"open","install":["first","install"],"installed":{"column":"inst"},
       "where":[{"column":"env","equals":"live"},{"column":"os","not_equals":["android","web"]}],
       "rename":{"buy":"purchase"},"transaction":"tx","timezone":"Europe/Berlin","currency":"EUR"}
      """)
    #expect(mapping.title == "map.json")
    #expect(mapping.device.map(\.name) == ["idfv", "adid"])
    #expect(mapping.device.allSatisfy { $0.isRequired })
    #expect(mapping.time.map(\.name) == ["ts"] && mapping.timeUnit == .milliseconds)
    #expect(mapping.eventName.map(\.name) == ["event", "kind"])
    #expect(mapping.revenue.map(\.unit) == [.micros, .units, .units])
    #expect(mapping.revenue[1].keys == ExportRevenue.Keys(amount: "value", currency: "currency"))
    #expect(mapping.revenue[2].code?.name == "USD")
    #expect(mapping.adRevenue == ExportCondition(ExportColumn("kind", isRequired: true), ["ad"]))
    #expect(mapping.session == ExportCondition(nil, ["open"]))
    #expect(mapping.filters.map(\.reason) == ["env is not live", "os is android or web"])
    #expect(mapping.timeZone?.name == "Europe/Berlin" && mapping.currency?.name == "EUR")
    let export = try ExportText(
      """
      idfv,adid,ts,event,kind,cost,cur,props,usd,inst,env,os,tx
      ,x,1767225600000,buy,event,4990000,USD,,,1767225500,LIVE,ios,1
      y,,1767225600000,open,event,,,"{""value"":""3.50""}",,,live,,2
      y,,1767225600000,,tip,,,"{""value"":""3.50""}",,,live,iOS,3
      z,,1767225600000,buy,event,,,,1,,test,ios,4
      z,,1767225600000,buy,event,,,,1,,live,web,5
      z,,1767225600000,buy,event,,,,1,,,ios,6
      """, mapping)
    #expect(
      export.rows == [
        "x | 2026-01-01T00:00:00Z | event | purchase | 4.99 USD | installed 2025-12-31T23:58:20Z",
        "y | 2026-01-01T00:00:00Z | session", "y | 2026-01-01T00:00:00Z | revenue | 3.5 EUR",
      ])
    // What is not said to be live is not; an operating system that is not named is not one of those left out.
    #expect(export.tally.filtered == [2, 1])
  }

  @Test("Members of a field") func membersOfAField() throws {
    let mapping = try read(
      #"""
      {"format":1,"device":"device","time":"time","name":"name","currency":"USD",
       "revenue":[{"column":"props","key":"value"},"amount"]}
      """#)
    #expect(mapping.revenue[0].keys == ExportRevenue.Keys(amount: "value", currency: ""))
    #expect(mapping.revenue[1].amount.map(\.name) == ["amount"] && mapping.revenue[1].unit == .units)
    let export = try ExportText(
      """
      device,time,name,props,amount
      a,1767225600,number,"{""value"":3.5}",
      a,1767225600,text,none,1
      a,1767225600,broken,"{""value"":",2
      a,1767225600,null,"{""value"":null}",3
      """, mapping)
    #expect(
      export.rows.map { String($0.dropFirst(35)) } == [
        "number | 3.5 USD", "text | 1.0 USD", "broken | 2.0 USD", "null | 3.0 USD",
      ])
  }

  @Test(
    "Whole cents are read exactly, and a fraction of a cent is no amount of cents",
    arguments: [
      ("1", "0.01"), ("499", "4.99"), ("-499", "-4.99"), ("100", "1.0"), ("007", "0.07"), ("499.0", "4.99"),
      ("1e2", "1.0"), (" 499", "4.99"), ("900719925474099", "9007199254740.99"), ("4.99", "rejected: cents"),
      ("499.5", "rejected: cents"), ("0.5", "rejected: cents"), ("5e-1", "rejected: cents"), ("0", nil), ("", nil),
      ("1,5", "rejected: decimal-comma"), ("$5", "rejected: amount"),
    ] as [(String, String?)])
  func cents(amount: String, expected: String?) throws {
    func result(_ text: String, _ revenue: String) throws -> String? {
      let mapping = try read(#"{"format":1,"device":"d","time":"t","name":"n","revenue":\#(revenue)}"#)
      let export = try ExportText("d,t,n,r\na,1767225600,x,\(text)\n", mapping)
      let rejected = export.tally.places.first.map { "rejected: \($0.reason.name)" }
      let fields = export.rows.first?.split(separator: " | ") ?? []
      return rejected ?? fields.dropFirst(4).first.map { String($0).replacing(" JPY", with: "") }
    }
    #expect(try result("\"\(amount)\"", #"{"column":"r","currency_code":"JPY","unit":"cents"}"#) == expected)
    if amount.contains(",") { return }
    let json = #""{""v"":""\#(amount)""}""#
    #expect(try result(json, #"{"column":"r","currency_code":"JPY","unit":"cents","key":"v"}"#) == expected)
  }

  @Test("Preset with changes") func presetWithChanges() throws {
    let mapping = try read(#"{"format":1,"preset":"adjust","name":"[event]","where":{"column":"[x]","equals":"1"}}"#)
    #expect(mapping.eventName == [ExportColumn("[event]", isRequired: true)])
    #expect(mapping.device == ExportPreset.adjust.mapping.device)
    #expect(mapping.filters.count == 3 && mapping.systems.count == 1)
  }

  @Test(
    "Refused",
    arguments: [
      ("[]", ["a mapping must be an object, this is an array"]), ("{", ["not JSON: the text ends too early"]),
      (
        "{}",
        [
          "a mapping needs the key \"format\"", "a mapping without a preset needs the key \"device\"",
          "a mapping without a preset needs the key \"time\"", "a mapping without a preset needs the key \"name\"",
        ]
      ), (#"{"format":2,"preset":"adjust"}"#, ["only format 1 is known"]),
      (#"{"format":1,"preset":"adjust","devcie":"x"}"#, ["a mapping has no key \"devcie\"; did you mean \"device\"?"]),
      (
        #"{"format":1,"preset":"plan"}"#,
        [
          "\"preset\" must be one of \(ExportPreset.allCases.map(\.rawValue).joined(separator: ", ")), this is \"plan\"; did you mean \"plain\"?"
        ]
      ),
      (
        #"{"format":1,"preset":"adjust","time":{"column":"t","unit":"h"}}"#,
        ["\"unit\" must be one of s, ms, us, ns, text, this is \"h\""]
      ),
      (
        #"{"format":1,"preset":"adjust","where":[{"column":"t"}]}"#,
        ["a filter needs one of the keys \"equals\" and \"not_equals\""]
      ),
      (
        #"{"format":1,"preset":"adjust","device":5,"rename":{"a":1}}"#,
        ["this must be a text or an array of texts, it is 5", "the new name must be a text, this is 1"]
      ),
      (
        #"{"format":1,"preset":"adjust","timezone":"CET"}"#,
        ["\"timezone\" must be UTC, an offset such as +02:00, or a zone such as Europe/Berlin, this is \"CET\""]
      ),
      (
        #"{"format":1,"preset":"adjust","revenue":{"column":"r","currency_key":"c"}}"#,
        ["\"currency_key\" needs \"key\""]
      ),
      (
        #"{"format":1,"preset":5,"timezone":5,"currency":5,"rename":5}"#,
        [
          "\"preset\" must be one of \(ExportPreset.allCases.map(\.rawValue).joined(separator: ", ")), this is 5",
          "\"timezone\" must be UTC, an offset such as +02:00, or a zone such as Europe/Berlin, this is 5",
          "\"currency\" must be three capital letters, this is 5",
          "\"rename\" must be an object of names, this is a number",
        ]
      ),
      (
        #"{"format":1,"preset":"adjust","currency":"usd","device":{"fallback":"x"},"name":["a",5]}"#,
        [
          "\"currency\" must be three capital letters, this is \"usd\"", "a column needs the key \"column\"",
          "this must be a text, it is 5",
        ]
      ),
      (
        #"{"format":1,"preset":"adjust","time":{"unit":5},"session":{"column":"kind"},"install":["a",""]}"#,
        [
          "a time needs the key \"column\"", "\"unit\" must be one of s, ms, us, ns, text, this is 5",
          "a condition needs the key \"equals\"", "this must be a text, it is \"\"",
        ]
      ),
      (
        #"{"format":1,"preset":"adjust","where":[5,{"equals":"x"},{"column":"c","equals":"a","not_equals":"b"}]}"#,
        [
          "a filter must be an object, this is a number", "a filter needs the key \"column\"",
          "a filter needs one of the keys \"equals\" and \"not_equals\"",
        ]
      ),
      (
        #"{"format":1,"preset":"adjust","revenue":[5,{"unit":5,"currency_code":5},{"column":"r","unit":"cent"},{"column":"r","unit":["cents"]}]}"#,
        [
          "this must be a text or an array of texts, it is 5", "a source of revenue needs the key \"column\"",
          "\"unit\" must be one of units, cents, micros, this is 5",
          "\"currency_code\" must be three capital letters, this is 5",
          "\"unit\" must be one of units, cents, micros, this is \"cent\"",
          "\"unit\" must be one of units, cents, micros, this is an array",
        ]
      ),
    ]) func refused(text: String, expected: [String])
  { #expect(problems(text) == expected) }

  @Test("Columns of the export") func columnsOfTheExport() throws {
    let layout = ExportLayout(
      format: .delimited(separator: 0x2C), columns: ["device", "tme", "name", "name"], file: "x", fileIndex: 0)
    var mapping = try read(#"{"format":1,"device":"device","time":"time","name":"name"}"#)
    #expect(
      mapping.problems(with: layout) == [
        "there is no column \"time\"; did you mean \"tme\"?",
        "the column \"name\" is there twice: which one counts is not known",
      ])
    mapping = try read(#"{"format":1,"device":"zzz","time":"c1","name":"c2"}"#)
    let wide = ExportLayout(
      format: .delimited(separator: 0x2C), columns: (1...14).map { "c\($0)" }, file: "x", fileIndex: 0)
    #expect(
      mapping.problems(with: wide) == [
        "there is no column \"zzz\"; there are \((1...12).map { "\"c\($0)\"" }.joined(separator: ", ")) and 2 more"
      ])
    mapping = ExportPreset.adjust.mapping
    mapping.transaction = []
    mapping.duplicateFields = [.transaction]
    #expect(mapping.problems(with: layout).count == 4)
    #expect(
      mapping.problems(with: layout)[0]
        == "preset adjust looks for the device in \"{idfv}\", \"{adid}\", and the file has none of them")
    mapping.transaction = ExportPreset.adjust.mapping.transaction
    let last = mapping.problems(with: layout).last ?? ""
    #expect(last.hasPrefix("--dedupe tx: there is no column \"{nonce}\" or \"{random}\"; there are "), "\(last)")
  }

  @Test("Order of new names") func orderOfNewNames() throws {
    func hash(_ names: String) throws -> UInt64 {
      try read(#"{"format":1,"preset":"adjust","rename":{\#(names)}}"#).stableHash
    }
    #expect(try hash(#""a":"b","c":"d""#) == hash(#""c":"d","a":"b""#))
    #expect(try hash(#""a":"b","c":"d""#) != hash(#""a":"d","c":"b""#))
  }
}

/// The exports of `fixtures/exports`, in the shapes of their vendors, traps included.
@Suite struct ExportPresetTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let file: String
    let preset: ExportPreset
    var zone: String?
    let rows: [String]
    /// By the mapping's filters.
    var filtered: [Int] = []
    /// Rows of other systems.
    var others = 0
    var devices: [Int] = []

    var testDescription: String { file }
  }

  private static let one = "6D8F2A3B-0001-4000-8000-000000000001"
  private static let four = "6D8F2A3B-0001-4000-8000-000000000004"
  private static let cases = [
    Case(
      file: "appsflyer.csv", preset: .appsflyer, zone: "UTC",
      rows: [
        "\(one) | 2026-01-01T10:05:00Z | event | af_level_achieved | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:06:00Z | event | af_purchase | 9.99 EUR | installed 2026-01-01T10:00:00Z",
        "1767225600-2222 | 2026-01-01T11:00:30Z | event | af_ad_revenue | 0.0125 USD ad | installed 2026-01-01T11:00:00Z",
        "1767225600-2222 | 2026-01-01T11:10:00Z | event | af_purchase | 4.99 USD | installed 2026-01-01T11:00:00Z",
        "\(four) | 2026-01-01T12:00:00Z | install | installed 2026-01-01T12:00:00Z",
        "\(four) | 2026-01-01T12:01:00Z | session | installed 2026-01-01T12:00:00Z",
      ], filtered: [1, 1], others: 1, devices: [4, 2]),
    Case(
      file: "appsflyer-locker.csv", preset: .appsflyerLocker, zone: "+02:00",
      rows: [
        "\(one) | 2026-01-01T08:00:00Z | install | installed 2026-01-01T08:00:00Z",
        "\(one) | 2026-01-01T08:00:01Z | session | installed 2026-01-01T08:00:00Z",
        "\(one) | 2026-01-01T08:05:00.123Z | event | login | installed 2026-01-01T08:00:00Z",
        "\(one) | 2026-01-01T08:06:00Z | event | af_purchase | 9.99 EUR | installed 2026-01-01T08:00:00Z",
        "1767225600-2222 | 2026-01-01T09:00:30Z | event | af_ad_view | 0.0125 USD ad | installed 2025-12-01T09:00:00Z",
        "1767225600-2222 | 2026-01-01T09:01:00Z | event | af_purchase | 4.99 USD | installed 2025-12-01T09:00:00Z",
      ], filtered: [1, 1], others: 1, devices: [4, 2]),
    Case(
      file: "adjust.csv", preset: .adjust,
      rows: [
        "\(one) | 2026-01-01T10:00:00Z | install | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:01:00Z | session | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:01:40Z | event | level_up | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:03:20Z | event | purchase | 9.99 EUR | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:03:20Z | event | purchase | 9.99 EUR | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:05:00Z | revenue | 0.0125 USD ad | installed 2026-01-01T10:00:00Z",
        "a3 | 2026-01-01T10:10:00Z | session | installed 2025-12-30T13:06:40Z",
      ], filtered: [1, 1], others: 1, devices: [6, 1]),
    Case(
      file: "singular.csv", preset: .singular,
      rows: [
        "\(one) | 2026-01-01T10:00:00Z | install | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:00:01Z | session | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:06:00Z | event | __iap__ | 9.99 USD | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:07:00Z | revenue | 0.0125 USD ad | installed 2026-01-01T10:00:00Z",
        "u2 | 2026-01-01T10:08:00Z | event | tutorial_completed_on_the_very_first_day",
        "u3 | 2026-01-01T10:09:00Z | install",
      ], filtered: [1], devices: [4, 2]),
    Case(
      file: "branch.csv", preset: .branch,
      rows: [
        "\(one) | 2026-01-01T10:06:00Z | event | PURCHASE | 9.99 EUR | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:07:00.5Z | event | VIEW_AD | 0.0125 USD ad | installed 2026-01-01T10:00:00Z",
        "u2 | 2026-01-01T10:08:00Z | session | installed 2025-10-01T10:00:00Z", "u4 | 2026-01-01T10:10:00Z | install",
      ], others: 1, devices: [2, 2]),
    Case(
      file: "firebase.ndjson", preset: .firebase,
      rows: [
        "\(one) | 2026-01-01T10:00:00Z | install | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:00:01.123456Z | session | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:01:00Z | event | post_score | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:06:00Z | event | in_app_purchase | 9.99 EUR | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:07:00Z | event | ad_impression | 0.0125 USD ad | installed 2026-01-01T10:00:00Z",
        "p2 | 2026-01-01T10:08:00Z | event | screen \"café\" | installed 2025-10-01T10:00:00Z",
      ], others: 1, devices: [5, 1]),
    Case(
      file: "amplitude.ndjson", preset: .amplitude,
      rows: [
        "\(one)R | 2026-01-01T10:05:00.25Z | event | tutorial_done",
        "\(one)R | 2026-01-01T10:06:00Z | event | purchase | 9.99 EUR",
        "\(one)R | 2026-01-01T10:06:00Z | event | purchase | 9.99 EUR", "12 | 2026-01-01T10:07:00Z | event | login",
        "d5 | 2026-01-01T10:09:00Z | install", "d5 | 2026-01-01T10:09:01Z | session",
      ], others: 1, devices: [5, 0, 1]),
    Case(
      file: "mixpanel.ndjson", preset: .mixpanel,
      rows: [
        "\(one) | 2026-01-01T10:00:00Z | install", "\(one) | 2026-01-01T10:06:00Z | event | purchase | 9.99 GBP",
        "u2 | 2026-01-01T10:07:00Z | event | login", "u2 | 2026-01-01T10:08:00Z | session",
      ], devices: [2, 2]),
    Case(
      file: "segment.csv", preset: .segment,
      rows: [
        "\(one) | 2026-01-01T10:00:00Z | install",
        "\(one) | 2026-01-01T10:06:00.5Z | event | order_completed | 9.99 EUR",
        "an2 | 2026-01-01T10:07:00Z | event | product_viewed", "an2 | 2026-01-01T10:08:00Z | session",
      ], devices: [2, 2]),
    Case(
      file: "plain.tsv", preset: .plain,
      rows: [
        "d1 | 2026-01-01T10:00:00Z | install", "d1 | 2026-01-01T10:00:01Z | session",
        "d1 | 2026-01-01T10:06:00Z | event | purchase | 9.99 EUR",
        "d1 | 2026-01-01T10:07:00Z | revenue | 0.0125 USD ad",
        "d2 | 2026-01-01T10:08:00Z | event | login | installed 2026-01-01T10:00:00Z",
      ], devices: [5]),
  ]

  @Test("Rows", arguments: cases) func rows(example: Case) throws {
    let text = try String(contentsOf: Checkout.fixtures.appending(path: "exports/\(example.file)"), encoding: .utf8)
    for size in [1 << 20, 200] {
      let export = try ExportText(text, blockSize: size) {
        $0.timeZone = example.zone.flatMap { ExportTimeZone($0) } ?? $0.timeZone
        // Of what the export has no currency of.
        $0.currency = .init("GBP")
      }
      #expect(export.layout.flatMap { ExportPreset(columns: $0.columns) } == example.preset)
      #expect(export.rows == example.rows)
      #expect(export.tally.filtered == example.filtered)
      #expect(export.tally.systems.values.reduce(0, +) == example.others)
      #expect(export.tally.devices == example.devices)
      #expect(export.tally.rejectedRows == 0)
      #expect(export.layout.map { example.preset.mapping.problems(with: $0) } == [])
    }
  }

  /// Each preset has a fixture.
  @Test("All presets") func allPresets() { #expect(Set(Self.cases.map(\.preset)) == Set(ExportPreset.allCases)) }

  @Test("Text without zone") func textWithoutZone() throws {
    let text = try String(contentsOf: Checkout.fixtures.appending(path: "exports/appsflyer.csv"), encoding: .utf8)
    let export = try ExportText(text)
    #expect(export.rows == [])
    #expect(export.tally.rejected[ImportRejection.timeZone.rawValue] == 6)
    #expect(export.tally.places.first?.value == "2026-01-01 10:05:00")
  }
}
