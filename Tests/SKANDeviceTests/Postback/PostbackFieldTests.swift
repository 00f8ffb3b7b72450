import SKANBase
import Testing

@testable import SKANDevice

/// A first postback of tier 3, of either framework, in which single fields are replaced.
private struct Whole {
  let framework: String
  /// The members of the object that holds everything; for AdAttributionKit claims and members together.
  var values: [(key: String, value: JSON)]

  static let skAdNetwork = Whole(
    framework: "SKAdNetwork",
    values: [
      ("version", .string("4.0")), ("ad-network-id", .string("com.example")), ("source-identifier", .string("5239")),
      ("app-id", .integer(1)), ("transaction-id", .string("0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d")),
      ("redownload", .bool(false)), ("source-app-id", .integer(5)), ("fidelity-type", .integer(1)),
      ("did-win", .bool(true)), ("postback-sequence-index", .integer(0)), ("conversion-value", .integer(7)),
      ("attribution-signature", .string("AAAA")),
    ])

  static let adAttributionKit = Whole(
    framework: "AdAttributionKit",
    values: [
      ("postback-identifier", .string("0B1C2D3E-4F50-4A6B-8C7D-9E0F1A2B3C4D")),
      ("ad-network-identifier", .string("com.example")), ("source-identifier", .string("5239")),
      ("advertised-item-identifier", .integer(1)), ("publisher-item-identifier", .integer(5)),
      ("marketplace-identifier", .string("com.apple.AppStore")), ("impression-type", .string("app-impression")),
      ("conversion-type", .string("download")), ("did-win", .bool(true)), ("postback-sequence-index", .integer(0)),
      ("ad-interaction-type", .string("click")), ("conversion-value", .integer(7)),
    ])

  subscript(key: String) -> JSON? {
    get { values.first { $0.key == key }?.value }
    set {
      values.removeAll { $0.key == key }
      if let newValue { values.append((key, newValue)) }
    }
  }

  func with(_ key: String, _ value: JSON?) -> Whole {
    var copy = self
    copy[key] = value
    return copy
  }

  /// The findings, each as its code and message.
  func findings() throws -> [(code: PostbackFinding.Code, message: String)] {
    let findings: [PostbackFinding]
    if framework == "SKAdNetwork" {
      let node = try JSONReader.read(Array(JSONWriter.text(.object(values)).utf8))
      findings = try ReceivedPostback.read(node).get().findings
    } else {
      let claims = values.filter { AdAttributionKitField(rawValue: $0.key)?.isSigned ?? true }
      let members = values.filter { !(AdAttributionKitField(rawValue: $0.key)?.isSigned ?? true) }
      let header = #"{"kid":"own/0","alg":"ES256"}"#
      let parts = [header, JSONWriter.text(.object(claims)), String(repeating: "a", count: 64)]
      let jws = parts.map { Base64URL.encode($0.utf8) }.joined(separator: ".")
      let text = JSONWriter.text(.object([("jws-string", .string(jws))] + members))
      findings = try #require(AdAttributionKitPostback(JSONReader.read(Array(text.utf8)))).findings
    }
    return findings.map { ($0.code, $0.message) }
  }
}

/// A row of either table, by the name of its field.
private struct Row: Sendable, CustomTestStringConvertible {
  let framework: String
  let name: String
  let row: PostbackFieldRow

  var whole: Whole { framework == "SKAdNetwork" ? .skAdNetwork : .adAttributionKit }

  var testDescription: String { "\(framework) \(name)" }

  static let all =
    PostbackField.allCases.filter { $0.row.versions.map { $0.contains(.v4) } ?? false }
    .map { Row(framework: "SKAdNetwork", name: $0.rawValue, row: $0.row) }
    + AdAttributionKitField.allCases.map { Row(framework: "AdAttributionKit", name: $0.rawValue, row: $0.row) }

