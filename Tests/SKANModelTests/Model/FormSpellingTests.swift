import SKANBase
import SKANDevice
import TestSupport
import Testing

@testable import SKANModel

@Suite("Spellings of parameters and of a model's values")
struct FormSpellingTests {
  /// Values of each form, those of a flaw of its own, and those that the form refuses otherwise.
  private static let rows: [(form: ParameterForm, right: [String], flawed: [(ParameterFlaw, [String])])] = [
    (
      .text, ["0", "é", " ", "YOUR"], [(.empty, [""]), (.guidePlaceholder, ["YOUR API KEY", "your-api-key", "idfv"])]
    ),
    (.details, ["x"], [(.placeholder, ["null", "(null)", "nil", "None", "NULL", "undefined"])]),
    (.seconds, ["1767225600", "0000000000"], [(.milliseconds, ["1767225600000"]), (.notATime, Self.noTimes)]),
    (.milliseconds, ["1767225600000"], [(.seconds, ["1767225600"]), (.notATime, Self.noTimes)]),
    (
      .uuid, ["0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d", "0B1C2D3E-4F50-4A6B-8C7D-9E0F1A2B3C4D"],
      [
        (.zeroUUID, ["00000000-0000-0000-0000-000000000000"]),
        (.notAUUID, ["0b1c2d3e4f504a6b8c7d9e0f1a2b3c4d", "{0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d}", "5"]),
      ]
    ),
    (
      .decimal, ["0", "-1", "1.5", "-0.25", "007"],
      [(.decimalComma, ["1,5", "-1,5"]), (.notADecimal, ["1.", ".5", "+1", "1e3", "1.2.3", "1,2,3", "-", "٣"])]
    ),
    (.currency, ["USD", "EUR"], [(.notACurrency, ["usd", "US", "USDX", "US1", "€"])]),
    (.truth, ["true", "false"], [(.notATruthValue, ["True", "FALSE", "1", "0", "yes"])]),
    (.whole(0...63), ["0", "63", "+5", "05"], [(.notWhole(0...63), ["-1", "64", "1.0", "x"])]),
    (.choice(["0", "1"]), ["0", "1"], [(.notAChoice(["0", "1"]), ["2", "00", "true"])]),
    (
      .json, ["{}", #"{"a":{"b":[1]}}"#],
      [
        (.json(.objectText), ["[object Object]"]), (.json(.quotedTwice), [#""{\"a\":1}""#]),
        (.json(.escapedTwice), ["%7B%22a%22%3A1%7D", "%7b%7d"]), (.json(.singleQuotes), ["{'a': 1}"]),
        (.json(.flattened), ["USD"]), (.json(.notAnObject), ["[]", "5", "x", #""x""#]),
      ]
    ),
    (
      .address, ["8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1", "192.167.0.1", "223.0.0.1"],
      [
        (
          .privateAddress,
          [
            "10.0.0.1", "127.0.0.1", "0.0.0.0", "172.16.0.1", "172.31.0.1", "192.168.0.1", "169.254.0.1", "100.64.0.1",
            "100.127.0.1", "224.0.0.1", "255.255.255.255", "::1", "fc00::1", "FDFF::1", "fe80::1", "FEBF::1",
          ]
        ), (.ipv6, ["2001:db8::1", "2001:DB8:0:0:0:0:0:1", "fbff::1", "fe7f::1", "fec0::1"]),
        (.notAnAddress, ["256.1.1.1", "1.1.1", "1.1.1.1.1", "a.b.c.d", "1:2", "1:2:3:4:5:6:7", "g::1", "12345::1"]),
      ]
    ),
    (.country, ["US", "ZZ"], [(.notACountry, ["us", "Us", "USA", "U", "U1"])]),
    (
      .locale, ["en_US", "fil_PH", "zh_Hans_CN"],
      [(.notALocale, ["en", "en-US", "EN_US", "e_US", "engl_US", "en_us", "en_USA", "zh_Han_CN", "a_b_c_d", "en_U1"])]
    ),
    (
      .eventName, ["a", " ~", String(repeating: "x", count: 32)],
      [(.longName(33), [String(repeating: "x", count: 33)]), (.notASCII, ["ü", "a\u{7F}", "a\tb", "\u{1F}"])]
    ),
    (
      .revenue, ["{}", #"{"USD":1,"EUR":2}"#, "x"],
      [(.currencyOfTotal("usd"), [#"{"usd":1}"#, #"{"EUR":1,"usd":2}"#]), (.currencyOfTotal(""), [#"{"":1}"#])]
    ),
  ]

  private static let noTimes = ["1", "176722560", "17672256000", "1767225600.5", "-176722560", "176722560x"]

  @Test("Each form takes its values and names the flaw of the others")
  func forms() {
    for (form, right, flawed) in Self.rows {
      expectReading([(value: ParameterFlaw?.none, right)] + flawed.map { ($0, $1) }) { form.flaw(of: $0) }
      for (flaw, values) in flawed {
        #expect(form.flaws.contains { "\($0)".prefix(6) == "\(flaw)".prefix(6) }, "\(values)")
      }
    }
  }

  private static func lock(_ value: String) throws -> CoarseValue? {
    let json =
      #"{"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":1,"conversion_value_mapping":"#
      + #"{"mapped_events":[{"mapped_event_name":"a"}]}}],"postback_mappings":[{"postback_sequence_index":1,"#
      + #""lock_window_coarse_conversion_value":\#(value)}]}"#
    if case .coarse(let value)? = try ConversionModel(Array(json.utf8)).windows[.p1].lock { return value }
    return nil
  }

  @Test("A coarse value by its name and by its number; what is unset has none")
  func coarseValues() throws {
    expectReading([
      (.low, ["3", #""LOW""#]), (.medium, ["4", #""MEDIUM""#]), (.high, ["5", #""HIGH""#]),
      (nil, ["7", #""low""#, #""X""#, "true", "[]"]),
    ]) { try Self.lock($0) }
    for value in ["0", "1", "2", "6", "null", #""""#, #""NONE""#, #""UNSPECIFIED""#, #""UNKNOWN""#, #""UNAVAILABLE""#] {
      #expect(try Self.lock(value) == nil, "\(value)")
    }
  }

  /// The conditions of one event, each key by both of its names and its number as number and as text.
  @Test("Counts and amounts of a model and of an analytics schema")
  func conditions() throws {
    let ends: [(min: String?, max: String?)] = [(nil, nil), ("2", nil), (nil, "3"), ("2", "3"), ("2", "2")]
    for counts in ends {
      for amounts in ends where amounts.min == nil || amounts.min != amounts.max {
        let members = [
          ("event_count", "min", counts.min), ("event_count", "max", counts.max), ("event_value", "min", amounts.min),
          ("event_value", "max", amounts.max),
        ]
        for style in 0..<4 {
          let texts = members.compactMap { name, end, value -> String? in
            guard let value else { return nil }
            let key = style % 2 == 0 ? "\(end)_\(name)" : end + name.split(separator: "_").map(\.capitalized).joined()
            return "\"\(key)\":" + (style < 2 ? value : "\"\(value)\"")
          }
          let json = "{\((["\"event_name\":\"a\""] + texts).joined(separator: ","))}"
          var reader = JSONObjectReader(try JSONReader.read(Array("{}".utf8)), what: "a test", known: [])
          var ranges: [Range<Int>] = []
          let event = MappedEvent(analytics: try JSONReader.read(Array(json.utf8)), in: &reader, &ranges)
          #expect(reader.problems.isEmpty && event?.name == "a", "\(json)")
          let (least, most) = (counts.min.flatMap { Int64($0) }, counts.max.flatMap { Int64($0) })
          #expect(
            event?.occurrence
              == (least == nil && most == nil ? nil : OccurrenceCondition(min: least ?? 1, max: most)), "\(json)")
          let (from, to) = (amounts.min.flatMap { Double($0) }, amounts.max.flatMap { Double($0) })
          #expect(
            event?.revenue == (from == nil && to == nil ? nil : RevenueCondition(min: from ?? 0, max: to)), "\(json)")
          #expect(ranges.count == (from == nil && to == nil ? 0 : 1))
        }
      }
    }
  }
}
