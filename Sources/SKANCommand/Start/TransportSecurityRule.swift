import SKANBase
import SKANCommandLine
import SKANHTTP
import SKANRun

/// The rules of App Transport Security and local network privacy: iOS refuses plain HTTP without an exception, and
/// access to a host on the local network unless the user agrees.
enum TransportSecurityRule {
  static let key = "NSAppTransportSecurity"
  static let localNetwork = "NSLocalNetworkUsageDescription"
  private static let domains = "NSExceptionDomains"
  private static let insecure = "NSExceptionAllowsInsecureHTTPLoads"
  private static let anything = "NSAllowsArbitraryLoads"
  private static let local = "NSAllowsLocalNetworking"
  /// Keys that make iOS 10 and later ignore ``anything``, whatever their value (Apple's pages on the three).
  private static let instead = [local, "NSAllowsArbitraryLoadsInWebContent", "NSAllowsArbitraryLoadsForMedia"]
  /// Apple's keys of the dictionary, and of the dictionary of a domain.
  private static let keys = [domains, anything, "NSPinnedDomains"] + instead
  private static let domainKeys = [
    insecure, "NSIncludesSubdomains", "NSExceptionMinimumTLSVersion", "NSExceptionRequiresForwardSecrecy",
    "NSRequiresCertificateTransparency",
    // Older spellings.
    "NSTemporaryExceptionAllowsInsecureHTTPLoads", "NSThirdPartyExceptionAllowsInsecureHTTPLoads",
    "NSTemporaryExceptionMinimumTLSVersion", "NSThirdPartyExceptionMinimumTLSVersion",
    "NSTemporaryExceptionRequiresForwardSecrecy", "NSThirdPartyExceptionRequiresForwardSecrecy",
  ]
  private static let flags = Set([anything, insecure, "NSIncludesSubdomains"] + instead)

  /// - Parameter host: the host of the endpoint that the app asks; nil if none is given.
  static func findings(_ members: [String: PlistValue], host: TestedHost?) -> [DoctorFinding] {
    let value = members[key]
    if let value, value.members == nil { return [.wrong(key, "must be a dictionary, this is \(value.kind)", .apple)] }
    let rules = value?.members ?? [:]
    var findings = check(rules, in: key, keys)
    if rules[anything]?.isTrue ?? false {
      let effect = replacement(in: rules).map { "is ignored by iOS beside \($0)" }
      findings.append(.note(anything, effect ?? "lets every plain HTTP through: for test builds only", .apple))
    }
    let exceptions = rules[domains]?.members ?? [:]
    if let value = rules[domains], value.members == nil {
      findings.append(.wrong(domains, "must be a dictionary, this is \(value.kind)", .apple))
    }
    for (name, value) in exceptions.sorted(by: { $0.key < $1.key }) {
      if name.contains("/") || name.contains(":") && !name.hasPrefix("[") {
        findings.append(.wrong(name, "must be a host alone, without scheme, port and path", .apple))
      }
      guard let rules = value.members else {
        findings.append(.wrong(name, "must be a dictionary, this is \(value.kind)", .apple))
        continue
      }
      findings += check(rules, in: name, domainKeys)
    }
    guard let host else { return findings }
    return findings + self.findings(members, about: host)
  }

  /// Whether the app may ask a host.
  static func findings(_ members: [String: PlistValue], about host: TestedHost) -> [DoctorFinding] {
    let rules = members[key]?.members ?? [:]
    return exception(rules, rules[domains]?.members ?? [:], host) + permission(members, host)
  }

  /// Findings about unknown keys, and about flags that are not booleans.
  private static func check(_ rules: [String: PlistValue], in place: String, _ known: [String]) -> [DoctorFinding] {
    rules.sorted { $0.key < $1.key }.compactMap { name, value in
      if !known.contains(name) {
        let near = nearestName(to: name, in: known).map { "; did you mean \($0)?" } ?? ""
        return .wrong(name, "is not a key of \(place)\(near)", .apple)
      }
      guard flags.contains(name) else { return nil }
      if case .bool = value { return nil }
      return .wrong(name, "must be <true/> or <false/>, this is \(value.kind)", .apple)
    }
  }

