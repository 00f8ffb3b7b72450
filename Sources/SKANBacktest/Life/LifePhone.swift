import SKANDevice
import SKANModel

/// A device in the middle of its life.
struct LifePhone {
  var device: Device
  var memory = InstallMemory.none
  /// Nil before the first, and where the last came to anything but its values.
  private(set) var last: Answered?
  /// Whether revenue came since the last update.
  var hasNewRevenue = false

  /// What the last update came to.
  struct Answered {
    let decision: ReferenceReply.Decision
    let window: ConversionWindow
    /// Apple's, which need not be the snippet's.
    let appleWindow: ConversionWindow
    /// Whether the update before had the same: then this one has changed nothing that an answer or Apple looks at.
    let isSteady: Bool
    /// Until then the same is answered and taken, unless a count or revenue changes it.
    let end: Instant
  }

  init(_ device: Device) { self.device = device }

  /// Whether an update now, of an event whose count is no edge, is answered as the last one and changes nothing.
  @inline(__always)
  func isSteady(at time: Instant) -> Bool {
    guard let last else { return false }
    return last.isSteady && !hasNewRevenue && time < last.end
  }

  /// Takes note of an update that was answered with values which the app and Apple took.
  ///
  /// - Parameter end: of the time in which the same is answered.
  mutating func note(_ decision: ReferenceReply.Decision, in window: ConversionWindow, at time: Instant, end: Instant) {
    guard let appleWindow = device.appleWindow(at: time),
      let appleEnd = device.framework.end(of: appleWindow, on: device.traits.install)
    else { return forget() }
    let isSteady =
      last.map { $0.decision == decision && $0.window == window && $0.appleWindow == appleWindow } ?? false
    last = Answered(
      decision: decision, window: window, appleWindow: appleWindow, isSteady: isSteady, end: min(end, appleEnd))
    hasNewRevenue = false
  }

  /// Takes note of an update that came to anything else.
  mutating func forget() { last = nil }
}
