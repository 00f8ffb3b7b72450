import Foundation
import SKANBase
import SKANCommandLine
import SKANDevice
import SKANSystem

/// The checks of an app's Info.plist.
///
/// Sources: Apple's pages on `NSAdvertisingAttributionReportEndpoint`, `AttributionCopyEndpoint`, "Configuring
/// attribution rules for your app", `NSAppTransportSecurity` and local network privacy. The articles "Postbacks" and
/// "From the simulator to the phone" give the details. Findings that go beyond the sources are marked as inferred.
enum PlistChecks {
  /// - Parameter host: the host of the endpoint that the app asks; nil if none is given.
  static func findings(_ bytes: [UInt8], host: TestedHost?) -> [DoctorFinding] {
    let value: PlistValue
    do throws(PlistValue.Failure) { value = try PlistValue(bytes) } catch {
      return [.wrong("Info.plist", "it cannot be read: \(error.reason)")]
    }
    guard let members = value.members else {
      return [.wrong("Info.plist", "it must be a dictionary, this is \(value.kind)")]
    }
    return [PostbackCopyRule.skadnetwork.finding(members)] + AdAttributionKitRules.findings(members)
      + AdNetworkRule.findings(members) + PlistNames.findings(members)
      + TransportSecurityRule.findings(members, host: host)
  }
}

/// A key of an app's Info.plist that `skan doctor --plist` checks.
enum PlistKey: String, CaseIterable, Sendable {
  case reportEndpoint = "NSAdvertisingAttributionReportEndpoint"
  case copyEndpoint = "AttributionCopyEndpoint"
  case reengagementCopies = "EligibleForAdAttributionKitReengagementPostbackCopies"
  case configurations = "AdAttributionKitConfigurations"
  case attributionKit = "AdAttributionKit"
  case adNetworks = "SKAdNetworkItems"
  case transportSecurity = "NSAppTransportSecurity"
  case localNetwork = "NSLocalNetworkUsageDescription"

