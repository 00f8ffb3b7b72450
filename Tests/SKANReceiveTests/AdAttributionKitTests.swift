import Foundation
import SKANBase
import SKANDevice
import SKANModel
import SKANSigning
import Testing

@testable import SKANReceive

/// Postbacks of AdAttributionKit whose signature nothing looks at.
private struct AdAttributionKitSample {
  var id = "0B1C2D3E-4F50-4A6B-8C7D-9E0F1A2B3C4D"
  var type = "download"
  var index = 0
  var app = "525463029"
  var hasWon = true
  var members = #""ad-interaction-type":"click","conversion-value":12"#

  var jws: String {
    let claims =
      #"{"postback-identifier":"\#(id)","ad-network-identifier":"com.example","source-identifier":"5239","#
      + #""advertised-item-identifier":\#(app),"impression-type":"app-impression","conversion-type":"\#(type)","#
      + #""did-win":\#(hasWon),"postback-sequence-index":\#(index)}"#
    let parts = [#"{"kid":"apple-cas-identifier/0","alg":"ES256"}"#, claims].map { Base64URL.encode($0.utf8) }
    return (parts + [Base64URL.encode([UInt8](repeating: 1, count: 64))]).joined(separator: ".")
  }

  var body: String { #"{"jws-string":"\#(jws)",\#(members)}"# }

  func record(
    _ key: ReceivedSignature.Key? = .apple, _ repetition: Repetition = .first, body: String? = nil
  ) -> ReceivedRecord {
    var record = Samples.record(body ?? self.body, repetition)
    record.signature = ReceivedSignature(key == nil ? .notChecked : .valid, key: key)
    (record.framework, record.conversionType) = (.adAttributionKit, type)
    return record
  }
}

@Suite("AdAttributionKit: postbacks received")
struct AdAttributionKitTests {
  private static let checked = ReceivedSignature(.valid, key: .apple)

  @Test("Copies by the identifier, whatever its case; a member beside the JWS that differs is a conflict")
  func copies() throws {
    var memory = PostbackMemory()
    let first = AdAttributionKitSample()
    memory.add(try Samples.document(first.body), Self.checked, line: 1)
    var small = first
    small.id = first.id.lowercased()
    var other = first
    other.id = first.id.replacing("0B1C", with: "1B1C")
    var later = first
    later.index = 1
    for (body, repetition) in [
      (first.body, Repetition.duplicate), (small.body, .duplicate), (other.body, .first), (later.body, .conflict),
      (first.body.replacing(":12", with: ":13"), .conflict), (first.body.replacing("click", with: "view"), .conflict),
      (first.body.replacing(",\"conversion-value\":12", with: ""), .conflict), (first.jws, .conflict),
      (first.body.replacing("{\"jws", with: "{\"country-code\":\"US\",\"jws"), .conflict),
      (first.body.replacing("{\"jws", with: "{\"ip\":\"192.0.2.1\",\"country-code\":null,\"jws"), .duplicate),
    ] {
      #expect(memory.repetition(of: try Samples.document(body), Self.checked).0 == repetition, "\(body)")
    }
    // A postback of SKAdNetwork with the same id is another one.
    #expect(memory.repetition(of: try Samples.document(Samples.text(id: first.id)), Self.checked).0 == .first)
    // What an earlier version did not check keeps its verdict, and does not take the place of a copy that verifies.
    var earlier = PostbackMemory()
    earlier.add(try Samples.document(first.body), ReceivedSignature(.notChecked, key: .development), line: 1)
    #expect(earlier.repetition(of: try Samples.document(first.body), Self.checked) == (.first, nil))
  }

  @Test("A line of an earlier version is read as it is; one of this version has the framework and the type")
  func lines() throws {
    let sample = AdAttributionKitSample()
    var record = sample.record()
    let line = String(decoding: record.line, as: UTF8.self)
    #expect(line.contains(#","campaign":null,"protocol":"aak","conversion_type":"download","body":"#))
    #expect(try ReceivedRecord(Array(line.utf8.dropLast())) == record)
    let skan = String(decoding: Samples.record(Samples.text()).line, as: UTF8.self)
    #expect(!skan.contains("protocol") && !skan.contains("conversion_type"))
    let earlier = line.replacing(#""protocol":"aak","conversion_type":"download","#, with: "")
      .replacing(#""valid","key":"apple""#, with: #""not-checked","key":"development""#)
    (record.framework, record.conversionType) = (.skAdNetwork, nil)
    record.signature = ReceivedSignature(.notChecked, key: .development)
    #expect(try ReceivedRecord(Array(earlier.utf8.dropLast())) == record)
    var report = PostbackReport()
    let later = sample.record()
    for record in [try ReceivedRecord(Array(earlier.utf8.dropLast())), later] {
      report.add(record, try Samples.document(record.body))
    }
    #expect(report.total(.apple)?.installs == 1 && report.total(.apple)?.duplicates == 0)
    #expect(report.total(.unverified)?.notChecked == 1 && report.total(.development) == nil)
    for (old, wrong) in [("\"aak\"", "\"ska\""), ("\"aak\"", "5"), ("\"download\",\"body", "7,\"body")] {
      let text = line.replacing(old, with: wrong)
      #expect(text != line)
      #expect(throws: SourceProblems.self) { try ReceivedRecord(Array(text.utf8.dropLast())) }
    }
  }

  @Test("The counts: re-engagements are no installs, redownloads and windows as of SKAdNetwork")
  func counts() throws {
    var report = PostbackReport()
    let bodies = [
      AdAttributionKitSample(id: "a"), AdAttributionKitSample(id: "b", type: "redownload"),
      AdAttributionKitSample(id: "c", type: "re-engagement"),
      AdAttributionKitSample(
        id: "d", type: "re-engagement", index: 1,
        members: #""ad-interaction-type":"click","coarse-conversion-value":"low""#),
      AdAttributionKitSample(id: "e", hasWon: false, members: #""ad-interaction-type":"view""#),
    ]
    for body in bodies { report.add(body.record(), try Samples.document(body.body)) }
    report.add(Samples.record(Samples.text()), try Samples.document(Samples.text()))
    let counts = try #require(report.total(.apple))
    #expect(counts.installs == 2 && counts.redownloads == 1 && counts.reEngagements == 1 && counts.notWon == 1)
    #expect(counts.windows == [5, 1, 0] && counts.fine == [12: 4] && counts.coarse[1] == [1, 0, 0])
    #expect(counts.won == 5 && counts.withoutValue == 0)
    #expect(report.defaultDimensions == [.framework, .conversionType, .network, .campaign, .app])
    let table = try #require(report.tables(by: .postbackDate, grouping: [.framework, .conversionType]).first)
    #expect(
      table.rows.map(\.group) == [
        ["aak", "download"], ["aak", "re-engagement"], ["aak", "redownload"], ["skan", ""],
      ])
    #expect(table.rows.map(\.counts.installs) == [1, 0, 0, 1])
    let csv = report.csv(by: .postbackDate, grouping: [.network, .framework]).split(separator: "\n")
    #expect(csv[0].hasSuffix(",events,protocol,conversion_type,re_engagements"))
    #expect(
      csv.count == 7 && csv.contains { $0.hasSuffix(",aak,re-engagement,1") }
        && csv.contains { $0.hasSuffix(",skan,,0") }
    )
    let json = ShownPostbackReport(report, by: .postbackDate, grouping: []).json
    #expect(json["apple"]?["total"]?["re_engagements"] == .integer(1))
    let html = report.html(by: .postbackDate, grouping: report.defaultDimensions)
    #expect(html.contains("<dt>re-engagements</dt>"))
    // Of SKAdNetwork alone nothing of it is shown.
    let other = try PostbackReport([ReportLine()])
    #expect(other.defaultDimensions == [.network, .campaign, .app])
    #expect(
      !JSONWriter.text(ShownPostbackReport(other, by: .postbackDate, grouping: []).json).contains("re_engagements"))
    #expect(!other.html(by: .postbackDate, grouping: []).contains("re-engagements"))
  }

  @Test("Development keys do not count unless they are allowed, and never with Apple's")
  func development() throws {
    let sample = AdAttributionKitSample()
    for isAllowed in [false, true] {
      var report = PostbackReport(allowsDevelopment: isAllowed)
      report.add(sample.record(.development), try Samples.document(sample.body))
      report.add(sample.record(.apple), try Samples.document(sample.body))
      var ofSKAdNetwork = ReportLine()
      ofSKAdNetwork.signature = ReceivedSignature(.valid, key: .development)
      report.add(ofSKAdNetwork.record, try Samples.document(ofSKAdNetwork.record.body))
      #expect(report.total(.apple)?.installs == 1)
      #expect(report.total(.development)?.installs == (isAllowed ? 2 : 1))
      #expect(report.uncountedDevelopment == (isAllowed ? 0 : 1))
      let json = ShownPostbackReport(report, by: .postbackDate, grouping: []).json
      #expect(json["development_not_counted"] == (isAllowed ? nil : .integer(1)))
      let sentence = "1 development postback of AdAttributionKit not counted"
      #expect(report.html(by: .postbackDate, grouping: []).contains(sentence) == !isAllowed)
    }
  }

  @Test("Passed on: the bytes as they came, the framework and the type, and the identifier as idempotency key")
  func forwarded() throws {
    let sample = AdAttributionKitSample()
    let postback = try #require(ForwardedPostback(sample.record()))
    #expect(postback.idempotencyKey == "apple/aak/0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d")
    let added =
      #","received_at":"2026-06-01T12:00:00.25Z","simulated":false,"decoded":null,"campaign":null,"protocol":"aak","#
      + #""conversion_type":"download"}"#
    #expect(String(decoding: postback.body, as: UTF8.self) == sample.body.dropLast() + added)
    // A JWS alone becomes an object.
    for body in [sample.jws, "\"\(sample.jws)\""] {
      let alone = try #require(ForwardedPostback(sample.record(body: body)))
      #expect(String(decoding: alone.body, as: UTF8.self) == "{\"jws-string\":\"\(sample.jws)\"" + added)
    }
    #expect(ForwardedPostback(sample.record(.development)) == nil)
    let development = try #require(ForwardedPostback(sample.record(.development), allowsDevelopment: true))
    #expect(try JSONReader.read(development.body).value["development"] == .bool(true))
    #expect(development.idempotencyKey.hasPrefix("development/aak/"))
    #expect(ForwardedPostback(sample.record(nil)) == nil && ForwardedPostback(sample.record(.apple, .conflict)) == nil)
  }

  @Test("The value is decoded, and the campaign found, as of SKAdNetwork 4")
  func decoded() throws {
    let model = try ConversionModel(
      Array(
        #"""
        {"fine_grained_conversion_value_mappings":[
          {"fine_grained_conversion_value":12,"conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"a"}]}}]}
        """#.utf8))
    var models = DecodingModels()
    try models.add(model, file: "m.json", for: AppStoreID("525463029"), from: nil)
    let sample = AdAttributionKitSample()
    let time = Instant(microseconds: 1_780_315_200_000_000)
    func decoded(_ body: String) throws -> DecodedValue? {
      models.decode(try Samples.document(body), receivedAt: time, isDevelopment: false)
    }
    #expect(try decoded(sample.body) == decoded(Samples.text()))
    #expect(try decoded(sample.body)?.meaning != nil)
    #expect(try decoded(AdAttributionKitSample(app: "5").body) == nil)
    #expect(try decoded(AdAttributionKitSample(index: 1).body)?.undecoded == "a fine value belongs to postback 0")
    let map = try CampaignMap(Array("network,identifier,campaign_id\ncom.example,39,c-1\n".utf8), file: "c.csv")
    let campaign = map.campaign(of: try Samples.document(sample.body), receivedAt: time, isDevelopment: false)
    #expect(campaign == .match(CampaignMatch(id: "c-1")))
  }

  @Test("The deliveries of a test: each kind, signed parts altered, and one report")
  func deliveries() throws {
    let key = try PrivateKey(pem: Self.privatePEM)
    var plan = try ReceiverPlan(app: .sample, seed: 1, model: nil) { _ in nil }
    let others = plan.deliveries.count
    try plan.addAdAttributionKit { (text) throws(SigningError) in
      try SignatureTool.platform().signES256(Array(text.utf8), with: key)
    }
    plan.keepOnly(.adAttributionKit)
    #expect(others == 64 && plan.deliveries.count == 33 && plan.deliveries.allSatisfy { $0.id.hasPrefix("aak-") })
    var keys = AdAttributionKitKeys()
    #expect(try Self.adds(PublicKey(Self.publicBase64), to: &keys))
    let checker = PostbackChecker(keys: keys, tool: .platform())
    for delivery in plan.deliveries {
      for kept in delivery.kept {
        let document = try PostbackDocument(kept.body)
        let signature = ReceivedSignature(try checker.verdict(on: document))
        #expect(signature.verdict == kept.signature.verdict && signature.key == kept.signature.key, "\(delivery.id)")
        let isOdd = ["aak-unknown-members"].contains(delivery.id)
        #expect(document.adAttributionKit?.findings.isEmpty == !isOdd, "\(delivery.id)")
      }
    }
    let findings = plan.deliveries.map { ReceiverFinding($0, .right("200")) }
    let report = plan.expectedReport(findings, by: DecodingModels(), at: Instant(microseconds: 1))
    let total = report["simulated"]?["total"]
    #expect(total?["installs"] == .integer(16) && total?["re_engagements"] == .integer(1), "\(JSONWriter.text(report))")
    #expect(
      total?["duplicates"] == .integer(2) && total?["conflicts"] == .integer(2) && total?["not_won"] == .integer(1))
    #expect(
      report["development"] == .null && report["apple"] == .null && report["development_not_counted"] == .integer(1))
    #expect(report["unverified"]?["total"]?["invalid"] == .integer(5))
  }

  private static func adds(_ key: PublicKey, to keys: inout AdAttributionKitKeys) -> Bool {
    keys.add(key, as: AdAttributionKitKeys.simulatedKeyID)
  }

  private static let privatePEM = """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIDUL6BpcV5jK4shPH1GWjmyFBj7FYPbIncVSFFxQZ1JGoAoGCCqGSM49
    AwEHoUQDQgAEdOy2n60bRHQQYbt5OT8HwRpSKhATHdFvsxVpp2Y4XfpZ3/M4UQSx
    I3yYPG0MrZ8TYDvfJPukw+T1ag2P+Q46ig==
    -----END EC PRIVATE KEY-----

    """
  private static let publicBase64 =
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdOy2n60bRHQQYbt5OT8HwRpSKhATHdFvsxVpp2Y4XfpZ3/M4UQSxI3yYPG0MrZ8TYDvfJPukw+T1ag2P"
    + "+Q46ig=="
}

@Suite("The country of a postback")
struct PostbackCountryTests {
  private static func sample(_ country: String?) -> AdAttributionKitSample {
    var sample = AdAttributionKitSample()
    if let country {
      sample.id = "id-\(country)"
      sample.members += #","country-code":"\#(country)""#
    }
    return sample
  }

  /// The record as a receiver with a map of campaigns makes it.
  private static func record(_ country: String?, _ rows: String...) throws -> ReceivedRecord {
    let sample = sample(country)
    let head = "network,identifier,campaign_id,country\n"
    var context = PostbackContext()
    if !rows.isEmpty {
      context.campaigns = try CampaignMap(Array((head + rows.joined(separator: "\n")).utf8), file: "c.csv")
    }
    var record = sample.record()
    context.add(to: &record, of: try Samples.document(sample.body))
    return record
  }

  @Test("A map that says another country is contradicted; one that says none, or no code, is not")
  func contradicted() throws {
    for (country, rows, message) in [
      ("US", ["com.example,5239,c-1,DE"], "\"country-code\" is \"US\", and c.csv has DE for campaign c-1 (line 2)."),
      (
        "US", ["com.example,5239,c-1,de", "com.example,39,c-1,US"],
        "\"country-code\" is \"US\", and c.csv has DE for campaign c-1 (line 2)."
      ),
      ("US", ["com.example,5239,c-1,US"], nil), ("US", ["com.example,5239,c-1,us"], nil),
      ("US", ["com.example,5239,c-1,"], nil), ("US", ["com.example,5239,c-1,Germany"], nil),
      ("US", ["com.example,5239,c-1,DE", "com.example,5239,c-1,US"], nil),
      ("US", ["com.example,5239,c-1,DE", "com.example,5239,c-1,"], nil),
      (
        "US", ["com.example,5239,c-1,FR", "com.example,5239,c-1,DE"],
        "\"country-code\" is \"US\", and c.csv has DE or FR for campaign c-1 (lines 2, 3)."
      ),
      (nil, ["com.example,5239,c-1,DE"], nil), ("US", [], nil),
    ] as [(String?, [String], String?)] {
      let record: ReceivedRecord
      switch rows.count {
      case 0: record = try Self.record(country)
      case 1: record = try Self.record(country, rows[0])
      default: record = try Self.record(country, rows[0], rows[1])
      }
      #expect(record.findings.map(\.message) == [message].compactMap(\.self), "\(rows)")
      #expect(record.findings.allSatisfy { $0.code == "country-contradicted" })
      // The file keeps what the map says.
      #expect(try ReceivedRecord(Array(record.line.dropLast())) == record)
    }
  }

  @Test("Its report: by the postback's own country, then by the map's; not signed, and what is contradicted")
  func report() throws {
    var report = PostbackReport()
    for record in [
      try Self.record("US", "com.example,5239,c-1,DE"), try Self.record("MT"),
      try Self.record(nil, "com.example,5239,c-1,DE"),
    ] {
      report.add(record, try Samples.document(record.body))
    }
    let table = try #require(report.tables(by: .postbackDate, grouping: [.country]).first)
    #expect(table.rows.map(\.group) == [["DE"], ["MT"], ["US"]] && table.total.statedCountries == 2)
    #expect(report.heading(of: .country) == "country (not signed)" && report.heading(of: .network) == "network")
    let remarks = table.total.remarks([.country])
    #expect(
      remarks.contains("country: 2 by country-code, which is not signed; the campaign map contradicts 1")
        && remarks.contains("contradictions: country-contradicted 1"), "\(remarks)")
    #expect(!table.total.remarks([.network]).contains { $0.hasPrefix("country: ") })
    let json = ShownPostbackReport(report, by: .postbackDate, grouping: [.network, .country]).json
    #expect(json["not_signed"] == .array([.string("country")]))
    let other = ShownPostbackReport(report, by: .postbackDate, grouping: [.network]).json
    #expect(other["not_signed"] == nil)
    let csv = report.csv(by: .postbackDate, grouping: [.country]).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(csv[0].suffix(2) == ["country_code_postbacks", "country_contradicted"])
    let counts: [String] = csv.dropFirst().map { $0.suffix(2).joined(separator: " ") }
    #expect(counts == ["0 0", "1 0", "1 1"])
    #expect(!report.csv(by: .postbackDate, grouping: [.network]).contains("country_code_postbacks"))
    // A map alone is as before.
    var mapped = PostbackReport()
    let record = try Self.record(nil, "com.example,5239,c-1,DE")
    mapped.add(record, try Samples.document(record.body))
    #expect(mapped.heading(of: .country) == "country")
    #expect(mapped.tables(by: .postbackDate, grouping: [.country]).first?.total.remarks([.country]).count == 1)
  }

  @Test("What contradicts Apple's tables is counted beside the postbacks, each code once for a postback")
  func contradictions() throws {
    var report = PostbackReport()
    for (id, codes) in [
      ("a", ["not-of-tier-1", "not-of-tier-1", "added-keys"]), ("b", ["not-of-tier-1", "both-values"]), ("c", []),
    ] {
      var record = AdAttributionKitSample(id: id).record()
      record.findings = codes.map { ReceivedRecord.Finding(code: $0, message: "") }
      report.add(record, try Samples.document(record.body))
    }
    let total = try #require(report.total(.apple))
    #expect(total.remarks([]).contains("contradictions: both-values 1, not-of-tier-1 2"), "\(total.remarks([]))")
    #expect(PostbackFinding.Code.allCases.filter(\.isContradiction).count == 9)
  }
}
