import SKANHTTP
import SKANBase

/// A key of an Info.plist that holds the address to which Apple sends copies of postbacks, one for each framework.
///
/// Apple's pages on both keys: "https://example.com", of which the registrable domain counts; the path is always the same.
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

  /// Labels before a country's that stand for no owner: a part of the public suffix list, so that what is said of a
  /// subdomain is inferred.
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

  /// What is said of a value.
  func check(_ text: String) -> DoctorFinding {
    let quoted = JSONWriter.quoted(text)
    if text != text.trimmingBlanks { return .wrong(key, "\(quoted) has blanks at an end", .inferred) }
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

  /// The domain that someone can register: the last two labels, or three below a suffix such as co.uk.
  private static func registrable(_ host: String) -> String {
    let labels = host.split(separator: ".").map(String.init)
    guard labels.count > 2 else { return host }
    let hasSuffix = labels[labels.count - 1].count == 2 && suffixes.contains(labels[labels.count - 2])
    return labels.suffix(hasSuffix ? 3 : 2).joined(separator: ".")
  }
}

extension String {
  /// Without white space at either end.
  fileprivate var trimmingBlanks: String { String(trimming { $0.isWhitespace }) }
}