  /// Values of the form, and others that are not of it.
  var samples: (right: [JSON], wrong: [JSON]) {
    func json(_ texts: String...) -> [JSON] { texts.compactMap { try? JSONReader.read(Array($0.utf8)).value } }
    func texts(_ texts: String...) -> [JSON] { texts.map(JSON.string) }
    switch row.form {
    case .choice(let names):
      if name == "version" { return ([.string("4.0")], []) }
      return (names.map(JSON.string), texts("Other", "", names[0].uppercased() + "x") + json("1", "[]"))
    case .number(let range):
      let above = range.upperBound == .max ? json("9223372036854775808") : [.integer(range.upperBound + 1)]
      let wrong = json("\"\(range.lowerBound)\"", "1.5", "true", "\(range.lowerBound - 1)")
      return ([.integer(range.lowerBound), .integer(range.upperBound)], wrong + above)
    case .boolean: return ([.bool(true), .bool(false)], json("1", "0", "\"true\"", "{}"))
    case .uuid(let example):
      let wrong = texts("id-1", "", example.replacing("-", with: ""), String(example.dropLast()) + "g")
      return (texts(example, example.uppercased()), wrong + json("1"))
    case .network(let example):
      let wrong = texts(example.uppercased(), "Com.example", "", "a b", "a\u{2063}b", "a\0")
      return (texts(example), wrong + json("1", "[]"))
    case .bundle(let example): return (texts(example), texts("", "a b") + json("1"))
    case .domain:
      let wrong = texts("example", "", "a.b\u{2063}1", "1234567891")
      return (texts("example.com", "münchen.example"), wrong + json("1"))
    case .identifier:
      return (texts("52", "523", "5239", "0000"), texts("5", "52390", "5a", "-5", "٥٢") + json("52"))
    case .country: return (texts("US", "XK"), texts("us", "ZZ", "42", "USA") + json("1"))
    case .base64: return (texts("AAAA", "AA==", "AB+/"), texts("", "AAA", "A===", "AA=A", "AA-_") + json("1"))
    }
  }

  /// The postback with the field, in a form that goes with it alone.
  func whole(with value: JSON) -> Whole {
    var whole = whole.with(name, value)
    if name == "coarse-conversion-value" {
      (whole["conversion-value"], whole["source-identifier"]) = (nil, .string("39"))
      whole["publisher-item-identifier"] = nil
    }
    if name == "source-domain" { whole["source-app-id"] = nil }
    if name == "did-win", value == .bool(false) { whole = losing(whole) }
    return whole
  }

  private func losing(_ whole: Whole) -> Whole {
    whole.with("conversion-value", nil).with("source-app-id", nil).with("publisher-item-identifier", nil)
  }
}

@Suite("The table of the fields of both frameworks' postbacks")
struct PostbackFieldTests {
  @Test("A first postback of tier 3 has no finding")
  func whole() throws {
    for whole in [Whole.skAdNetwork, .adAttributionKit] {
      let findings = try whole.findings()
      #expect(findings.isEmpty, "\(findings)")
    }
    #expect(Row.all.allSatisfy { !$0.row.source.isEmpty })
  }

  @Test("Each field of its form has no finding, and of another form one in the words of its row", arguments: Row.all)
  private func forms(row: Row) throws {
    let samples = row.samples
    for value in samples.right where row.name != "postback-sequence-index" || value == .integer(0) {
      let findings = try row.whole(with: value).findings()
      #expect(findings.isEmpty, "\(value): \(findings)")
    }
    for value in samples.wrong {
      let findings = try row.whole(with: value).findings().filter { $0.code == .fieldForm }
      let expected = row.row.form.expected(insteadOf: value) ?? "?"
      let message = findings.first?.message ?? ""
      #expect(findings.count == 1 && message.hasPrefix("\"\(row.name)\" must be \(expected), this is "), "\(findings)")
      let text = JSONWriter.text(value)
      let isShown = text.utf8.allSatisfy { $0 < 128 } && !text.hasPrefix("[") && !text.hasPrefix("{")
      #expect(!isShown || message.hasSuffix(", this is \(text)."), "\(message)")
      #expect(expected == row.row.formText || value == .string("ZZ"))
    }
  }

