import SKANBase
import SKANCommandLine
import SKANHTTP

/// The keys of AdAttributionKit in an app's Info.plist. All of them belong at its top level.
///
/// Sources: Apple's pages on the two keys for copies, and "Configuring attribution rules for your app". One of Apple's
/// pages says to type "AdAttributionKit" in Xcode. That is part of a displayed name, and not a dictionary of the file.
enum AdAttributionKitRules {
  static let reengagementCopies = "EligibleForAdAttributionKitReengagementPostbackCopies"
  static let configurations = "AdAttributionKitConfigurations"
  static let dictionary = "AdAttributionKit"
  /// Shown in a talk (WWDC25-221), and not documented on any page of Apple's.
  static let overlapping = "EligibleForAdAttributionKitOverlappingConversions"

  static let keys = [PostbackCopyRule.adAttributionKit.key, reengagementCopies, configurations, overlapping]

  /// Names from public texts that are not keys, and the keys that are meant.
  static let invented = [
    "PostbackCopyURL": PostbackCopyRule.adAttributionKit.key, "OptInForReengagementPostbackCopies": reengagementCopies,
  ]

  /// Whether a name is the one of the dictionary that iOS ignores.
  static func isDictionary(_ name: String) -> Bool { name.lowercased() == dictionary.lowercased() }

  static func findings(_ members: [String: PlistValue]) -> [DoctorFinding] {
    var findings = [PostbackCopyRule.adAttributionKit.finding(members)]
    for (name, value) in members.sorted(by: { $0.key < $1.key }) where isDictionary(name) {
      findings.append(misplaced(name, value))
    }
    for key in [reengagementCopies, overlapping] { findings += flag(key, members) }
    if let value = members[configurations] { findings += AttributionRulesCheck.findings(value) }
    return findings
  }

  /// The finding about the dictionary that iOS ignores. It names the keys in it that would take effect at the top
  /// level.
  private static func misplaced(_ name: String, _ value: PlistValue) -> DoctorFinding {
    let inside = (value.members ?? [:]).keys.sorted().compactMap { keys.contains($0) ? $0 : invented[$0] }
    let moved = inside.isEmpty ? Array(keys.prefix(2)) : inside
    return .wrong(
      name,
      "iOS ignores it silently: \(moved.joined(separator: " and ")) \(moved.count == 1 ? "belongs" : "belong") at the "
        + "top level of Info.plist", .inferred)
  }

  private static func flag(_ key: String, _ members: [String: PlistValue]) -> [DoctorFinding] {
    guard let value = members[key] else { return [] }
    let evidence: DoctorFinding.Evidence = key == overlapping ? .inferred : .apple
    guard case .bool(let isOn) = value else {
      return [.wrong(key, "must be <true/> or <false/>, this is \(value.kind)", evidence)]
    }
    guard key == reengagementCopies, isOn else { return [] }
    let copies = PostbackCopyRule.adAttributionKit.key
    return members[copies] == nil
      ? [.note(key, "has no effect without \(copies), to which the copies would go", .inferred)]
      : [.ok(key, "the copies include those of re-engagements", .apple)]
  }
}

/// Checks the dictionary `AdAttributionKitConfigurations`: how long an impression counts, and how long after a
/// conversion no other one is accepted. Apple does not document what iOS does with values out of range.
private struct AttributionRulesCheck {
  private static let key = AdAttributionKitRules.configurations
  private static let ignored = "ignoreInteractionType"
  private static let cooldown = "re-engagement-cooldown-hours"
  /// The spelling in a talk (WWDC25-221).
  private static let spokenCooldown = "reengagement-cooldown-hours"

  private var findings: [DoctorFinding] = []

  static func findings(_ value: PlistValue) -> [DoctorFinding] {
    var check = AttributionRulesCheck()
    check.read(value)
    return check.findings.isEmpty
      ? [.ok(key, "its windows and cool-downs are in Apple's ranges", .apple)] : check.findings
  }

  private mutating func read(_ value: PlistValue) {
    let parts = members(value, nil, known: ["AttributionWindows", "AttributionCooldown"])
    for (network, value) in members(parts["AttributionWindows"], "AttributionWindows").sorted(by: { $0.key < $1.key }) {
      let place = "AttributionWindows › \(network)"
      let install = members(value, place, known: ["install"])["install"]
      let rules = members(install, "\(place) › install", known: ["click", "view", Self.ignored])
      number(rules["click"], "\(place) › install › click", 1...30, "days")
      number(rules["view"], "\(place) › install › view", 1...7, "days")
      if let value = rules[Self.ignored] {
        let place = "\(place) › install › \(Self.ignored)"
        if network == "global" { wrong("\(place) belongs only in the rules of a network") }
        if ![.text("click"), .text("view")].contains(value) {
          wrong("\(place) must be click or view, this is \(said(value))")
        }
      }
    }
    let names = ["install-cooldown-hours", Self.cooldown, Self.spokenCooldown]
    let hours = members(parts["AttributionCooldown"], "AttributionCooldown", known: names)
    for name in names { number(hours[name], "AttributionCooldown › \(name)", 0...720, "hours") }
    if hours[Self.spokenCooldown] != nil, hours[Self.cooldown] == nil {
      note(
        "AttributionCooldown › \(Self.spokenCooldown) is the spelling in a talk by Apple, and Apple's page has "
          + "\(Self.cooldown): give both")
    }
  }

