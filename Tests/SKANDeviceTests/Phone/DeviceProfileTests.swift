import SKANBase
import Testing

@testable import SKANDevice

@Suite("Profiles in our files")
struct DeviceProfileTests {
  @Test("What is absent keeps its default")
  func defaults() throws {
    let (profile, problems) = try read("{}")
    #expect(problems.isEmpty)
    #expect(profile == DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: "p")))
    #expect(profile.snippet == .skan4 && profile.ios.text == "17.4" && profile.bundleID == "com.example.app")
    #expect(profile.appVersion == "1.0" && profile.idfa == nil && profile.build == .appStore)
    #expect(profile.clock == .production && profile.seed == 0)
    let ad = try #require(profile.ad)
    #expect(ad.version == "4.0" && ad.network == "com.example" && ad.appID == 525_463_029 && ad.fidelity == 1)
    #expect(ad.campaign == .sourceIdentifier("5239") && ad.source == .app(1_234_567_891))
    #expect(ad.won && !ad.redownload && ad.tier == 3)
  }

  @Test(
    "There and back",
    arguments: [
      "{}", #"{"snippet":"skan3","ios":"14.5.1","bundle_id":"B","app_version":"","idfv":null,"idfa":"X"}"#,
      #"{"ad":false}"#,
      #"{"snippet":"skan4-beta","build":"development","clock":"developer","seed":-7,"idfv":""}"#,
      #"{"ad":{"version":"3.0","campaign":100,"source_domain":"a.b","fidelity":0,"won":false,"redownload":true,"tier":0}}"#,
      #"{"ad":{"network":"n","app_id":0,"source_identifier":"0000","source_app_id":9}}"#, #"{"ad":{"version":"2.0"}}"#,
      #"{"ad":{"country":"US"}}"#, #"{"ad":{"version":"3.0","country":"MT"}}"#,
      #"{"ad":{"framework":"adattributionkit"}}"#,
      #"{"ad":{"framework":"adattributionkit","network":"n","source_identifier":"0001","app_id":9007199254740993,"publisher_id":0,"marketplace":"m","interaction":"view","conversion":"redownload","won":false,"tier":0,"country":"DE"}}"#,
      #"{"ad":{"lost":[{"network":"n"},{"framework":"adattributionkit","network":"o","source_identifier":"0001"}]}}"#,
    ])
  func roundTrip(text: String) throws {
    let (profile, problems) = try read(text)
    #expect(problems.isEmpty)
    let (again, _) = try read(JSONWriter.text(profile.json, layout: .file))
    #expect(again == profile)
  }