  @Test("A field that a postback may lack is no finding when it is missing, and any other is", arguments: Row.all)
  private func missing(row: Row) throws {
    if row.name == "version" { return }
    let findings = try row.whole.with(row.name, nil).findings()
    let isOptional = row.row.isOptional || row.name == "attribution-signature"
    #expect(findings.map(\.code) == (isOptional ? [] : [.fieldMissing]), "\(findings)")
  }

  @Test("A field stands where its row lets it, and elsewhere it is a finding", arguments: Row.all)
  private func limits(row: Row) throws {
    let value = try #require(row.samples.right.first)
    let tier3 = ["conversion-value", "source-app-id", "publisher-item-identifier"]
    let contexts: [(limit: PostbackFieldRow.Limits, code: PostbackFinding.Code, set: [(String, JSON)])] = [
      (.first, .notInLaterPostback, [("postback-sequence-index", .integer(1)), ("source-identifier", .string("39"))]),
      (.winner, .notOfNonWinner, [("did-win", .bool(false))]),
      (
        .highestTier, .notOfTier1,
        [("coarse-conversion-value", .string("low")), ("source-identifier", .string("39"))]
      ),
    ]
    for context in contexts {
      var whole = row.whole
      for key in tier3 { whole[key] = nil }
      for (key, value) in context.set { whole[key] = value }
      let before = try whole.findings()
      #expect(before.isEmpty, "\(before)")
      // Fields that make the context are not of it.
      if whole[row.name] != nil, row.row.limits.isEmpty { continue }
      whole[row.name] = value
      let codes = try whole.findings().map(\.code).filter { $0 == context.code }
      #expect(codes == (row.row.limits.contains(context.limit) ? [context.code] : []), "\(context.code)")
    }
  }

  @Test("Both frameworks say the same of the fields that both have, in the same words")
  func same() throws {
    for field in PostbackField.allCases {
      guard let other = AdAttributionKitField(rawValue: field.rawValue) else { continue }
      #expect(field.row.formText == other.row.formText && field.row.isSigned == other.row.isSigned)
      #expect(field.row.limits == other.row.limits, "\(field.rawValue)")
    }
  }

  @Test("The countries of ISO 3166-1, and no other two letters")
  func countries() throws {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    let codes = letters.flatMap { first in letters.map { "\(first)\($0)" } }
    let taken = codes.filter { PostbackFieldForm.country.expected(insteadOf: .string($0)) == nil }
    // 249 of ISO, and XK.
    #expect(taken.count == 250 && ["US", "MT", "DE", "XK", "GB"].allSatisfy(taken.contains))
    for code in ["ZZ", "AA", "UK", "EU", "XX", "QM"] {
      #expect(!taken.contains(code))
      for whole in [Whole.skAdNetwork, .adAttributionKit] {
        #expect(
          try whole.with("country-code", .string(code)).findings().map(\.message)
            == ["\"country-code\" must be the code of a country such as \"US\", this is \"\(code)\"."])
      }
    }
  }

  @Test("The signed fields of each version are those of Apple's pages, in their order")
  func signed() {
    let names = PostbackVersion.allCases.map { version in
      version.signedFields.map(\.rawValue).joined(separator: " ")
    }
    let common = "version ad-network-id campaign-id app-id transaction-id redownload source-app-id"
    #expect(
      names == [
        "version ad-network-id source-identifier app-id transaction-id redownload source-app-id source-domain "
          + "fidelity-type did-win postback-sequence-index", "\(common) fidelity-type did-win",
        "\(common) fidelity-type", common, common, "ad-network-id campaign-id app-id transaction-id",
      ])
    #expect(PostbackVersion.v1.unsignedFields == [.version, .redownload])
    #expect(PostbackVersion.v1.optionalFields.contains(.redownload))
  }
}

