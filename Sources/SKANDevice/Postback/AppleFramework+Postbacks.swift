extension AppleFramework {
  /// Every postback of the install as of a moment: three with an ad of version 4, one with an older one, none when no
  /// ad brought it.
  ///
  /// - Parameters:
  ///   - name: the phone's name in a list, empty for a device file; with it two phones without an identifier for
  ///     vendors draw differently.
  ///   - tier: the postback data tier instead of the ad's own.
  package func postbacks(
    on profile: DeviceProfile, phone name: String, at now: Instant, tier: Int64? = nil
  ) -> [Postback] {
    guard var ad = profile.ad, let version = version ?? profile.adVersion else { return [] }
    ad.tier = tier ?? ad.tier
    let plan = PostbackPlan(
      framework: self, profile: profile, install: InstallTraits(profile), ad: ad, version: version, phone: name,
      moment: moment(now))
    return version.hasWindows ? [.p0, .p1, .p2].map(plan.postback) : [plan.onlyPostback]
  }
}
