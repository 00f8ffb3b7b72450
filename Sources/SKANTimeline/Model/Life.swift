import SKANDevice

/// An install's life as it is given, with the moments by which it is drawn.
struct Life {
  let device: Device
  let history: [LifeEvent]
  let postbacks: [Postback]
  let now: Instant
  /// From when times are counted: the app's first call, Apple's, or the first thing that happened.
  let origin: Instant
  /// The windows as the app counts them, and as Apple does.
  let appBands: [Band]
  let appleBands: [Band]

  init(_ device: Device, history: [LifeEvent], postbacks: [Postback], now: Instant) {
    self.device = device
    self.history = history
    self.postbacks = postbacks
    self.now = now
    let firstCall = Self.instant(device.kept.firstCall)
    origin = firstCall ?? device.framework.firstUpdate ?? history.map(\.at).min() ?? now
    appBands = Band.app(device, firstCall: firstCall)
    appleBands = Band.apple(device)
  }

  /// A moment of the app's store; it takes 0 for none.
  static func instant(_ seconds: Int64?) -> Instant? {
    guard let seconds, seconds != 0 else { return nil }
    return Instant(unixSeconds: Double(seconds))
  }

  /// The windows by which the life is drawn: Apple's where it has windows, since they decide.
  var bands: [Band] { appleBands.count > 1 || appBands.isEmpty ? appleBands : appBands }

  /// The app's window at a moment.
  func appWindow(at moment: Instant) -> ConversionWindow? { Band.window(at: moment, in: appBands) }

  /// Apple's window at a moment.
  func appleWindow(at moment: Instant) -> ConversionWindow? { Band.window(at: moment, in: appleBands) }

  /// A moment counted from the origin, such as `+1d8h`.
  func elapsed(_ moment: Instant) -> String { moment.since(origin).signedText }
}

/// A stretch of time in which values can change.
package struct Band: Sendable, Equatable {
  package let name: String
  package let window: ConversionWindow
  package let start: Instant
  package let end: Instant

  /// Of SKAN 4 three windows, of SKAN 3 one that every update makes longer; none before the first call.
  static func app(_ device: Device, firstCall: Instant?) -> [Band] {
    guard let firstCall else { return [] }
    switch device.snippet.rules.windows {
    case .fromFirstCall: return three(from: firstCall) { firstCall.later(by: TimeSpan(seconds: $0.end)) }
    case .fromLastCall:
      let last = max(Life.instant(device.kept.lastCall) ?? firstCall, firstCall)
      let end = last.later(by: TimeSpan(seconds: ConversionWindow.skan3Length))
      return [Band(name: "updates", window: .p0, start: firstCall, end: end)]
    }
  }

  /// Of an ad of version 4 three windows, of an older one the timer that each higher value restarts.
  static func apple(_ device: Device) -> [Band] {
    let install = device.traits.install
    let framework = device.framework
    guard let version = framework.version, let start = framework.clockStart(on: install) else { return [] }
    if version.hasWindows { return three(from: start) { framework.end(of: $0, on: install) ?? start } }
    let begin = framework.firstUpdate ?? start
    let end = framework.end(of: .p0, on: install) ?? begin
    return [Band(name: "timer", window: .p0, start: begin, end: max(begin, end))]
  }

  private static func three(from start: Instant, _ end: (ConversionWindow) -> Instant) -> [Band] {
    var bands: [Band] = []
    for window in ConversionWindow.allCases {
      let begin = bands.last?.end ?? start
      bands.append(Band(name: "P\(window.rawValue)", window: window, start: begin, end: end(window)))
    }
    return bands
  }

  /// The window that is open at a moment. What lies before the first belongs to it, as on a phone whose clock goes back.
  static func window(at moment: Instant, in bands: [Band]) -> ConversionWindow? {
    bands.first { moment < $0.end }?.window
  }
}
