import SKANBase
import SKANCommandLine

/// Checks the array `SKAdNetworkItems`, which names the ad networks whose ads an app shows.
///
/// Apple's pages on `SKAdNetworkItems` and "Configuring a source app" give the form: a dictionary for each network, with
/// its identifier under `SKAdNetworkIdentifier`. Findings about the identifier itself are marked as inferred.
enum AdNetworkRule {
  static let key = PlistKey.adNetworks.rawValue
  private static let identifier = "SKAdNetworkIdentifier"
  private static let suffix = ".skadnetwork"

  /// - Returns: no finding if the key is absent, as in an app without ads.
  static func findings(_ members: [String: PlistValue]) -> [DoctorFinding] {
    guard let value = members[key] else { return [] }
    guard case .array(let items) = value else {
      return [.wrong(key, "must be an array of dictionaries, this is \(value.kind)", .apple)]
    }
    var seen: Set<String> = []
    let findings = items.enumerated().compactMap { index, item in finding("item \(index + 1)", item, &seen) }
    return findings.isEmpty ? [.ok(key, "names \(items.count.counted("ad network"))", .apple)] : findings
  }

  /// The finding about an item; nil if nothing is wrong with it.
  private static func finding(_ place: String, _ item: PlistValue, _ seen: inout Set<String>) -> DoctorFinding? {
    guard let members = item.members else {
      return .wrong(key, "\(place) must be a dictionary with \(identifier), this is \(item.kind)", .apple)
    }
    guard let value = members[identifier] else {
      let names = members.keys.sorted().map { JSONWriter.quoted($0) }.joined(separator: ", ")
      return .wrong(key, "\(place) has no \(identifier), but \(names.isEmpty ? "nothing" : names)", .apple)
    }
    guard case .text(let text) = value else {
      return .wrong(key, "\(identifier) of \(place) must be a string, this is \(value.kind)", .apple)
    }
    let quoted = JSONWriter.quoted(text)
    if let setting = BuildSetting.finding(key, text) { return setting }
    if text != text.lowercased() {
      return .wrong(key, "\(quoted) of \(place) must be in lower-case letters: \(text.lowercased())", .inferred)
    }
    guard text.hasSuffix(suffix), text.count > suffix.count, !text.contains(where: \.isWhitespace) else {
      return .wrong(key, "\(quoted) of \(place) must be a name that ends in \(suffix)", .inferred)
    }
    return seen.insert(text).inserted ? nil : .wrong(key, "\(quoted) of \(place) is listed twice", .inferred)
  }
}

/// A build setting in a property list, such as `$(NAME)` or `${NAME}`, which Xcode replaces in the app that it builds.
enum BuildSetting {
  /// The finding about a text that has a build setting; nil for any other text.
  static func finding(_ key: String, _ text: String) -> DoctorFinding? {
    guard text.contains("$(") || text.contains("${") else { return nil }
    return .note(
      key, "\(JSONWriter.quoted(text)) has a build setting and is not checked; check the Info.plist of the built app",
      .inferred)
  }
}
