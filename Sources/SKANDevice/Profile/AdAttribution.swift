/// The ad that brought an install, as Apple's framework will report it; see the article "Apple's framework".
package struct AdAttribution: Sendable, Equatable {
  /// Version of the ad's signature: 4.0, 3.0, 2.2, 2.1 or 2.0.
  package var version = "4.0"
  /// Ad network identifier.
  package var network = "com.example"
  /// The advertised app's App Store id.
  package var appID: Int64 = 525_463_029
  package var campaign: Campaign = .sourceIdentifier("5239")
  package var source: Source = .app(1_234_567_891)
  /// 0 view-through, 1 StoreKit-rendered.
  package var fidelity: Int64 = 1
  package var won = true
  package var redownload = false
  /// Postback data tier, 0-3.
  package var tier: Int64 = 3

  package static let versions = ["4.0", "3.0", "2.2", "2.1", "2.0"]

  package enum Campaign: Sendable, Equatable {
    /// Four digits, version 4.
    case sourceIdentifier(String)
    /// 1-100, up to version 3.
    case campaignID(Int64)
  }

  package enum Source: Sendable, Equatable {
    case app(Int64)
    case domain(String)
  }

  package init() {}
}
