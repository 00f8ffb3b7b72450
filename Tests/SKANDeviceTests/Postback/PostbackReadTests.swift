import SKANJSON
import Testing

@testable import SKANDevice

@Suite("Postbacks received")
struct PostbackReadTests {
  static let v4 =
    #"{"version":"4.0","ad-network-id":"com.example","source-identifier":"52","app-id":1,"transaction-id":"0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d","redownload":false,"fidelity-type":1,"did-win":true,"postback-sequence-index":0,"attribution-signature":"AAAA"}"#
  static let v3 =
    #"{"version":"3.0","ad-network-id":"com.example","campaign-id":42,"app-id":1,"transaction-id":"0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d","redownload":false,"fidelity-type":1,"did-win":true,"attribution-signature":"AA=="}"#

  /// The problems of a postback, each as `line:column message`.
  static func problems(_ json: String) throws -> [String] {
    let bytes = Array(json.utf8)
    switch PostbackContent.read(try JSONReader.read(bytes)) {
    case .success: return []
    case .failure(let problems): return problems.problems.map(\.message)
    }
  }

  /// The same with one member in another form, or, for nil, without it.
  static func with(_ key: String, _ value: String?, in json: String) throws -> String {
    guard case .object(let members) = try JSONReader.read(Array(json.utf8)).value else { return json }
    let rest = members.filter { $0.key != key }.map { "\"\($0.key)\":\(JSONWriter.text($0.value))" }
    return "{\((rest + (value.map { ["\"\(key)\":\($0)"] } ?? [])).joined(separator: ","))}"
  }

  @Test("As they should be")
  func good() throws {
    #expect(try Self.problems(Self.v4) == [])
    #expect(try Self.problems(Self.v3) == [])
    for (key, value) in [
      ("source-app-id", "5"), ("source-domain", "\"münchen.example\""), ("conversion-value", "0"),
      ("coarse-conversion-value", "\"low\""), ("country-code", "\"US\""), ("source-identifier", "\"0000\""),
      ("attribution-signature", #""AB+/""#), ("transaction-id", "\"0B1C2D3E-4F50-4A6B-8C7D-9E0F1A2B3C4D\""),
    ] {
      #expect(try Self.problems(Self.with(key, value, in: Self.v4)) == [], "\(key)")
    }
  }

  @Test(
    "Every field of another form",
    arguments: [
      (
        "ad-network-id", ["5", "\"\"", "\"a b\"", "\"a\u{2063}b\"", "\"a\\u0000\"", "null"],
        "an ad network id such as \"com.example\""
      ),
      (
        "source-identifier", ["52", "\"5\"", "\"52390\"", "\"5a\"", "\"-5\"", "\"٥٢\""],
        "a string of two to four digits"
      ),
      (
        "app-id", ["\"1\"", "-1", "1.5", "true", "9223372036854775808"], "a whole number from 0 to 9223372036854775807"
      ),
      (
        "transaction-id",
        ["1", "\"\"", "\"0b1c2d3e4f504a6b8c7d9e0f1a2b3c4d\"", "\"0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4g\""],
        "a UUID such as \"c36b2c5a-5a6d-4c3e-9b1f-2f6d0f6a7c11\""
      ),
      ("redownload", ["1", "\"true\"", "null"], "true or false"),
      ("source-app-id", ["\"1\"", "-1"], "a whole number from 0 to 9223372036854775807"),
      ("source-domain", ["1", "\"\"", "\"a\u{2063}1\""], "a domain such as \"example.com\""),
      ("fidelity-type", ["2", "-1", "\"1\"", "true"], "a whole number from 0 to 1"),
      ("did-win", ["1", "\"true\""], "true or false"),
      ("postback-sequence-index", ["3", "-1", "\"0\""], "a whole number from 0 to 2"),
      ("conversion-value", ["64", "-1", "\"5\"", "1.5"], "a whole number from 0 to 63"),
      ("coarse-conversion-value", ["\"none\"", "\"Low\"", "1"], "one of \"low\", \"medium\", \"high\""),
      ("country-code", ["\"us\"", "\"USA\"", "1"], "two letters such as \"US\""),
      ("attribution-signature", ["\"\"", "\"AAA\"", "\"A===\"", "\"AA=A\"", "\"AA-_\"", "1"], "base64"),
    ] as [(String, [String], String)])
  func forms(key: String, values: [String], expected: String) throws {
    for value in values {
      let problems = try Self.problems(Self.with(key, value, in: Self.v4))
      #expect(problems.count == 1 && problems[0].hasPrefix("\"\(key)\" must be \(expected), this is "), "\(problems)")
    }
  }

  @Test("The campaign of versions up to 3", arguments: ["0", "101", "\"42\""])
  func campaign(value: String) throws {
    let problems = try Self.problems(Self.with("campaign-id", value, in: Self.v3))
    #expect(problems == ["\"campaign-id\" must be a whole number from 1 to 100, this is \(value)"])
  }

  @Test("A field that is missing, of each version")
  func missing() throws {
    for version in AdVersion.allCases {
      let text = try Self.with("version", "\"\(version.rawValue)\"", in: version == .v4 ? Self.v4 : Self.v3)
      var json = text
      for key in ["fidelity-type", "did-win"] where !version.fields.map(\.rawValue).contains(key) {
        json = try Self.with(key, nil, in: json)
      }
      #expect(try Self.problems(json) == [])
      let needed = version.fields.filter { !version.optionalFields.contains($0) && $0 != .version }
      for field in needed {
        #expect(
          try Self.problems(Self.with(field.rawValue, nil, in: json)) == [
            "a postback of version \(version.rawValue) needs the key \"\(field.rawValue)\""
          ])
      }
    }
  }

  @Test(
    "A field that the version does not have",
    arguments: [
      (v4, "campaign-id", "1"), (v4, "conversion_value", "1"), (v3, "source-domain", "\"a.b\""),
      (v3, "source-identifier", "\"52\""), (v3, "coarse-conversion-value", "\"low\""),
      (v3, "postback-sequence-index", "0"), (v3, "country-code", "\"US\""),
    ])
  func unknown(json: String, key: String, value: String) throws {
    let problems = try Self.problems(Self.with(key, value, in: json))
    #expect(problems.count == 1 && problems[0].contains("has no key \"\(key)\""), "\(problems)")
  }

  @Test(
    "What cannot be together",
    arguments: [
      (
        #""source-app-id":1,"source-domain":"a.b""#,
        ["a postback has \"source-app-id\" or \"source-domain\", not both"]
      ),
      (
        #""conversion-value":1,"coarse-conversion-value":"low""#,
        ["a postback has \"conversion-value\" or \"coarse-conversion-value\", not both"]
      ),
    ])
  func together(members: String, messages: [String]) throws {
    #expect(try Self.problems(Self.v4.dropLast() + ",\(members)}") == messages)
  }

  @Test("What the second and third postback do not have")
  func later() throws {
    for index in ["1", "2"] {
      let json = try Self.with("postback-sequence-index", index, in: Self.v4)
      #expect(try Self.problems(Self.with("coarse-conversion-value", "\"low\"", in: json)) == [])
      for (key, value) in [("conversion-value", "1"), ("source-app-id", "1"), ("source-domain", "\"a.b\"")] {
        #expect(
          try Self.problems(Self.with(key, value, in: json)) == [
            "\"\(key)\" is in the first postback only, this has index 1 or 2"
          ])
      }
      #expect(
        try Self.problems(Self.with("source-identifier", "\"523\"", in: json)) == [
          "the second and third postback have two digits of the source identifier"
        ])
    }
  }

  @Test("What a postback that did not win does not have")
  func nonWinner() throws {
    for json in [Self.v3, Self.v4] {
      let lost = try Self.with("did-win", "false", in: json)
      #expect(try Self.problems(lost) == [])
      let isOld = json == Self.v3
      #expect(
        try Self.problems(Self.with("conversion-value", "1", in: lost)) == [
          "\"conversion-value\" is not in a postback that did not win"
        ])
      #expect(try Self.problems(Self.with("source-app-id", "1", in: lost)).isEmpty == !isOld)
    }
    let second = try Self.with("postback-sequence-index", "1", in: Self.with("did-win", "false", in: Self.v4))
    #expect(try Self.problems(second) == ["an ad that did not win has a first postback only"])
  }

  @Test("Without a version, and with one that is none; the forms of the rest are checked all the same")
  func version() throws {
    #expect(
      try Self.problems(Self.with("version", nil, in: Self.v4)) == [
        "a postback needs the key \"version\"; those of version 1.0 have none, and another key of Apple's signed them"
      ])
    for value in ["\"1.0\"", "\"5.0\"", "4", "null", "\"4\""] {
      let problems = try Self.problems(Self.with("version", value, in: Self.v4))
      #expect(problems.count == 1)
      #expect(
        problems[0].hasPrefix("\"version\" must be one of \"4.0\", \"3.0\", \"2.2\", \"2.1\", \"2.0\", this is "))
    }
    #expect(try Self.problems(#"{"conversion-value":64,"app_id":1}"#).count == 3)
    #expect(try Self.problems("[1]") == ["a postback must be an object, this is an array"])
    #expect(try Self.problems("5") == ["a postback must be an object, this is a number"])
  }

  @Test("All problems at once, in the order of their places")
  func all() throws {
    let json = #"{"version":"4.0","app-id":"1","redownload":0,"bogus":1,"conversion-value":99,"fidelity-type":9}"#
    let bytes = Array(json.utf8)
    guard case .failure(let problems) = PostbackContent.read(try JSONReader.read(bytes)) else {
      Issue.record("it was read")
      return
    }
    // Six fields are missing, and those are told of the whole object, which begins first.
    #expect(problems.problems.count == 11)
    #expect(problems.problems.map(\.range.lowerBound) == problems.problems.map(\.range.lowerBound).sorted())
  }
}
