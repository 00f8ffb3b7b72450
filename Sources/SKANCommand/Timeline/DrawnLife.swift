import SKANDevice
import SKANTimeline

/// The life that is to be drawn, of a device file or of a phone of a list.
struct DrawnLife {
  /// The phone's name in a list.
  var name = ""
  var device: Device
  var history: [LifeEvent]
  /// As of when it is drawn.
  var now: Instant
  var redactor: Redactor

  /// The drawing without a medium.
  var timeline: Timeline {
    let postbacks = device.postbacks(phone: name, at: now)
    return Timeline(device, history: redactedHistory, postbacks: postbacks, now: now)
  }

  /// Before anything is cut or escaped, after which the key could not be found any more.
  private var redactedHistory: [LifeEvent] {
    if redactor.isEmpty { return history }
    return history.map { event in
      var event = event
      switch event.kind {
      case .event(let name): event.kind = .event(redactor.redacted(name))
      case .revenue(let amount, let currency, let isAd):
        event.kind = .revenue(amount: amount, currency: redactor.redacted(currency), isAdMonetization: isAd)
      case .register, .session, .update, .relaunch, .forward: break
      }
      return event
    }
  }
}
