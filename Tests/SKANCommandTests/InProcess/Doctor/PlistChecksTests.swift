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
    let finding = ReportEndpointRule.check(value)
    #expect((finding.status == .ok) == (message.isEmpty && value != "https://"), "\(finding)")
    #expect(message.isEmpty || finding.message.contains(message), "\(finding)")
  }

  private func findings(_ object: [String: Any], host: TestedHost? = nil) throws -> [String] {
    var all: [[String]] = []
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0)
      all.append(
        PlistChecks.findings(Array(data), host: host).filter { $0.check != Self.endpointKey }
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
      ("NSLocalNetworkDescription", "NSLocalNetworkUsageDescription"), ("AdAttributionkit", "AdAttributionKit"),
    ] {
      #expect(try findings([name: "x"]) == ["wrong \(name): is not a key of Apple's; did you mean \(near)?"], "\(name)")
    }
    for name in [
      "CFBundleIdentifier", "NSLocationWhenInUseUsageDescription", "NSCameraUsageDescription", "UIBackgroundModes",
      "NSAppleMusicUsageDescription", "NSContactsUsageDescription", "NSBonjourServices", "SKAdNetworkItems",
      "NSLocationUsageDescription", "NSMotionUsageDescription", "NSFaceIDUsageDescription",
    ] {
      #expect(try findings([name: "x"]) == [], "\(name)")
    }
    #expect(
      try findings(["AttributionCopyEndpoint": "x"])
        == ["wrong AttributionCopyEndpoint: stands in the dictionary AdAttributionKit, as AttributionCopyEndpoint"])
    #expect(
      try findings(["AdAttributionKit": ["PostbackCopyURL": "x"]])
        == ["wrong PostbackCopyURL: is what Xcode shows; the key is AttributionCopyEndpoint"])
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
        == "wrong NSIncludesSubdomains: must be <true/> or <false/>, this is neither a string nor a boolean")
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
      (true, "a boolean"), (["a"], "an array"), (["a": 1], "a dictionary"), (5, "neither a string nor a boolean"),
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
