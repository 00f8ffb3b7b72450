import SKANDevice
import SKANModel

/// What a device does from its beginning on, in the order of time.
package struct DeviceLife {
  /// Something that the app does.
  package struct Event {
    package var time: Instant
    /// Nil for revenue alone.
    package var update: Update?
    package var revenue: Revenue?
  }

  package enum Update: Equatable, Sendable {
    case session
    /// By the index of its name among those that a model asks for; nil for another one.
    case event(Int?)
  }

  package struct Revenue {
    package var amount: Double
    package var currency: CurrencyCode
    package var isAdMonetization: Bool
    /// In millionths of the report's currency; 0 without a rate.
    package var micros: Int
  }

  package var key: DeviceKey
  /// The first call to Apple's framework.
  package var start: Instant
  package var events: [Event] = []
  /// The index of the kind of phone.
  var profile: UInt16 = 0
  /// The index of the group.
  var group = 0

  /// The window of a moment; nil after the third. As the snippet reckons it: by whole seconds.
  @inline(__always)
  package func window(at time: Instant) -> ConversionWindow? {
    let seconds = time.wholeSeconds - start.wholeSeconds
    if seconds < ConversionWindow.p0.end { return .p0 }
    if seconds < ConversionWindow.p1.end { return .p1 }
    return seconds < ConversionWindow.p2.end ? .p2 : nil
  }

  /// The end of a window.
  func end(of window: ConversionWindow) -> Instant {
    Instant(microseconds: (start.wholeSeconds + window.end) * 1_000_000)
  }

  /// True revenue of each window, in millionths.
  package var revenue: PerWindow<Int> {
    var revenue = PerWindow<Int>(repeating: 0)
    for event in events {
      if let micros = event.revenue?.micros, let window = window(at: event.time) { revenue[window].add(micros) }
    }
    return revenue
  }
}