  @Test(
    "An idfv is derived, given or none",
    arguments: [("{}", DeviceProfile.derivedIDFV(phone: "p")), (#"{"idfv":"X"}"#, "X"), (#"{"idfv":null}"#, nil)]
      as [(String, String?)])
  func idfv(text: String, expected: String?) throws {
    #expect(try read(text).profile.idfv == expected)
  }

  @Test(
    "An idfa is given or none, never empty",
    arguments: [("{}", nil), (#"{"idfa":"X"}"#, "X"), (#"{"idfa":null}"#, nil), (#"{"idfa":""}"#, nil)]
      as [(String, String?)])
  func idfa(text: String, expected: String?) throws {
    #expect(try read(text).profile.idfa == expected)
  }

  @Test(
    "What iOS gives no app is a note",
    arguments: [
      ("{}", []), (#"{"idfv":null,"idfa":null}"#, []), (#"{"idfa":""}"#, []),
      (#"{"idfv":"123"}"#, ["123"]), (#"{"idfv":""}"#, ["\"\""]), (#"{"idfa":"yes"}"#, ["yes"]),
      (#"{"idfv":"21DB6612-09B3-4ECC-84AC-B353B0AF1334","idfa":"21db6612-09b3-4ecc-84ac-b353b0af1334"}"#, []),
      (#"{"idfv":"00000000-0000-0000-0000-000000000000"}"#, ["vendors"]),
      (#"{"idfa":"00000000-0000-0000-0000-000000000000"}"#, ["advertisers"]),
      (#"{"idfv":"21DB6612-09B3-4ECC-84AC-B353B0AF133"}"#, ["vendors"]),
      (#"{"app_version":""}"#, ["app_version"]), (#"{"app_version":" \t"}"#, ["app_version"]),
      (#"{"bundle_id":""}"#, ["bundle_id"]), (#"{"app_version":"0"}"#, []),
      (#"{"idfv":"1","idfa":"2","app_version":"","bundle_id":""}"#, ["\"1\"", "\"2\"", "app_version", "bundle_id"]),
    ])
  func oddities(text: String, words: [String]) throws {
    let warnings = try read(text).profile.warnings
    #expect(warnings.count == words.count && warnings.allSatisfy { $0.kind == .oddProfile && $0.level == .note })
    for (warning, word) in zip(warnings, words) { #expect(warning.message.contains(word)) }
  }

  @Test(
    "What is wrong",
    arguments: [
      (#"{"snippet":"skan5"}"#, "\"snippet\" must be one of \"skan4\", \"skan4-beta\", \"skan3\", this is \"skan5\""),
      (#"{"snippet":"SKAN4"}"#, "\"snippet\" must be one of \"skan4\", \"skan4-beta\", \"skan3\", this is \"SKAN4\""),
      (#"{"ios":17.4}"#, "\"ios\" must be an iOS version such as \"17.4\", this is 17.4"),
      (#"{"ios":"x"}"#, "\"ios\" must be an iOS version such as \"17.4\", this is \"x\""),
      (#"{"bundle_id":null}"#, "\"bundle_id\" must be a string, this is null"),
      (#"{"idfv":5}"#, "\"idfv\" must be a string, this is 5"),
      (#"{"build":"debug"}"#, "\"build\" must be one of \"appstore\", \"development\", this is \"debug\""),
      (#"{"clock":"fast"}"#, "\"clock\" must be one of \"production\", \"developer\", this is \"fast\""),
      (#"{"seed":1.5}"#, "\"seed\" must be a whole number, this is 1.5"),
      (#"{"ad":true}"#, "\"ad\" must be an object, or false for an organic install"),
      (#"{"ad":null}"#, "an ad must be an object, this is null"),
      (#"{"ad":{"versoin":"4.0"}}"#, "an ad has no key \"versoin\"; did you mean \"version\"?"),
      (
        #"{"ad":{"version":"5.0"}}"#,
        "\"version\" must be one of \"4.0\", \"3.0\", \"2.2\", \"2.1\", \"2.0\", this is \"5.0\""
      ),
      (#"{"ad":{"tier":4}}"#, "\"tier\" must be a whole number from 0 to 3, this is 4"),
      (#"{"ad":{"fidelity":2}}"#, "\"fidelity\" must be a whole number from 0 to 1, this is 2"),
      (#"{"ad":{"version":"3.0","campaign":0}}"#, "\"campaign\" must be a whole number from 1 to 100, this is 0"),
      (#"{"ad":{"source_identifier":"52"}}"#, "\"source_identifier\" must be a string of four digits, this is \"52\""),
      (
        #"{"ad":{"source_identifier":"+123"}}"#,
        "\"source_identifier\" must be a string of four digits, this is \"+123\""
      ),
      (#"{"ad":{"source_identifier":5239}}"#, "\"source_identifier\" must be a string of four digits, this is 5239"),
      (#"{"ad":{"campaign":5}}"#, "\"campaign\" is for versions up to 3; version 4.0 has \"source_identifier\" (5)"),
      (
        #"{"ad":{"version":"2.2","source_identifier":"1234"}}"#,
        "\"source_identifier\" is for version 4.0; version 2.2 has \"campaign\""
      ),
      (
        #"{"ad":{"source_app_id":1,"source_domain":"a.b"}}"#,
        "an ad has \"source_app_id\" or \"source_domain\", not both"
      ),
      (#"{"ad":{"app_id":-1}}"#, "\"app_id\" must be a whole number from 0 to 9223372036854775807, this is -1"),
      (#"{"ad":{"won":"yes"}}"#, "\"won\" must be true or false, this is \"yes\""),
    ])
  func problems(text: String, message: String) throws {
    #expect(try read(text).problems.map(\.message) == [message])
  }

  @Test(
    "What is wrong with an ad of AdAttributionKit, and with impressions that lost",
    arguments: [
      (
        #"{"ad":{"framework":"aak"}}"#,
        "\"framework\" must be one of \"skadnetwork\", \"adattributionkit\", this is \"aak\""
      ),
      (
        #"{"ad":{"framework":"adattributionkit","version":"4.0"}}"#,
        "\"version\" belongs to SKAdNetwork; an ad of AdAttributionKit has none"
      ),
      (
        #"{"ad":{"framework":"adattributionkit","fidelity":1}}"#,
        "\"fidelity\" belongs to SKAdNetwork; an ad of AdAttributionKit has \"interaction\""
      ),
      (
        #"{"ad":{"framework":"adattributionkit","source_domain":"a.b"}}"#,
        "\"source_domain\" belongs to SKAdNetwork; an ad of AdAttributionKit has \"publisher_id\""
      ),
      (#"{"ad":{"country":"us"}}"#, "\"country\" must be two capital letters such as \"US\", this is \"us\""),
      (#"{"ad":{"publisher_id":0}}"#, "\"publisher_id\" goes with \"framework\": \"adattributionkit\""),
      (
        #"{"ad":{"framework":"adattributionkit","country":"us"}}"#,
        "\"country\" must be two capital letters such as \"US\", this is \"us\""
      ),
      (
        #"{"ad":{"framework":"adattributionkit","interaction":"tap"}}"#,
        "\"interaction\" must be \"click\" or \"view\", this is \"tap\""
      ),
      (
        #"{"ad":{"framework":"adattributionkit","conversion":"re-engagement"}}"#,
        "\"conversion\" must be \"download\" or \"redownload\", this is \"re-engagement\""
      ),
      (#"{"ad":{"framework":"adattributionkit","network":""}}"#, "\"network\" must not be empty"),
      (#"{"ad":{"framework":"adattributionkit","marketplace":""}}"#, "\"marketplace\" must not be empty"),
      (
        #"{"ad":{"framework":"adattributionkit","publisher_id":-1}}"#,
        "\"publisher_id\" must be a whole number from 0 to 9223372036854775807, this is -1"
      ),
      (
        #"{"ad":{"framework":"adattributionkit","source_identifier":5239}}"#,
        "\"source_identifier\" must be a string of four digits, this is 5239"
      ),
      (#"{"ad":{"lost":{}}}"#, "\"lost\" must be an array, this is an object"),
      (#"{"ad":{"lost":[5]}}"#, "an impression that lost must be an object, this is a number"),
      (#"{"ad":{"lost":[{}]}}"#, "an impression that lost needs the key \"network\""),
      (#"{"ad":{"lost":[{"network":""}]}}"#, "\"network\" must not be empty"),
      (
        #"{"ad":{"lost":[{"network":"a","netwrk":"b"}]}}"#,
        "an impression that lost has no key \"netwrk\"; did you mean \"network\"?"
      ),
      (
        #"{"ad":{"lost":[{"network":"com.example"}]}}"#,
        "\"lost\" names the network \"com.example\" again: each has one postback"
      ),
      (
        #"{"ad":{"won":false,"lost":[{"network":"a"}]}}"#,
        "\"lost\" goes with an ad that won: one impression wins an install"
      ),
      (
        #"{"ad":{"lost":[{"network":"a"},{"network":"b"},{"network":"c"},{"network":"d"},{"network":"e"},{"network":"f"}]}}"#,
        "\"lost\" has at most 5 impressions, these are 6: Apple considers six"
      ),
    ])
  func adAttributionKitProblems(text: String, message: String) throws {
    #expect(try read(text).problems.map(\.message) == [message])
  }

  @Test(
    "AdAttributionKit needs iOS 17.4, also for an impression that lost",
    arguments: [
      ("17.3", #"{"framework":"adattributionkit"}"#, true), ("17.4", #"{"framework":"adattributionkit"}"#, false),
      ("17.3", #"{"lost":[{"framework":"adattributionkit","network":"n"}]}"#, true),
      ("17.3", #"{"lost":[{"network":"n"}]}"#, false), ("17.3", "false", false),
    ])
  func minimum(ios: String, ad: String, isTooOld: Bool) throws {
    let profile = try read(#"{"ios":"\#(ios)","ad":\#(ad)}"#).profile
    #expect((profile.iosProblem?.key == "ad") == isTooOld)
  }

  @Test("All problems at once")
  func all() throws {
    let text = #"{"ios":1,"seed":"x","ad":{"tier":9,"zzz":1},"bundel_id":"b"}"#
    #expect(try read(text).problems.count == 5)
  }

  private func read(_ text: String) throws -> (profile: DeviceProfile, problems: [SourceProblem]) {
    var reader = JSONObjectReader(
      try JSONReader.read(Array(text.utf8)), what: "a profile", known: JSONKeys(DeviceProfile.keys))
    let profile = DeviceProfile(from: &reader, phone: "p")
    return (profile, reader.problems)
  }

  @Test("An ad has one identifier of its campaign")
  func campaigns() throws {
    let problems = try read(#"{"ad":{"source_identifier":"5239","campaign":5}}"#).problems
    #expect(
      problems.map(\.message) == [
        "an ad has \"source_identifier\" (version 4) or \"campaign\" (up to 3), not both",
        "\"campaign\" is for versions up to 3; version 4.0 has \"source_identifier\" (5)",
      ])
  }
}

@Suite("Derived identifiers for vendors")
struct DerivedIDFVTests {
  @Test(
    "Always the same for the same name",
    arguments: [
      ("", "92DEA3FE-594B-8C7E-92DB-3DFE5948A955"), ("phone", "4C2C3906-D824-856E-996B-581AA9E488DF"),
      ("Ann's iPhone", "F90E0989-CA36-88C8-9EAB-67CF116BA9DF"), ("é漢", "A2DF43BD-1A47-8A3E-B0A7-464110205C4B"),
      ("a", "DBDCC831-BB5F-88AD-9333-8B31B677835C"), ("b", "DBDCC531-BB5F-8394-9333-8E31B6778875"),
    ])
  func examples(name: String, expected: String) {
    #expect(DeviceProfile.derivedIDFV(phone: name) == expected)
  }

  @Test("Different for 10,000 names, each a UUID of version 8")
  func distinct() {
    var seen: Set<String> = []
    for number in 0..<10_000 {
      let text = DeviceProfile.derivedIDFV(phone: number % 2 == 0 ? "phone\(number)" : "\(number)")
      #expect(isUUID(text), "\(text)")
      seen.insert(text)
    }
    #expect(seen.count == 10_000)
  }

  @Test("Names that differ in spelling alone differ", arguments: [("\u{E9}", "e\u{301}"), ("a", "A"), ("a", "a ")])
  func spelling(left: String, right: String) {
    #expect(DeviceProfile.derivedIDFV(phone: left) != DeviceProfile.derivedIDFV(phone: right))
  }

  private func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 36, bytes[14] == UInt8(ascii: "8"), "89AB".utf8.contains(bytes[19]) else { return false }
    return bytes.enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : "0123456789ABCDEF".utf8.contains(byte)
    }
  }
}

@Suite("iOS versions")
struct IOSVersionTests {
  @Test(
    "Order by numbers",
    arguments: [
      ("15.3", "15.4"), ("15.3.1", "15.4"), ("15.4", "15.10"), ("15.4", "15.4.1"), ("9.3.5", "10.0"), ("16", "16.1"),
      ("16.0.9", "16.1"), ("16.1.2", "16.10"), ("17.4", "18"), ("11.2.6", "11.3"), ("2", "10"), ("14.0", "14.0.1"),
    ])
  func order(lower: String, higher: String) throws {
    let low = try #require(IOSVersion(lower))
    let high = try #require(IOSVersion(higher))
    #expect(low < high)
    #expect(!(high < low))
    #expect(low != high)
  }

  @Test(
    "Equal", arguments: [("16", "16.0"), ("16.1", "16.1.0"), ("16", "16.0.0"), ("16.01", "16.1"), ("016.1", "16.1")])
  func equal(left: String, right: String) throws {
    let one = try #require(IOSVersion(left))
    let other = try #require(IOSVersion(right))
    #expect(one == other)
    #expect(!(one < other) && !(other < one))
    #expect(one.hashValue == other.hashValue)
    #expect(one.text == left)
  }

  @Test(
    "No version",
    arguments: [
      "", ".", "17.", ".4", "17..4", "17.4.1.1", "a", "17.x", "17.4 ", " 17.4", "-1", "+17.4", "17,4", "0", "0.9",
      "17.-4", "12345", "17.12345", "iOS 17", "17.4b", "١٧", "1\u{301}7", "17.4\n",
    ])
  func rejected(text: String) {
    #expect(IOSVersion(text) == nil)
  }

  @Test("From numbers", arguments: [(17, 4, "17.4"), (16, 0, "16.0"), (11, 3, "11.3")])
  func numbers(major: Int, minor: Int, text: String) {
    #expect(IOSVersion(major, minor).text == text)
    #expect(IOSVersion(major, minor) == IOSVersion(text))
  }

  @Test(
    "The borders that the rules know",
    arguments: [
      (IOSVersion.singleValueUpdate, "15.4"), (.coarseValueUpdate, "16.1"), (.conversionValueUpdate, "14.0"),
      (SnippetVersion.skan4.rules.registrationMinimum, "15.4"),
      (SnippetVersion.skan4Beta.rules.registrationMinimum, "16.1"),
      (SnippetVersion.skan3.rules.registrationMinimum, "11.3"),
    ])
  func borders(version: IOSVersion, text: String) {
    #expect(version.text == text)
  }

  @Test(
    "The snippets",
    arguments: [
      (SnippetVersion.skan4, "skan4", "v2"), (.skan4Beta, "skan4-beta", "v2"), (.skan3, "skan3", "v1"),
    ])
  func snippets(snippet: SnippetVersion, name: String, api: String) {
    #expect(snippet.rawValue == name)
    #expect(snippet.rules.api.rawValue == api)
  }
}
