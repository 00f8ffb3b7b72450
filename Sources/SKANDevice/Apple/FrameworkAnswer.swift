/// What a call into Apple's framework came to.
package struct FrameworkAnswer: Sendable {
  package let fate: CallFate
  package var effects: CallEffects = []
  /// The error that Apple returns for an ignored call, if any.
  private let ignored: FrameworkSettings.IgnoredCall
  /// Whether the call has a completion handler.
  private let isHeard: Bool

  /// - Parameter ignored: what the call gets, where the fate is that it was ignored.
  init(
    _ fate: CallFate, of call: FrameworkCall, ignored: FrameworkSettings.IgnoredCall = .noError,
    effects: CallEffects = []
  ) {
    self.fate = fate
    self.effects = effects
    self.ignored = ignored
    isHeard = call.hasHandler
  }

  /// `SKANErrorDomain` code of Apple's answer, whether the app can hear it or not.
  package var error: Int64? { if case .refused(let code) = fate { code } else { ignored.code } }

  /// The code as the completion handler gets it: none for calls without one.
  package var handlerError: Int64? { isHeard ? error : nil }

  /// A call that fails and changes nothing.
  static func refused(_ call: FrameworkCall, _ code: Int64) -> FrameworkAnswer {
    FrameworkAnswer(.refused(code), of: call)
  }
}

extension FrameworkAnswer: Equatable {
  /// Whether both say the same, also to the completion handler.
  package static func == (left: FrameworkAnswer, right: FrameworkAnswer) -> Bool {
    left.fate == right.fate && left.effects == right.effects && left.error == right.error
      && left.handlerError == right.handlerError
  }
}

/// What became of a call.
package enum CallFate: Sendable, Equatable {
  /// Its values are what Apple now holds of this window; versions up to 3 have the first only.
  case taken(ConversionWindow)
  /// The first call, without a value: the install is registered.
  case registered
  /// Registered before; nothing to do.
  case alreadyRegistered
  /// No ad brought the install: nothing is held.
  case organic
  /// This iOS does not know the version of the ad: nothing is held.
  case unknownVersion
  /// The first call, and later after the install than Apple takes one: nothing is held.
  case tooLate(since: Instant)
  case locked(ConversionWindow, since: Instant)
  /// All windows are over.
  case windowsOver(since: Instant)
  /// The timer of versions up to 3 has run out: the value is final.
  case final(since: Instant)
  /// Versions up to 3 only go upwards.
  case notHigher(than: UInt8)
  /// A call without a coarse value and a lock to give counts in the first window of version 4 only.
  case fineOnly(ConversionWindow)
  /// It failed with this `SKANErrorDomain` code.
  case refused(Int64)

  /// Whether Apple holds what the call gave.
  package var isTaken: Bool { kind.isTaken }
}

/// What a call did besides, or what of it did not count.
package struct CallEffects: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The first call: the install is registered, and the clock runs if it did not before.
  package static let registered = CallEffects(rawValue: 1)
  /// The window is locked from now on.
  package static let locked = CallEffects(rawValue: 2)
  /// Given after the first window, the fine value does not count.
  package static let fineIgnored = CallEffects(rawValue: 4)
  /// Versions up to 3 have no coarse value.
  package static let coarseIgnored = CallEffects(rawValue: 8)
  /// Versions up to 3 have no lock.
  package static let lockIgnored = CallEffects(rawValue: 16)
  /// The coarse value that was held is gone, since the call had none.
  package static let coarseCleared = CallEffects(rawValue: 32)
  /// The value that was held is 0 again.
  package static let reset = CallEffects(rawValue: 64)
}
