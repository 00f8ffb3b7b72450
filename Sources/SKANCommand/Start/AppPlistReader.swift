import SKANBase
import SKANDevice
import SKANHTTP
import SKANRun

/// Reads what an app's own Info.plist decides on a phone: copies of postbacks, windows, cool-downs and overlap.
///
/// A value that is not as Apple documents it counts as absent, and is a finding of `skan doctor`; that it does is ours.
struct AppPlistReader {
  private let members: [String: PlistValue]
  private let findings: [String]

  /// - Throws: why the file is no Info.plist.
  init(_ bytes: [UInt8]) throws(PlistValue.Failure) {
    let value = try PlistValue(bytes)
    guard let members = value.members else {
      throw PlistValue.Failure(reason: "it must be a dictionary, this is \(value.kind)")
    }
    self.members = members
    findings = PlistChecks.findings(bytes, host: nil).filter { $0.status == .wrong }.map {
      "\($0.check): \($0.message)."
    }
  }

  /// Gives a profile what the file says. A setting that has another value than the default keeps it.
  func apply(to profile: inout DeviceProfile) {
    profile.plist = AppPlist(copies: copies, findings: findings)
    let transport = members.filter { [TransportSecurityRule.key, TransportSecurityRule.localNetwork].contains($0.key) }
    profile.plist?.transport = PlistValue.dictionary(transport).json
    let parts = members[AdAttributionKitRules.configurations]?.members ?? [:]
    let windows = parts["AttributionWindows"]?.members ?? [:]
    profile.attributionWindows = AttributionWindows(
      windows.sorted { $0.key < $1.key }.compactMap { network, value in
        guard let rule = value.members?["install"]?.members else { return nil }
        let ignored = network == "global" ? nil : rule["ignoreInteractionType"]?.text
        return (
          network,
          AttributionWindows.Rule(
            click: rule["click"]?.wholeNumber, view: rule["view"]?.wholeNumber,
            ignored: ignored.flatMap(AttributionWindows.Interaction.init))
        )
      })
    let usual = FrameworkSettings()
    let hours = parts["AttributionCooldown"]?.members ?? [:]
    if profile.settings.kitInstallCooldown == usual.kitInstallCooldown {
      profile.settings.kitInstallCooldown = cooldown(hours[FrameworkSetting.kitInstallCooldown.name], profile.settings)
    }
    if profile.settings.kitReEngagementCooldown == usual.kitReEngagementCooldown {
      profile.settings.kitReEngagementCooldown = cooldown(
        hours[FrameworkSetting.kitReEngagementCooldown.name], profile.settings)
    }
    if members[AdAttributionKitRules.overlapping]?.isTrue ?? false { profile.settings.kitOverlap = .on }
    if members[AdAttributionKitRules.reengagementCopies]?.isTrue ?? false { profile.settings.kitCopies = .on }
  }

  /// The hours of a cool-down. One out of Apple's range counts by the setting `aak-rules-range`.
  private func cooldown(_ value: PlistValue?, _ settings: FrameworkSettings) -> UInt16 {
    guard let hours = value?.wholeNumber else { return 0 }
    if (0...720).contains(hours) { return UInt16(hours) }
    return settings.kitRulesRange == .clamped && hours > 720 ? 720 : 0
  }

  private var copies: AppPlist.Copies {
    AppPlist.Copies(
      skadnetwork: address(PostbackCopyRule.skadnetwork), adAttributionKit: address(PostbackCopyRule.adAttributionKit))
  }

  /// The address of copies; nil without one of https. Apple ignores the path and any subdomain of what the file has.
  private func address(_ rule: PostbackCopyRule) -> String? {
    guard let text = members[rule.key]?.text, let parts = try? URLParts(text), parts.address.scheme == .https else {
      return nil
    }
    return rule.url(of: parts.address)
  }
}

extension PlistValue {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }

  /// A number without a fraction that is below a million.
  fileprivate var wholeNumber: Int64? {
    if case .number(let number) = self, number.magnitude < 1e6 { Int64(exactly: number) } else { nil }
  }
}

extension ListReader.Options {
  /// Lets `device` steps name an Info.plist.
  mutating func readPlists() {
    readPlist = { (bytes, profile) throws(SourceFailure) in
      do throws(PlistValue.Failure) { try AppPlistReader(bytes).apply(to: &profile) } catch {
        throw .unreadable(error.reason)
      }
    }
  }
}