  var explanation: CodeExplanation {
    switch self {
    case .reportEndpoint:
      Self.explanation(
        "iOS sends a copy of each winning SKAdNetwork postback to the domain in this string, at the path "
          + "/.well-known/skadnetwork/report-attribution/.",
        cause:
          "A value with a path, a port or a subdomain, or one that is not https, names an address that is not the "
          + "intended one.",
        plist: "<key>NSAdvertisingAttributionReportEndpoint</key><string>https://example.com/skan</string>",
        remedy: "Give https and the registrable domain alone, as in https://example.com.",
        documents: ["Apple, NSAdvertisingAttributionReportEndpoint", "Apple, Configuring an advertised app"])
    case .copyEndpoint:
      Self.explanation(
        "iOS sends a copy of each winning AdAttributionKit postback to the domain in this string, at the path "
          + "/.well-known/appattribution/report-attribution/. SKAdNetwork's copies have a key and a path of their own.",
        cause:
          "The key is in a dictionary AdAttributionKit, where iOS does not look, has another name such as "
          + "PostbackCopyURL, or its value has a path.",
        plist: "<key>PostbackCopyURL</key><string>https://example.com</string>",
        remedy: "Put the key at the top level of Info.plist, with https and the registrable domain alone.",
        documents: ["Apple, AttributionCopyEndpoint", "Apple, Configuring an advertised app"])
    case .reengagementCopies:
      Self.explanation(
        "With true, the copies of AdAttributionKit postbacks include those of re-engagements (iOS 18).",
        cause: "The value is a string such as YES, or the key is in a dictionary AdAttributionKit.",
        plist: "<key>EligibleForAdAttributionKitReengagementPostbackCopies</key><string>YES</string>",
        remedy: "Put a Boolean at the top level of Info.plist, beside AttributionCopyEndpoint.",
        documents: ["Apple, EligibleForAdAttributionKitReengagementPostbackCopies"])
    case .configurations:
      Self.explanation(
        "iOS 18.4 and later read from this dictionary how long an impression counts (AttributionWindows: a click 1 to "
          + "30 days, a view 1 to 7) and for how long after a conversion no other one is accepted "
          + "(AttributionCooldown: 0 to 720 hours). What iOS does with other values is not documented.",
        cause:
          "A number is out of its range, a name is mistyped, or ignoreInteractionType is in the global rules. A talk of "
          + "Apple's spells the second cool-down reengagement-cooldown-hours, and its page re-engagement-cooldown-hours.",
        plist: "<key>AdAttributionKitConfigurations</key><dict><key>AttributionCooldown</key><dict>"
          + "<key>install-cooldown-hours</key><integer>721</integer></dict></dict>",
        remedy: "Keep to the ranges and to the names of Apple's page; give the second cool-down in both spellings.",
        documents: ["Apple, Configuring attribution rules for your app", "Apple, WWDC25 session 221"])
    case .attributionKit:
      Self.explanation(
        "iOS silently ignores a dictionary of this name: no copy of a postback is sent.",
        cause:
          "Xcode shows the key AttributionCopyEndpoint as \"AdAttributionKit - Postback Copy URL\", which reads like a "
          + "dictionary with an entry. That iOS does not look into one follows from Apple's names of the keys (inferred).",
        plist: "<key>AdAttributionKit</key><dict><key>AttributionCopyEndpoint</key>"
          + "<string>https://example.com</string></dict>",
        remedy:
          "Move AttributionCopyEndpoint and EligibleForAdAttributionKitReengagementPostbackCopies to the top level. "
          + "AdAttributionKitConfigurations is a dictionary, and stays one.",
        documents: ["Apple, AttributionCopyEndpoint", "Apple, Configuring an advertised app"])
    case .adNetworks:
      Self.explanation(
        "An app that shows ads names the ad networks in this array whose ads iOS attributes, each in a dictionary with "
          + "the key SKAdNetworkIdentifier. iOS silently ignores an entry of another form.",
        cause:
          "An entry has the identifier instead of the key, or an identifier has upper-case letters, has another "
          + "ending, or is listed twice.",
        plist: "<key>SKAdNetworkItems</key><array><dict><key>SKAdNetworkIdentifier</key>"
          + "<string>EXAMPLE123.skadnetwork</string></dict></array>",
        remedy:
          "Give each network a dictionary, with its identifier in lower-case letters, as in example123.skadnetwork.",
        documents: ["Apple, SKAdNetworkItems", "Apple, Configuring a source app"])
    case .transportSecurity:
      Self.explanation(
        "iOS refuses plain HTTP unless this dictionary makes an exception for the host. NSAllowsArbitraryLoads does "
          + "not apply to a host that NSExceptionDomains names, and has no effect beside NSAllowsLocalNetworking, "
          + "NSAllowsArbitraryLoadsInWebContent or NSAllowsArbitraryLoadsForMedia, whatever their values are.",
        cause: "An app under test asks an endpoint over http.",
        plist: "<key>NSAppTransportSecurity</key><string>YES</string>",
        remedy: "Add NSExceptionDomains, the host and NSExceptionAllowsInsecureHTTPLoads, in test builds only.",
        documents: ["Apple, NSAppTransportSecurity", "the manual, From the simulator to the phone"])
    case .localNetwork:
      Self.explanation(
        "iOS 14 and later ask the user with this text before an app reaches a host of the local network.",
        cause: "An app under test asks an endpoint in your network, and the text is absent.",
        plist: "<key>NSLocalNetworkDescription</key><string>For tests.</string>",
        remedy: "Add the key with a sentence for the user.",
        documents: ["Apple, NSLocalNetworkUsageDescription", "the manual, From the simulator to the phone"])
    }
  }

  /// - Parameter plist: the members of an example property list for which `skan doctor` reports the key.
  private static func explanation(
    _ phone: String, cause: String, plist: String, remedy: String, documents: [String]
  ) -> CodeExplanation {
    CodeExplanation(
      phone, cause: cause,
      example: .shell(
        "printf '<plist version=\"1.0\"><dict>\(plist)</dict></plist>' > demo.plist; skan doctor --plist demo.plist"),
      remedy: remedy, documents: documents)
  }
}

