import SKANDevice
import SKANRun

/// What Apple holds of a device at the end of its life, and what of its events was lost.
struct LifeValues: Equatable {
  /// 0-63: a first postback without a value of the app's own has 0.
  var fine = 0
  /// By window: 0 = none, 1-3 = low, medium, high.
  var coarse = PerWindow<Int>(repeating: 0)
  /// Whether a postback leaves for the window.
  var leaves = PerWindow<Bool>(repeating: false)
  var lockedAt = PerWindow<Instant?>(repeating: nil)

  init(_ framework: AppleFramework) {
    fine = framework.held[.p0].fine.map(Int.init) ?? 0
    for window in [ConversionWindow.p0, .p1, .p2] {
      let held = framework.held[window]
      leaves[window] = held.isUpdated
      lockedAt[window] = held.lockedAt
      coarse[window] = held.isUpdated ? held.coarse?.index ?? 0 : 0
    }
  }

  /// Whether the values of a window are the same.
  func isSame(as other: LifeValues, in window: ConversionWindow) -> Bool {
    coarse[window] == other.coarse[window] && (window != .p0 || fine == other.fine)
  }
}