  /// The members of a dictionary; empty if the value is absent or of another type.
  ///
  /// - Parameter known: the names that Apple documents; nil to accept any.
  private mutating func members(
    _ value: PlistValue?, _ place: String?, known: [String]? = nil
  ) -> [String: PlistValue] {
    guard let value else { return [:] }
    guard let members = value.members else {
      wrong("\(place.map { "\($0) " } ?? "")must be a dictionary, this is \(value.kind)")
      return [:]
    }
    for name in members.keys.sorted() where !(known?.contains(name) ?? true) {
      let path = (place.map { "\($0) › " } ?? "") + name
      if let near = nearestName(to: name, in: known ?? []) {
        wrong("\(path) is not a key of Apple's; did you mean \(near)?")
      } else {
        note("\(path) is not a key that Apple describes")
      }
    }
    return members
  }

  private mutating func number(_ value: PlistValue?, _ place: String, _ range: ClosedRange<Double>, _ unit: String) {
    guard let value else { return }
    if case .number(let number) = value, range.contains(number), number == number.rounded() { return }
    wrong(
      "\(place) must be a whole number of \(unit) from \(Int(range.lowerBound)) to \(Int(range.upperBound)), "
        + "this is \(said(value))")
  }

  private func said(_ value: PlistValue) -> String {
    switch value {
    case .text(let text): JSONWriter.quoted(text)
    case .number(let number): JSONWriter.text(.double(number))
    default: value.kind
    }
  }

  private mutating func wrong(_ message: String) { findings.append(.wrong(Self.key, message, .apple)) }

  private mutating func note(_ message: String) { findings.append(.note(Self.key, message, .inferred)) }
}

/// A key of an Info.plist with the address to which Apple sends copies of postbacks. Each framework has one.
///
/// According to Apple's pages on both keys, only the registrable domain of an address such as "https://example.com"
/// counts, and the path is fixed.
struct PostbackCopyRule: Sendable {
  static let skadnetwork = PostbackCopyRule(
    key: "NSAdvertisingAttributionReportEndpoint", path: "/.well-known/skadnetwork/report-attribution/",
    copies: "copies of postbacks")
  static let adAttributionKit = PostbackCopyRule(
    key: "AttributionCopyEndpoint", path: "/.well-known/appattribution/report-attribution/",
    copies: "copies of AdAttributionKit's postbacks")

  let key: String
  private let path: String
  private let copies: String

  /// The labels that form a public suffix together with a country's. They are only a part of the public suffix list, so
  /// findings about subdomains are inferred.
  private static let suffixes: Set<String> = [
    "co", "com", "net", "org", "gov", "edu", "ac", "ne", "or", "gob", "gouv", "nom",
  ]

  func finding(_ members: [String: PlistValue]) -> DoctorFinding {
    guard let value = members[key] else {
      return .note(key, "is absent: Apple sends the developer no \(copies)", .apple)
    }
    guard case .text(let text) = value else { return .wrong(key, "must be a string, this is \(value.kind)", .apple) }
    return check(text)
  }

  /// Where iOS sends the copies if the file has this address: only its registrable domain counts.
  func url(of address: HTTPAddress) -> String { "https://\(Self.registrable(address.host))\(path)" }

  /// The finding about a value.
  func check(_ text: String) -> DoctorFinding {
    let quoted = JSONWriter.quoted(text)
    if text != text.trimmingBlanks { return .wrong(key, "\(quoted) has blanks at an end", .inferred) }
    if let setting = BuildSetting.finding(key, text) { return setting }
    if ["http:", "https:"].contains(text.lowercased()) {
      return .wrong(
        key,
        "\(quoted) is cut at //, with which a comment begins: in a preprocessed Info.plist add -traditional to the setting "
          + "INFOPLIST_OTHER_PREPROCESSOR_FLAGS; in an .xcconfig file write https:/$()/example.com", .inferred)
    }
    guard text.contains("://") else {
      let advice = text.isEmpty ? "an address such as https://example.com" : "https://\(text.prefix { $0 != "/" })"
      return .wrong(key, "\(quoted) has no scheme; it must be \(advice)", .apple)
    }
    let parts: URLParts
    do throws(EndpointURLProblem) { parts = try URLParts(text) } catch {
      return .wrong(key, "\(quoted): \(error.message)", .apple)
    }
    let address = parts.address
    let domain = Self.registrable(address.host)
    let wanted = "it must be https://\(domain)"
    if address.scheme == .http { return .wrong(key, "\(quoted) is not https; \(wanted)", .apple) }
    if parts.hasUserInfo || parts.hasQuery || parts.hasFragment {
      return .wrong(key, "\(quoted) has more than a domain; \(wanted)", .apple)
    }
    if address.path != "/", !address.path.isEmpty {
      return .wrong(key, "\(quoted) has a path, and Apple's is always \(path); \(wanted)", .apple)
    }
    if address.port != 443 { return .wrong(key, "\(quoted) has a port; \(wanted)", .inferred) }
    let host = TestedHost(name: address.host, isPlain: false)
    if host.isAddress || !address.host.contains(".") || host.isLocal {
      return .wrong(key, "\(quoted) has no registrable domain; it must be one such as https://example.com", .apple)
    }
    if domain != address.host {
      return .wrong(
        key, "\(quoted) is a subdomain, and Apple uses the registrable domain: copies go to https://\(domain)\(path)",
        .inferred)
    }
    return .ok(key, "\(copies) go to https://\(domain)\(path)", .apple)
  }

  /// The registrable domain: the last two labels, or three under a suffix such as co.uk.
  private static func registrable(_ host: String) -> String {
    let labels = host.split(separator: ".").map(String.init)
    guard labels.count > 2 else { return host }
    let hasSuffix = labels[labels.count - 1].count == 2 && suffixes.contains(labels[labels.count - 2])
    return labels.suffix(hasSuffix ? 3 : 2).joined(separator: ".")
  }
}

extension String {
  /// The string without white space at either end.
  fileprivate var trimmingBlanks: String { String(trimming { $0.isWhitespace }) }
}
