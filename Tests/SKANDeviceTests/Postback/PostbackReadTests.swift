import SKANBase
import Testing

@testable import SKANDevice

@Suite("Postbacks received")
struct PostbackReadTests {
  static let v4 =
    #"{"version":"4.0","ad-network-id":"com.example","source-identifier":"52","app-id":1,"transaction-id":"0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d","redownload":false,"fidelity-type":1,"did-win":true,"postback-sequence-index":0,"attribution-signature":"AAAA"}"#
  static let v3 =
    #"{"version":"3.0","ad-network-id":"com.example","campaign-id":42,"app-id":1,"transaction-id":"0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d","redownload":false,"fidelity-type":1,"did-win":true,"attribution-signature":"AA=="}"#

  static func read(_ json: String) throws -> ReceivedPostback {
    try ReceivedPostback.read(JSONReader.read(Array(json.utf8))).get()
  }

  /// The findings of a postback, each as `CODE message`.
  static func findings(_ json: String) throws -> [String] {
    try read(json).findings.map { "\($0.code.rawValue) \($0.message)" }
  }

  /// The codes of the findings alone.
  static func codes(_ json: String) throws -> [PostbackFinding.Code] { try read(json).findings.map(\.code) }

  /// The same with one member in another form, or, for nil, without it.
  static func with(_ key: String, _ value: String?, in json: String) throws -> String {
    guard case .object(let members) = try JSONReader.read(Array(json.utf8)).value else { return json }
    let rest = members.filter { $0.key != key }.map { "\"\($0.key)\":\(JSONWriter.text($0.value))" }
    return "{\((rest + (value.map { ["\"\(key)\":\($0)"] } ?? [])).joined(separator: ","))}"
  }

  @Test("The campaign of versions up to 3", arguments: ["0", "101", "\"42\""])
  func campaign(value: String) throws {
    let findings = try Self.findings(Self.with("campaign-id", value, in: Self.v3))
    #expect(findings == ["field-form \"campaign-id\" must be a whole number from 1 to 100, this is \(value)."])
  }

  @Test("A field that is missing or null, of each version: no signature can fit, unless it is not signed")
  func missing() throws {
    for version in AdVersion.allCases {
      let text = try Self.with("version", "\"\(version.rawValue)\"", in: version == .v4 ? Self.v4 : Self.v3)
      var json = text
      for key in ["fidelity-type", "did-win"] where !version.fields.map(\.rawValue).contains(key) {
        json = try Self.with(key, nil, in: json)
      }
      #expect(try Self.findings(json) == [] && Self.read(json).obstacle == nil)
      let needed = version.signedFields.filter { !version.optionalFields.contains($0) && $0 != .version }
      #expect(needed.count >= 5)
      for field in needed {
        let words = "field-missing A postback of version \(version.rawValue) needs the key \"\(field.rawValue)\"."
        let without = try Self.with(field.rawValue, nil, in: json)
        #expect(try Self.findings(without) == [words])
        #expect(try Self.read(without).obstacle == "the signed field \"\(field.rawValue)\" is missing")
        let null = try Self.with(field.rawValue, "null", in: json)
        #expect(try Self.codes(null) == [.fieldMissing, .nullField])
        #expect(try Self.read(null).obstacle != nil)
      }
      let unsigned = try Self.with("attribution-signature", nil, in: json)
      #expect(try Self.findings(unsigned) == [] && Self.read(unsigned).signature == nil)
      #expect(try Self.codes(Self.with("conversion-value", "null", in: json)) == [.nullField])
    }
    let without = try Self.with("redownload", nil, in: Self.with("did-win", nil, in: Self.v3))
    #expect(try Self.read(without).obstacle == "the signed fields \"redownload\", \"did-win\" are missing")
  }

  @Test("A value cannot pass for two of them")
  func separator() throws {
    let json = try Self.with(
      "ad-network-id", "\"com.example\u{2063}42\"", in: Self.with("campaign-id", nil, in: Self.v3))
    #expect(try Self.read(json).signedText == Self.read(Self.v3).signedText)
    #expect(try Self.read(json).obstacle != nil)
    let moved = try Self.with("source-app-id", "\"5\u{2063}1\"", in: Self.v4)
    #expect(try Self.read(moved).obstacle == "\"source-app-id\" holds U+2063, which separates the signed values")
  }

  @Test("Keys that the version does not have")
  func keys() throws {
    for (json, key, value) in [
      (Self.v4, "campaign-id", "1"), (Self.v3, "source-domain", "\"a.b\""), (Self.v3, "source-identifier", "\"52\""),
      (Self.v3, "coarse-conversion-value", "\"low\""), (Self.v3, "postback-sequence-index", "0"),
      (Self.v3, "country-code", "null"),
    ] {
      let version = json == Self.v4 ? "4.0" : "3.0"
      #expect(
        try Self.findings(Self.with(key, value, in: json)) == [
          "field-of-another-version A postback of version \(version) has no key \"\(key)\"."
        ])
    }
    #expect(
      try Self.findings(Self.with("conversion_value", "1", in: Self.v4)) == [
        "mistyped-key No key is called \"conversion_value\"; did you mean \"conversion-value\"?"
      ])
    #expect(
      try Self.findings(Self.v3.dropLast() + #","ip":"192.0.2.1","timestamp":"1","adjust-x":null}"#) == [
        "added-keys Keys were added that Apple's postbacks do not have: \"ip\", \"timestamp\", \"adjust-x\"."
      ])
    #expect(
      try Self.findings(Self.v3.dropLast() + #","ip":"192.0.2.1"}"#) == [
        "added-keys A key was added that Apple's postbacks do not have: \"ip\"."
      ])
  }

  @Test(
    "What cannot be together in a first postback",
    arguments: [
      (#""source-app-id":1,"source-domain":"a.b""#, [.bothSources]),
      (#""conversion-value":1,"coarse-conversion-value":"low""#, [.bothValues]),
      (#""source-identifier":"5239","coarse-conversion-value":"low""#, [.notBesideCoarse]),
      (#""source-identifier":"523","coarse-conversion-value":"low""#, [.notBesideCoarse]),
      (#""source-app-id":1,"coarse-conversion-value":"low""#, []),
      (#""source-identifier":"5239","conversion-value":5,"source-app-id":1"#, []),
      (#""fidelity-type":0,"source-domain":"a.b""#, [.domainOfView]),
      (#""fidelity-type":0,"source-app-id":1"#, []), (#""fidelity-type":1,"source-domain":"a.b""#, []),
    ] as [(String, [PostbackFinding.Code])])
  func together(members: String, codes: [PostbackFinding.Code]) throws {
    var json = Self.v4
    for key in ["source-identifier", "fidelity-type"] where members.contains(key) {
      json = try Self.with(key, nil, in: json)
    }
    #expect(try Self.codes(json.dropLast() + ",\(members)}") == codes)
  }

  @Test("What the second and third postback do not have")
  func later() throws {
    for index in ["1", "2"] {
      let json = try Self.with("postback-sequence-index", index, in: Self.v4)
      #expect(try Self.findings(Self.with("coarse-conversion-value", "\"low\"", in: json)) == [])
      for (key, value) in [("conversion-value", "1"), ("source-app-id", "1"), ("source-domain", "\"a.b\"")] {
        #expect(
          try Self.findings(Self.with(key, value, in: json)) == [
            "not-in-later-postback \"\(key)\" is in the first postback only, this has index 1 or 2."
          ])
      }
      #expect(
        try Self.findings(Self.with("source-identifier", "\"5239\"", in: json)) == [
          "not-in-later-postback The second and third postback have two digits of the source identifier, this has 4."
        ])
    }
  }

  @Test("What a postback that did not win does not have")
  func nonWinner() throws {
    for json in [Self.v3, Self.v4] {
      let lost = try Self.with("did-win", "false", in: json)
      #expect(try Self.findings(lost) == [])
      for key in ["conversion-value", "source-app-id"] {
        #expect(
          try Self.findings(Self.with(key, "1", in: lost)) == [
            "not-of-non-winner \"\(key)\" is not in a postback that did not win."
          ])
      }
    }
    let second = try Self.with("postback-sequence-index", "1", in: Self.with("did-win", "false", in: Self.v4))
    #expect(try Self.findings(second) == ["not-of-non-winner An ad that did not win has a first postback only."])
  }

  @Test("Without a version that is known nothing can be read")
  func version() throws {
    func problems(_ json: String) throws -> [String] {
      switch ReceivedPostback.read(try JSONReader.read(Array(json.utf8))) {
      case .success: []
      case .failure(let problems): problems.problems.map(\.message)
      }
    }
    for none in [try Self.with("version", nil, in: Self.v4), try Self.with("version", "null", in: Self.v4)] {
      #expect(
        try problems(none) == [
          "a postback needs the key \"version\"; those of version 1.0 have none, and another key of Apple's signed them"
        ])
    }
    for value in ["\"1.1\"", "\"5.0\"", "4", "\"4\"", "[]"] {
      let problems = try problems(Self.with("version", value, in: Self.v4))
      #expect(problems.count == 1)
      #expect(
        problems[0].hasPrefix(
          "\"version\" must be one of \"4.0\", \"3.0\", \"2.2\", \"2.1\", \"2.0\", \"1.0\", this is "))
    }
    #expect(try Self.codes(Self.with("version", "2.2", in: Self.with("did-win", nil, in: Self.v3))) == [.fieldForm])
    #expect(try problems("[1]") == ["a postback must be an object, this is an array"])
    #expect(try problems("5") == ["a postback must be an object, this is a number"])
  }

  @Test("Version 1.0, which states it or has its fields and no other")
  func version1() throws {
    let json =
      #"{"ad-network-id":"com.example","campaign-id":5,"app-id":1,"transaction-id":"0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d","attribution-signature":"AAAA"}"#
    let signed = ["com.example", "5", "1", "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d"]
    for text in [
      json, try Self.with("version", "\"1.0\"", in: json), try Self.with("version", "null", in: json),
      try Self.with("redownload", "true", in: Self.with("version", "\"1.0\"", in: json)),
    ] {
      let postback = try Self.read(text)
      #expect(postback.version == .v1 && postback.signedValues == signed, "\(text)")
      #expect(try Self.codes(text) == (text.contains("null") ? [.nullField] : []), "\(text)")
    }
    // A later version whose version was taken out is not of 1.0.
    for (key, value) in [("redownload", "false"), ("source-app-id", "5"), ("conversion-value", "5")] {
      let later = try Self.with(key, value, in: json)
      #expect(throws: SourceProblems.self) { try Self.read(later) }
    }
    for key in ["campaign-id", "app-id", "transaction-id", "ad-network-id"] {
      let less = try Self.with(key, nil, in: json)
      #expect(throws: SourceProblems.self) { try Self.read(less) }
      #expect(try Self.codes(Self.with("version", "\"1.0\"", in: less)) == [.fieldMissing])
    }
  }

  @Test("All findings at once, in the order of their locations")
  func all() throws {
    let json = #"{"version":"4.0","app-id":"1","redownload":0,"bogus":1,"conversion-value":99,"fidelity-type":9}"#
    let findings = try Self.read(json).findings
    // Five signed fields are missing, which is told of the whole object, and that begins first.
    #expect(findings.count == 10)
    #expect(findings.map(\.range.lowerBound) == findings.map(\.range.lowerBound).sorted())
  }
}

@Suite("An App Store id")
struct AppStoreIDTests {
  @Test(
    "A number, as postbacks, people and the App Store's addresses write it",
    arguments: [
      ("525463029", "525463029"), ("id525463029", "525463029"), ("00525463029", "525463029"), ("0", "0"), ("id0", "0"),
    ])
  func number(text: String, expected: String) { #expect(AppStoreID(text)?.text == expected) }

  @Test("Nothing else", arguments: ["", "id", "com.example.app", "-1", "1.5", "٣", " 5", "ID5", "idid5"])
  func other(text: String) { #expect(AppStoreID(text) == nil) }
}
