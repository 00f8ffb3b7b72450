import Foundation
import Testing

@testable import SKANCommand

@Suite("The checks of an Info.plist")
struct PlistChecksTests {
  private static let endpointKey = "NSAdvertisingAttributionReportEndpoint"

  @Test(
    "The endpoint of postbacks: https, the registrable domain, nothing else",
    arguments: [
      ("https://example.com", ""), ("https://example.com/", ""), ("https://example.co.uk", ""),
      ("https://EXAMPLE.com", ""),
      ("example.com", "has no scheme; it must be https://example.com"), ("", "has no scheme"),
      ("http://example.com", "is not https; it must be https://example.com"),
      (
        "https://example.com/postbacks",
        "has a path, and Apple's is always /.well-known/skadnetwork/report-attribution/"
      ),
      ("https://api.example.com", "is a subdomain"),
      ("https://a.b.example.co.uk", "copies go to https://example.co.uk/"),
      ("https://example.com:8443", "has a port"), ("https://example.com?x=1", "has more than a domain"),
      ("https://user@example.com", "has more than a domain"), ("https://example.com#x", "has more than a domain"),
      ("https://localhost", "has no registrable domain"), ("https://192.168.0.1", "has no registrable domain"),
      ("https://my-mac.local", "has no registrable domain"), (" https://example.com", "has blanks at an end"),
      ("ftp://example.com", "scheme"), ("https://", ""),
    ])
  func reportEndpoint(value: String, message: String) {
    let finding = PostbackCopyRule.skadnetwork.check(value)
    #expect((finding.status == .ok) == (message.isEmpty && value != "https://"), "\(finding)")
    #expect(message.isEmpty || finding.message.contains(message), "\(finding)")
  }

