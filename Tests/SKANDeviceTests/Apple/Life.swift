import SKANBase

@testable import SKANDevice

/// An install whose framework is called directly; hours count from ``start``.
struct Life {
  var profile: DeviceProfile
  var framework = AppleFramework()

  /// An install by the default ad: version 4.0, won, tier 3.
  init(_ change: (inout DeviceProfile) -> Void = { _ in }) {
    profile = DeviceProfile(idfv: "21DB6612-09B3-4ECC-84AC-B353B0AF1334")
    change(&profile)
  }

  /// The same with an ad of a version up to 3.
  static func old(_ version: String = "3.0", _ change: (inout DeviceProfile) -> Void = { _ in }) -> Life {
    Life { profile in
      profile.ad?.version = version
      profile.ad?.campaign = .campaignID(42)
      change(&profile)
    }
  }

  /// The same with one setting changed.
  init(setting name: String, _ value: String, _ change: (inout DeviceProfile) -> Void = { _ in }) throws {
    self.init(change)
    try profile.settings.set(name, to: value)
  }

  var install: InstallTraits { InstallTraits(profile) }

  @discardableResult
  mutating func call(_ call: FrameworkCall, at hours: Double, failingWith error: Int64? = nil) -> FrameworkAnswer {
    framework.apply(call, at: moment(hours * 3600), on: install, failingWith: error)
  }

  /// The call with coarse value and lock.
  @discardableResult
  mutating func update(
    _ fine: Int64, _ coarse: CoarseValue? = nil, lock: Bool = false, at hours: Double
  ) -> FrameworkAnswer {
    call(.updatePostbackCoarse(fine: fine, coarse: coarse, lock: lock), at: hours)
  }

  func postbacks(at hours: Double, tier: Int64? = nil) -> [Postback] {
    framework.postbacks(on: profile, phone: "", at: moment(hours * 3600), tier: tier)
  }

  /// Fine and coarse value of each window, as Apple holds them.
  var values: [String] {
    ConversionWindow.allCases.map { window in
      let held = framework.held[window]
      return "\(held.fine.map(String.init) ?? "-") \(held.coarse?.rawValue ?? "-")"
    }
  }
}

/// Hours after ``start`` of an instant.
func hours(_ instant: Instant?) -> Double? { instant.map { $0.since(moment(0)).seconds / 3600 } }

func h(_ hours: Double) -> Instant { moment(hours * 3600) }

extension Postback {
  var bodyText: String { content.map { JSONWriter.text($0.json) } ?? "-" }
}