@Suite("Postbacks in another form than Apple's")
struct OtherFormTests {
  private static func text(_ json: String) throws -> String? {
    OtherForm(try JSONReader.read(Array(json.utf8)))?.text
  }

  private static let jws = "eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.c2ln"

  @Test("Each of Apple's keys in snake case and in camel case is named with Apple's own")
  func renamed() throws {
    let keys = PostbackField.allCases.filter { $0 != .version && $0 != .redownload }.map(\.rawValue) + ["jws-string"]
    for key in keys {
      let parts = key.split(separator: "-").map(String.init)
      let camel = parts[0] + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
      for name in [key.replacing("-", with: "_"), camel, key.uppercased()] {
        let text = try #require(try Self.text(#"{"\#(name)":"\#(Self.jws)"}"#), "\(name)")
        #expect(text.contains("\"\(name)\" is ") && text.hasSuffix("\"\(key)\""), "\(text)")
      }
      #expect(try Self.text(#"{"\#(key)":"\#(Self.jws)"}"#) == nil)
    }
    // The first one is the place.
    for (one, two) in [("app_id", "campaignId"), ("campaignId", "app_id")] {
      let form = try #require(OtherForm(try JSONReader.read(Array(#"{"a":1,"\#(one)":1,"\#(two)":1}"#.utf8))))
      #expect([7, 8].contains(form.range.lowerBound) && form.text.contains("\"\(one)\" is "), "\(form)")
    }
    // A postback that states its version is read, and its keys are findings.
    #expect(try Self.text(#"{"version":"4.0","app_id":5}"#) == nil)
    #expect(try Self.text(#"{"app-id":5,"app_id":5}"#) == nil)
  }

  @Test("A postback within another object, as a text and in base64")
  func wrapped() throws {
    let body = #"{"jws-string":"\#(Self.jws)"}"#
    let base64 = Base64URL.encode(Self.jws.utf8)
    for (json, text) in [
      (#"{"postback":\#(body)}"#, #"the postback is within "postback": pass on its object alone"#),
      (#"{"a":1,"data":{"app-id":5}}"#, #"the postback is within "data": pass on its object alone"#),
      (#"{"list":[\#(body)]}"#, #"the postbacks are within "list": pass on that list alone"#),
      (#"{"jws":"\#(Self.jws)"}"#, #""jws" is a JWS, and Apple's key for it is "jws-string""#),
      (#"{"p":\#(JSONWriter.quoted(body))}"#, #""p" is a postback as a text: pass on the object in it"#),
      (#"{"p":"\#(base64)"}"#, #""p" is the base64 of a JWS: decode it first"#),
      (#"{"p":"\#(Base64URL.encode(body.utf8))"}"#, #""p" is the base64 of a postback: decode it first"#),
      ("\"\(base64)\"", "this is the base64 of a JWS: decode it first, as with base64 -d"),
      ("\"\(base64)==\"", "this is the base64 of a JWS: decode it first, as with base64 -d"),
    ] {
      #expect(try Self.text(json) == text)
    }
    for json in [
      "{}", "[]", "5", "\"hello\"", #"{"a":{}}"#, #"{"a":"bbbbbbbbbbbbbbbbbbbb"}"#, #"{"a":{"b":{"app-id":5}}}"#, body,
    ] {
      #expect(try Self.text(json) == nil, "\(json)")
    }
  }

  @Test("A postback of AdAttributionKit has a JWS, whatever its form; one of SKAdNetwork may have null for it")
  func jwsOfOthers() throws {
    for (jws, isOurs, isOursWithVersion) in [
      ("\"\(Self.jws)\"", true, true), ("\"x\"", true, true), ("5", true, false), ("{}", true, false),
      ("null", false, false),
    ] {
      for (version, expected) in [("", isOurs), (#","version":"4.0""#, isOursWithVersion)] {
        let json = #"{"jws-string":\#(jws)\#(version)}"#
        #expect((AdAttributionKitPostback(try JSONReader.read(Array(json.utf8))) != nil) == expected, "\(json)")
      }
    }
  }
}