  @Test(
    "An address that is no address yet: cut at a comment's beginning, or a build setting",
    arguments: [PostbackCopyRule.skadnetwork, .adAttributionKit])
  func unfinished(rule: PostbackCopyRule) {
    for cut in ["https:", "http:", "HTTPS:"] {
      let finding = rule.check(cut)
      #expect(finding.status == .wrong && finding.message.hasPrefix("\"\(cut)\" is cut at //, "), "\(finding)")
      #expect(!finding.message.contains("https://https:"))
    }
    for setting in ["$(SKAN_ENDPOINT)", "${AAK}", "https://$(HOST)", "https:/$()/example.com"] {
      let finding = rule.check(setting)
      #expect(
        finding.status == .note && finding.message.contains("has a build setting and is not checked"), "\(finding)")
    }
  }

  @Test("The ad networks: a dictionary each, a lower-case identifier, none twice")
  func adNetworks() throws {
    let cases: [(Any, String)] = [
      (["a1.skadnetwork", "b2.skadnetwork"].map { ["SKAdNetworkIdentifier": $0] }, "ok names 2 ad networks"),
      ([] as [String], "ok names 0 ad networks"),
      (["x": 1], "wrong must be an array of dictionaries, this is a dictionary"),
      (["a1.skadnetwork"], "wrong item 1 must be a dictionary with SKAdNetworkIdentifier, this is a string"),
      (
        [["22mmun2rn5.skadnetwork": "22mmun2rn5.skadnetwork"], ["SKAdNetworkIdentifier": "238da6jt44.skadnetwork"]],
        "wrong item 1 has no SKAdNetworkIdentifier, but \"22mmun2rn5.skadnetwork\""
      ), ([[:] as [String: String]], "wrong item 1 has no SKAdNetworkIdentifier, but nothing"),
      ([["SKAdNetworkIdentifier": 5]], "wrong SKAdNetworkIdentifier of item 1 must be a string, this is a number"),
      (
        [["SKAdNetworkIdentifier": "A1.skadnetwork"]],
        "wrong \"A1.skadnetwork\" of item 1 must be in lower-case letters: a1.skadnetwork"
      ),
      (
        [["SKAdNetworkIdentifier": "a1.adattributionkit"]],
        "wrong \"a1.adattributionkit\" of item 1 must be a name that ends in .skadnetwork"
      ),
      (
        [["SKAdNetworkIdentifier": ".skadnetwork"]],
        "wrong \".skadnetwork\" of item 1 must be a name that ends in .skadnetwork"
      ),
      (
        ["a.skadnetwork", "b.skadnetwork", "a.skadnetwork"].map { ["SKAdNetworkIdentifier": $0] },
        "wrong \"a.skadnetwork\" of item 3 is listed twice"
      ),
      (
        [["SKAdNetworkIdentifier": "$(NETWORK)"]],
        "note \"$(NETWORK)\" has a build setting and is not checked; check the Info.plist of the built app"
      ),
    ]
    for (value, expected) in cases {
      let (status, message) = (expected.prefix { $0 != " " }, expected.drop { $0 != " " }.dropFirst())
      #expect(try findings(["SKAdNetworkItems": value]) == ["\(status) SKAdNetworkItems: \(message)"])
    }
  }

  /// What is said of a property list, notes left out on keys of addresses that are absent.
  private func findings(_ object: [String: Any], host: TestedHost? = nil) throws -> [String] {
    var all: [[String]] = []
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0)
      all.append(
        PlistChecks.findings(Array(data), host: host).filter { !$0.message.hasPrefix("is absent: Apple") }
          .map { "\($0.status.rawValue) \($0.check): \($0.message)" })
    }
    // XML and binary say the same.
    #expect(all[0] == all[1])
    return all[0]
  }

  @Test("Names that are commonly mistaken")
  func names() throws {
    for (name, near) in [
      ("NSAdvertisingAttributionReportEndPoint", Self.endpointKey),
      ("NSAdvertisingAttributionEndpoint", Self.endpointKey),
      ("AdvertisingAttributionReportEndpoint", Self.endpointKey), ("SKAdNetworkItem", "SKAdNetworkItems"),
      ("NSAppTransportSecurty", "NSAppTransportSecurity"),
      ("NSTrackingUsageDescription", "NSUserTrackingUsageDescription"),
      ("NSLocalNetworkDescription", "NSLocalNetworkUsageDescription"),
      ("AttributionCopyEndPoint", "AttributionCopyEndpoint"), ("AttributionCopyURL", "AttributionCopyEndpoint"),
      ("PostbackCopyURL", "AttributionCopyEndpoint"),
      (
        "OptInForReengagementPostbackCopies", "EligibleForAdAttributionKitReengagementPostbackCopies"
      ),
      (
        "EligibleForAdAttributionKitReengagementPostbackCopy", "EligibleForAdAttributionKitReengagementPostbackCopies"
      ),
      ("AdAttributionKitConfiguration", "AdAttributionKitConfigurations"),
    ] {
      #expect(try findings([name: "x"]) == ["wrong \(name): is not a key of Apple's; did you mean \(near)?"], "\(name)")
    }
    for name in [
      "CFBundleIdentifier", "NSLocationWhenInUseUsageDescription", "NSCameraUsageDescription", "UIBackgroundModes",
      "NSAppleMusicUsageDescription", "NSContactsUsageDescription", "NSBonjourServices",
      "NSLocationUsageDescription", "NSMotionUsageDescription", "NSFaceIDUsageDescription",
    ] {
      #expect(try findings([name: "x"]) == [], "\(name)")
    }
  }

  @Test("The keys of AdAttributionKit stand at the top level; a dictionary of that name is the mistake")
  func attributionKit() throws {
    let key = "AttributionCopyEndpoint"
    let reengagement = "EligibleForAdAttributionKitReengagementPostbackCopies"
    let ok =
      "ok \(key): copies of AdAttributionKit's postbacks go to "
      + "https://example.com/.well-known/appattribution/report-attribution/"
    #expect(try findings([key: "https://example.com"]) == [ok])
    #expect(
      try findings([key: "https://example.com/skan"]) == [
        "wrong \(key): \"https://example.com/skan\" has a path, and Apple's is always "
          + "/.well-known/appattribution/report-attribution/; it must be https://example.com"
      ])
    #expect(try findings([key: true]) == ["wrong \(key): must be a string, this is a boolean"])
    let ignored = "AdAttributionKit: iOS ignores it silently: "
    for (value, keys) in [
      ([key: "https://example.com"], "\(key) belongs"), ([reengagement: true], "\(reengagement) belongs"),
      (["PostbackCopyURL": "x"], "\(key) belongs"), ([:], "\(key) and \(reengagement) belong"),
      ("x", "\(key) and \(reengagement) belong"),
    ] as [(Any, String)] {
      #expect(
        try findings(["AdAttributionKit": value]) == ["wrong \(ignored)\(keys) at the top level of Info.plist"])
    }
    // The dictionary is as wrong beside the key.
    #expect(
      try findings(["adAttributionkit": [key: "https://a.com"], key: "https://example.com"]) == [
        ok,
        "wrong ad\(ignored.dropFirst(2).replacing("Kit:", with: "kit:"))\(key) belongs at the top level of Info.plist",
      ])
    #expect(
      try findings([reengagement: "YES"])
        == ["wrong \(reengagement): must be <true/> or <false/>, this is a string"])
    #expect(try findings([reengagement: false]) == [])
    #expect(
      try findings([reengagement: true])
        == ["note \(reengagement): has no effect without \(key), to which the copies would go"])
    #expect(
      try findings([reengagement: true, key: "https://example.com"]).last
        == "ok \(reengagement): the copies include those of re-engagements")
    let overlapping = "EligibleForAdAttributionKitOverlappingConversions"
    #expect(try findings([overlapping: true]) == [])
    #expect(try findings([overlapping: 1]) == ["wrong \(overlapping): must be <true/> or <false/>, this is a number"])
  }

  @Test(
    "The rules of attribution: a number in each range, at each place, and both spellings of a cool-down",
    arguments: [
      ("global", "click", 1, nil), ("global", "click", 30, nil), ("com.example.net", "view", 7, nil),
      ("global", "click", 0, "from 1 to 30, this is 0"), ("global", "click", 31, "from 1 to 30, this is 31"),
      ("com.example.net", "view", 8, "from 1 to 7, this is 8"), ("global", "view", 0, "from 1 to 7, this is 0"),
      ("global", "view", 1.5, "from 1 to 7, this is 1.5"), ("global", "view", "3", "from 1 to 7, this is \"3\""),
    ] as [(String, String, any Sendable, String?)])
  func windows(network: String, name: String, value: any Sendable, problem: String?) throws {
    let place = "AttributionWindows › \(network) › install › \(name)"
    #expect(
      try configurations(["AttributionWindows": [network: ["install": [name: value]]]])
        == problem.map { ["wrong \(place) must be a whole number of days \($0)"] } ?? [Self.wellConfigured])
  }

  private static let wellConfigured = "ok its windows and cool-downs are in Apple's ranges"

  /// What is said of the dictionary of rules.
  private func configurations(_ value: Any) throws -> [String] {
    try findings(["AdAttributionKitConfigurations": value]).map {
      $0.replacing("AdAttributionKitConfigurations: ", with: "")
    }
  }

  @Test("What else the rules of attribution can have")
  func configurations() throws {
    func cooldown(_ hours: [String: Any]) throws -> [String] { try configurations(["AttributionCooldown": hours]) }
    let (install, page) = ("install-cooldown-hours", "re-engagement-cooldown-hours")
    let spoken = "reengagement-cooldown-hours"
    #expect(try cooldown([install: 0, page: 720]) == [Self.wellConfigured])
    #expect(try cooldown([page: 24, spoken: 24]) == [Self.wellConfigured])
    for name in [install, page] {
      #expect(
        try cooldown([name: 721])
          == ["wrong AttributionCooldown › \(name) must be a whole number of hours from 0 to 720, this is 721"])
    }
    #expect(
      try cooldown([spoken: -1]) == [
        "wrong AttributionCooldown › \(spoken) must be a whole number of hours from 0 to 720, this is -1",
        "note AttributionCooldown › \(spoken) is the spelling in a talk by Apple, and Apple's page has \(page): give "
          + "both",
      ])
    #expect(
      try cooldown(["install-cooldown-hour": 1])
        == ["wrong AttributionCooldown › install-cooldown-hour is not a key of Apple's; did you mean \(install)?"])
    #expect(
      try configurations(["AttributionWindow": [:], "Zzz": 1]) == [
        "wrong AttributionWindow is not a key of Apple's; did you mean AttributionWindows?",
        "note Zzz is not a key that Apple describes",
      ])
    #expect(try configurations("x") == ["wrong must be a dictionary, this is a string"])
    #expect(
      try configurations(["AttributionWindows": ["global": 5]])
        == ["wrong AttributionWindows › global must be a dictionary, this is a number"])
    func ignored(_ network: String, _ value: Any) throws -> [String] {
      try configurations(["AttributionWindows": [network: ["install": ["ignoreInteractionType": value]]]])
    }
    #expect(try ignored("com.example.net", "view") == [Self.wellConfigured])
    let place = "install › ignoreInteractionType"
    #expect(
      try ignored("com.example.net", "tap")
        == ["wrong AttributionWindows › com.example.net › \(place) must be click or view, this is \"tap\""])
    #expect(
      try ignored("global", "click")
        == ["wrong AttributionWindows › global › \(place) belongs only in the rules of a network"])
  }

  @Test("App Transport Security for the endpoint under test")
  func transportSecurity() throws {
    let mac = TestedHost(name: "my-mac.local", isPlain: true)
    let local = "NSLocalNetworkUsageDescription"
    func check(_ rules: Any?, _ host: TestedHost) throws -> [String] {
      var object: [String: Any] = [local: "For tests."]
      object["NSAppTransportSecurity"] = rules
      return try findings(object, host: host)
    }
    let refused =
      "wrong NSAppTransportSecurity: iOS refuses plain HTTP to my-mac.local: it needs NSExceptionDomains › "
      + "my-mac.local › NSExceptionAllowsInsecureHTTPLoads true"
    let asks = "ok \(local): iOS asks the user with it before the app reaches my-mac.local"
    #expect(try check(nil, mac) == [refused, asks])
    #expect(
      try check(["NSExceptionDomains": ["my-mac.local": ["NSExceptionAllowsInsecureHTTPLoads": false]]], mac) == [
        refused, asks,
      ])
    let well = "ok NSAppTransportSecurity: plain HTTP to my-mac.local is let through"
    #expect(
      try check(["NSExceptionDomains": ["My-Mac.local": ["NSExceptionAllowsInsecureHTTPLoads": true]]], mac) == [
        well, asks,
      ])
    #expect(
      try check(["NSAllowsLocalNetworking": true], mac).first?.hasPrefix("ok NSAppTransportSecurity: NSAllowsLocal")
        ?? false)
    #expect(
      try check(["NSAllowsArbitraryLoads": true], mac).map { $0.prefix(2) } == ["no", "ok", "ok"])
    // Whatever their values, three keys make iOS ignore it, and so does an entry for the host.
    let remote = TestedHost(name: "example.com", isPlain: true)
    for name in ["NSAllowsLocalNetworking", "NSAllowsArbitraryLoadsInWebContent", "NSAllowsArbitraryLoadsForMedia"] {
      for value in [true, false] {
        #expect(
          try check(["NSAllowsArbitraryLoads": true, name: value], remote) == [
            "note NSAllowsArbitraryLoads: is ignored by iOS beside \(name)",
            refused.replacing("my-mac.local", with: "example.com"),
          ])
      }
    }
    #expect(
      try check(["NSAllowsArbitraryLoads": true, "NSExceptionDomains": ["example.com": [String: Any]()]], remote).last
        == refused.replacing("my-mac.local", with: "example.com"))
    #expect(try check("yes", mac).first == "wrong NSAppTransportSecurity: must be a dictionary, this is a string")
    #expect(
      try check(["NSExceptionDomains": ["http://my-mac.local:80": ["NSExceptionAllowsInsecureHTTPLoads": true]]], mac)
        .first == "wrong http://my-mac.local:80: must be a host alone, without scheme, port and path")
    #expect(
      try check(["NSExceptionDomains": ["my-mac.local": ["NSExceptionAllowInsecureHTTPLoads": true]]], mac).first
        == "wrong NSExceptionAllowInsecureHTTPLoads: is not a key of my-mac.local; did you mean "
        + "NSExceptionAllowsInsecureHTTPLoads?")
    #expect(
      try check(["NSExceptionDomains": ["my-mac.local": ["NSExceptionAllowsInsecureHTTPLoads": "YES"]]], mac).first
        == "wrong NSExceptionAllowsInsecureHTTPLoads: must be <true/> or <false/>, this is a string")
    #expect(
      try check(
        [
          "NSExceptionDomains": [
            "example.com": ["NSExceptionAllowsInsecureHTTPLoads": true, "NSIncludesSubdomains": true]
          ]
        ],
        TestedHost(name: "a.example.com", isPlain: true)) == [
          "ok NSAppTransportSecurity: plain HTTP to a.example.com is let through"
        ])
    #expect(
      try check(nil, TestedHost(name: "example.com", isPlain: false))
        == ["ok NSAppTransportSecurity: https needs no exception for example.com"])
    #expect(
      try check(nil, TestedHost(name: "192.168.1.5", isPlain: true)).first?.hasSuffix("use a .local name") ?? false)
    #expect(try findings([:], host: mac).last?.hasPrefix("wrong \(local): is absent") ?? false)
  }

  @Test("Exceptions in a form that Apple does not know, by the place of each")
  func exceptions() throws {
    let host = TestedHost(name: "10.0.0.1", isPlain: true)
    func first(_ rules: [String: Any]) throws -> String? {
      try findings(["NSAppTransportSecurity": rules], host: host).first
    }
    #expect(
      try first(["NSExceptionDomains": "x"]) == "wrong NSExceptionDomains: must be a dictionary, this is a string")
    #expect(
      try first(["NSExceptionDomains": ["a.b": true]]) == "wrong a.b: must be a dictionary, this is a boolean")
    #expect(
      try first(["NSExceptionDomains": ["a.b:80": ["NSIncludesSubdomains": true]]])
        == "wrong a.b:80: must be a host alone, without scheme, port and path")
    #expect(
      try first(["NSExceptionDomains": ["[::1]": ["NSIncludesSubdomains": 5]]])
        == "wrong NSIncludesSubdomains: must be <true/> or <false/>, this is a number")
    #expect(
      try first(["NSExceptionDomains": ["a.b": ["Zzz": true], "c.d": [:]]]) == "wrong Zzz: is not a key of a.b")
    #expect(
      try first(["NSAllowsLocalNetworking": ["x": 1]])
        == "wrong NSAllowsLocalNetworking: must be <true/> or <false/>, this is a dictionary")
    #expect(
      try first(["NSAllowsLocalNetworking": true])
        == "ok NSAppTransportSecurity: NSAllowsLocalNetworking lets plain HTTP to 10.0.0.1 through")
    #expect(
      try findings(
        ["NSAppTransportSecurity": ["NSAllowsLocalNetworking": true]], host: TestedHost(name: "8.8.8.8", isPlain: true))
        == ["ok NSAppTransportSecurity: NSAllowsLocalNetworking lets plain HTTP to 8.8.8.8 through"])
  }

  @Test("The endpoint of postbacks is a string")
  func kind() throws {
    for (value, kind) in [
      (true, "a boolean"), (["a"], "an array"), (["a": 1], "a dictionary"), (5, "a number"), (Date(), "a date or data"),
    ] as [(Any, String)] {
      let data = try PropertyListSerialization.data(
        fromPropertyList: [Self.endpointKey: value], format: .xml, options: 0)
      let finding = PlistChecks.findings(Array(data), host: nil).first { $0.check == Self.endpointKey }
      #expect(finding?.message == "must be a string, this is \(kind)")
    }
  }

  @Test("A file that is no property list, and one that is no dictionary")
  func broken() throws {
    #expect(PlistChecks.findings(Array("hello".utf8), host: nil).map(\.status) == [.wrong])
    #expect(PlistChecks.findings([], host: nil).map(\.status) == [.wrong])
    let data = try PropertyListSerialization.data(fromPropertyList: ["a"], format: .xml, options: 0)
    #expect(PlistChecks.findings(Array(data), host: nil).first?.message == "it must be a dictionary, this is an array")
  }
}