/// Checks for misspelled keys of an Info.plist.
enum PlistNames {
  /// The top-level keys relevant to a test, without the prefixes and suffixes that many keys share.
  private static let known: [(stem: String, name: String)] =
    [
      ("AdvertisingAttributionReportEndpoint", PostbackCopyRule.skadnetwork.key),
      (AdNetworkRule.key, AdNetworkRule.key),
      ("AppTransportSecurity", TransportSecurityRule.key), ("UserTracking", "NSUserTrackingUsageDescription"),
      ("LocalNetwork", TransportSecurityRule.localNetwork),
    ] + AdAttributionKitRules.keys.map { ($0, $0) }

  static func findings(_ members: [String: PlistValue]) -> [DoctorFinding] {
    let names = known.map(\.name)
    return members.keys.sorted().compactMap { name in
      guard !names.contains(name), !AdAttributionKitRules.isDictionary(name) else { return nil }
      if let key = AdAttributionKitRules.invented[name] {
        return .wrong(name, "is not a key of Apple's; did you mean \(key)?", .inferred)
      }
      guard let stem = nearestName(to: stem(name), in: known.map(\.stem)),
        let near = known.first(where: { $0.stem == stem })?.name, !members.keys.contains(near)
      else { return nil }
      return .wrong(name, "is not a key of Apple's; did you mean \(near)?", .inferred)
    }
  }

  /// A name without the prefixes and suffixes that many of Apple's keys share.
  private static func stem(_ name: String) -> String {
    var stem = Substring(name)
    if stem.hasPrefix("NS") { stem = stem.dropFirst(2) }
    for suffix in ["Description", "Usage"] where stem.hasSuffix(suffix) { stem = stem.dropLast(suffix.count) }
    return String(stem)
  }
}

/// A value of a property list, reduced to what the checks need.
enum PlistValue: Sendable, Equatable {
  case text(String)
  case bool(Bool)
  case dictionary([String: PlistValue])
  case array([PlistValue])
  case number(Double)
  /// A date or data.
  case other

  /// The reason why a file is not a property list.
  struct Failure: Error { let reason: String }

  /// Reads an XML or a binary property list.
  init(_ bytes: [UInt8]) throws(Failure) {
    do {
      let object = try unsafe PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
      self.init(object: object)
    } catch {
      let cause = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
      throw Failure(reason: cause ?? "it is not a property list")
    }
  }

  private init(object: Any) {
    switch object {
    case let text as String: self = .text(text)
    case let number as NSNumber where System.isBoolean(number): self = .bool(number.boolValue)
    case let number as NSNumber: self = .number(number.doubleValue)
    case let members as [String: Any]: self = .dictionary(members.mapValues { PlistValue(object: $0) })
    case let items as [Any]: self = .array(items.map { PlistValue(object: $0) })
    default: self = .other
    }
  }

  /// A value of a device file, which has no dates and data.
  init(_ json: JSON) {
    switch json {
    case .string(let text): self = .text(text)
    case .bool(let flag): self = .bool(flag)
    case .object(let members):
      self = .dictionary(Dictionary(members.map { ($0.key, PlistValue($0.value)) }) { first, _ in first })
    case .array(let items): self = .array(items.map { PlistValue($0) })
    case .integer(let number): self = .number(Double(number))
    case .double(let number): self = .number(number)
    default: self = .other
    }
  }

  /// The value in a device file.
  var json: JSON {
    switch self {
    case .text(let text): .string(text)
    case .bool(let flag): .bool(flag)
    case .dictionary(let members): .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
    case .array(let items): .array(items.map(\.json))
    case .number(let number): .double(number)
    case .other: .null
    }
  }

  var members: [String: PlistValue]? { if case .dictionary(let members) = self { members } else { nil } }

  var isTrue: Bool { self == .bool(true) }

  /// The type of the value, in the words of a message.
  var kind: String {
    switch self {
    case .text: "a string"
    case .bool: "a boolean"
    case .dictionary: "a dictionary"
    case .array: "an array"
    case .number: "a number"
    case .other: "a date or data"
    }
  }
}
