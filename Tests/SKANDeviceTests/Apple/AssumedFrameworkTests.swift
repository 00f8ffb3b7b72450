import Testing

@testable import SKANDevice

/// What Apple is taken to hold for a phone of which only the app's store is known.
@Suite("Apple's side of a known store")
struct AssumedFrameworkTests {
  private static let start: Int64 = 1_767_225_600

  private func framework(_ snippet: SnippetVersion, _ change: (inout KeptState) -> Void) -> AppleFramework {
    var kept = KeptState()
    change(&kept)
    var profile = DeviceProfile(idfv: nil)
    profile.snippet = snippet
    return .assumed(from: kept, of: snippet, on: Device(profile).traits.install)
  }

  @Test func `Without a first call nothing`() {
    #expect(framework(.skan4) { $0.fineValue = .integer(5) } == AppleFramework())
    #expect(framework(.skan4) { $0.firstCall = 0 } == AppleFramework())
  }

  @Test func `A first call alone registers`() {
    let framework = framework(.skan4) { $0.firstCall = Self.start }
    #expect(framework.firstUpdate == Instant(unixSeconds: Self.start))
    #expect(framework.held[.p0].fine == 0 && framework.held[.p0].coarse == nil && framework.held[.p1] == HeldValues())
  }

  @Test func `Values of SKAN 3 count at the last call, else at the first`() {
    for lastCall in [nil, Self.start + 3600] {
      let framework = framework(.skan3) {
        $0.firstCall = Self.start
        $0.lastCall = lastCall
        $0.skan3Value = 9
      }
      #expect(framework.held[.p0].fine == 9 && framework.firstUpdate == Instant(unixSeconds: Self.start))
      #expect(framework.latestCall == Instant(unixSeconds: lastCall ?? Self.start))
    }
    #expect(framework(.skan3) { $0.firstCall = Self.start }.held[.p0].fine == nil)
  }

  @Test func `Values of later windows count at their beginning where the last call is not theirs`() {
    let framework = framework(.skan4) {
      $0.firstCall = Self.start
      $0.lastCall = Self.start + 30 * 86_400
      $0.coarseValue[.p0] = .integer(2)
      $0.coarseValue[.p1] = .integer(0)
      $0.coarseValue[.p2] = .integer(1)
      $0.windowLock[.p1] = Self.start + 3 * 86_400
    }
    #expect(framework.held[.p0].coarse == .high && framework.held[.p0].fine == 0 && framework.held[.p0].lockedAt == nil)
    #expect(framework.held[.p1].coarse == .low)
    #expect(framework.held[.p1].lockedAt == Instant(unixSeconds: Self.start + 3 * 86_400))
    #expect(framework.held[.p2].coarse == .medium)
    #expect(framework.latestCall == Instant(unixSeconds: Self.start + 30 * 86_400))
    let early = self.framework(.skan4) {
      $0.firstCall = Self.start
      $0.lastCall = Self.start + 60
      $0.coarseValue[.p1] = .integer(0)
      $0.coarseValue[.p2] = .integer(1)
    }
    #expect(early.held[.p1].coarse == .low && early.held[.p2].coarse == .medium)
    #expect(early.latestCall == Instant(unixSeconds: Self.start + ConversionWindow.p1.end))
  }
}