  /// The key that makes iOS ignore ``anything``; nil if there is none.
  private static func replacement(in rules: [String: PlistValue]) -> String? { instead.first { rules[$0] != nil } }

  /// The finding about plain HTTP to the host.
  private static func exception(
    _ rules: [String: PlistValue], _ exceptions: [String: PlistValue], _ host: TestedHost
  ) -> [DoctorFinding] {
    guard host.isPlain else { return [.ok(key, "https needs no exception for \(host.name)", .apple)] }
    let own = exceptions.filter { name, value in
      let isSubdomain = value.members?["NSIncludesSubdomains"]?.isTrue ?? false
      return name.lowercased() == host.name || isSubdomain && host.name.hasSuffix(".\(name.lowercased())")
    }
    if own.values.contains(where: { $0.members?[insecure]?.isTrue ?? false }) {
      return [.ok(key, "plain HTTP to \(host.name) is let through", .apple)]
    }
    if host.isLocal || host.isAddress, rules[local]?.isTrue ?? false {
      return [.ok(key, "\(local) lets plain HTTP to \(host.name) through", .inferred)]
    }
    if rules[anything]?.isTrue ?? false, replacement(in: rules) == nil, own.isEmpty {
      return [.ok(key, "\(anything) lets plain HTTP to \(host.name) through", .apple)]
    }
    let advice = host.isAddress ? "; older iOS takes no address there, so use a .local name" : ""
    return [
      .wrong(
        key, "iOS refuses plain HTTP to \(host.name): it needs \(domains) › \(host.name) › \(insecure) true\(advice)",
        .apple)
    ]
  }

  /// The finding about asking the user for access to the local network.
  private static func permission(_ members: [String: PlistValue], _ host: TestedHost) -> [DoctorFinding] {
    guard host.isLocal else { return [] }
    guard case .text(let text)? = members[localNetwork], !text.isEmpty else {
      return [
        .wrong(
          localNetwork, "is absent: iOS 14 and later ask the user with it before an app reaches \(host.name)", .apple)
      ]
    }
    return [.ok(localNetwork, "iOS asks the user with it before the app reaches \(host.name)", .apple)]
  }
}

/// The host of the endpoint that an app under test asks.
struct TestedHost: Equatable, Sendable {
  let name: String
  /// Whether requests use plain HTTP, which needs an exception.
  let isPlain: Bool

  /// Nil for `embedded`, which no app can ask.
  init?(_ endpoint: Endpoint) {
    if case .embedded = endpoint { return nil }
    guard let parts = try? URLParts(endpoint.address(for: .skan4)) else { return nil }
    self.init(name: parts.address.host, isPlain: parts.address.scheme == .http)
  }

  init(name: String, isPlain: Bool) {
    self.name = name
    self.isPlain = isPlain
  }

  /// Whether the host is a numeric address.
  var isAddress: Bool { name.contains(":") || name.allSatisfy { $0.isNumber || $0 == "." } }

  /// Whether the host is in the local network: a `.local` name, a name without a dot, or an address of a private range.
  var isLocal: Bool {
    if name == "localhost" || name.hasPrefix("127.") || name == "::1" { return false }
    let parts = name.split(separator: ".").compactMap { Int($0) }
    let isPrivate =
      parts.count == 4
      && (parts[0] == 10 || parts[0] == 192 && parts[1] == 168 || parts[0] == 172 && (16...31).contains(parts[1])
        || parts[0] == 169 && parts[1] == 254)
    return isPrivate || name.hasSuffix(".local") || !name.contains(".") && !name.contains(":")
  }
}
