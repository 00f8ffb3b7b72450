import SKANBase

/// A call of Apple's framework with its arguments.
public enum FrameworkCall: Sendable, Equatable {
  case register
  /// SKAN 3: `updateConversionValue`.
  case updateConversionValue(Int64)
  /// iOS 15.4: `updatePostbackConversionValue(_:completionHandler:)`.
  case updatePostback(fine: Int64)
  /// iOS 16.1: with coarse value and lock.
  case updatePostbackCoarse(fine: Int64, coarse: CoarseValue?, lock: Bool)
  /// A direct call to AdAttributionKit (iOS 17.4).
  case updateAdAttributionKit(fine: Int64, coarse: CoarseValue?, lock: Bool)

  /// Whether the call has a completion handler, so that the app learns its result. The oldest calls have none.
  public var hasHandler: Bool {
    switch self {
    case .register, .updateConversionValue: false
    case .updatePostback, .updatePostbackCoarse, .updateAdAttributionKit: true
    }
  }

  /// The fine value of the call, if it has one.
  public var fineValue: Int64? {
    switch self {
    case .register: nil
    case .updateConversionValue(let fine), .updatePostback(let fine), .updatePostbackCoarse(let fine, _, _),
      .updateAdAttributionKit(let fine, _, _):
      fine
    }
  }
}

extension SnippetVersion {
  /// The call of `registerAppForAdNetworkAttribution`. Its fine value, if any, is stored.
  @inline(__always)
  var registrationCall: FrameworkCall { self == .skan3 ? .register : .updatePostback(fine: 0) }
}

/// `SKAdNetwork.CoarseConversionValue`.
public enum CoarseValue: String, CaseIterable, Sendable {
  case low, medium, high

  /// The coarse value of a number on the wire, truncated to an integer; nil for numbers that have none.
  public init?(_ number: KeptValue) {
    switch number.int64 {
    case 0: self = .low
    case 1: self = .medium
    case 2: self = .high
    default: return nil
    }
  }

  /// The number of the coarse value on the wire.
  public var number: Int64 {
    switch self {
    case .low: 0
    case .medium: 1
    case .high: 2
    }
  }
}

extension FrameworkCall: JSONObjectWritable {
  /// The names of Apple's calls.
  package enum Name {
    package static let register = "registerAppForAdNetworkAttribution"
    package static let update = "updateConversionValue"
    package static let postback = "updatePostbackConversionValue"
    package static let adAttributionKit = "AdAttributionKit.updateConversionValue"
  }

  package static let fields = JSONFields<FrameworkCall> {
    JSONField(
      "call", "the name of Apple's method", of: String.self,
      as: .names([Name.register, Name.update, Name.postback, Name.adAttributionKit])
    ) { call, writer in
      switch call {
      case .register: writer.append(Name.register)
      case .updateConversionValue: writer.append(Name.update)
      case .updatePostback, .updatePostbackCoarse: writer.append(Name.postback)
      case .updateAdAttributionKit: writer.append(Name.adAttributionKit)
      }
    }
    JSONField(optional: "fine", "the fine value that was passed", of: Int64.self) { call, writer in
      if let fine = call.fineValue { writer.append(fine) }
    }
    JSONField(
      optional: "coarse", "the coarse value, or null; absent if the method has no coarse value", of: CoarseValue?.self
    ) { call, writer in
      switch call {
      case .updatePostbackCoarse(_, let coarse, _), .updateAdAttributionKit(_, let coarse, _):
        if let coarse { writer.append(coarse.rawValue) } else { writer.null() }
      case .register, .updateConversionValue, .updatePostback: break
      }
    }
    JSONField(
      optional: "lock", "whether it locks the window; absent if the method has no lock", of: Bool.self
    ) { call, writer in
      switch call {
      case .updatePostbackCoarse(_, _, let lock), .updateAdAttributionKit(_, _, let lock): writer.append(lock)
      case .register, .updateConversionValue, .updatePostback: break
      }
    }
  }

  /// Reads the call that ``fields`` wrote; problems are added to the reader.
  package init?(from reader: inout JSONObjectReader) {
    let name = reader.require("call", reader.string("call"))
    let fine = reader.integer("fine")
    let coarse: CoarseValue? = reader.node("coarse")?.isNull ?? true ? nil : reader.choice("coarse")
    switch (name, fine, coarse, reader.bool("lock")) {
    case (Name.register, nil, nil, nil): self = .register
    case (Name.update, let fine?, nil, nil): self = .updateConversionValue(fine)
    case (Name.postback, let fine?, nil, nil): self = .updatePostback(fine: fine)
    case (Name.postback, let fine?, _, let lock?): self = .updatePostbackCoarse(fine: fine, coarse: coarse, lock: lock)
    case (Name.adAttributionKit, let fine?, _, let lock?):
      self = .updateAdAttributionKit(fine: fine, coarse: coarse, lock: lock)
    default:
      if reader.problems.isEmpty { reader.complain("no such call into Apple's framework") }
      return nil
    }
  }
}

extension CoarseValue: JSONWritable {}

/// The result of a call of Apple's framework.
package struct FrameworkAnswer: Sendable {
  package let fate: CallFate
  package var effects: CallEffects = []
  /// The error that Apple returns for an ignored call, if any.
  private let ignored: FrameworkSettings.IgnoredCall
  /// Whether the call has a completion handler.
  private let isHeard: Bool

  /// - Parameter ignored: the answer to an ignored call.
  init(
    _ fate: CallFate, of call: FrameworkCall, ignored: FrameworkSettings.IgnoredCall = .noError,
    effects: CallEffects = []
  ) {
    self.fate = fate
    self.effects = effects
    self.ignored = ignored
    isHeard = call.hasHandler
  }

  /// The `SKANErrorDomain` code of Apple's answer, even if no completion handler receives it.
  package var error: Int64? { if case .refused(let code) = fate { code } else { ignored.code } }

  /// The error code that the completion handler receives; nil for calls without one.
  package var handlerError: Int64? { isHeard ? error : nil }

  /// The answer to a call that fails and changes nothing.
  static func refused(_ call: FrameworkCall, _ code: Int64) -> FrameworkAnswer {
    FrameworkAnswer(.refused(code), of: call)
  }
}

extension FrameworkAnswer: Equatable {
  /// Whether both answers are equal, including the code that the completion handler receives.
  package static func == (left: FrameworkAnswer, right: FrameworkAnswer) -> Bool {
    left.fate == right.fate && left.effects == right.effects && left.error == right.error
      && left.handlerError == right.handlerError
  }
}

/// The outcome of a call.
package enum CallFate: Sendable, Equatable {
  /// Apple now holds the call's values for this window; versions up to 3 have only the first.
  case taken(ConversionWindow)
  /// The first call, without a value: the install is registered.
  case registered
  /// The install was already registered; nothing changes.
  case alreadyRegistered
  /// The install has no ad: Apple holds nothing.
  case organic
  /// This iOS does not support the ad's version: Apple holds nothing.
  case unknownVersion
  /// The first call came after Apple's deadline: Apple holds nothing.
  case tooLate(since: Instant)
  /// The first call came after the deadline of a re-engagement.
  case reEngagementOver(since: Instant)
  case locked(ConversionWindow, since: Instant)
  /// All windows are over.
  case windowsOver(since: Instant)
  /// The timer of versions up to 3 has run out: the value is final.
  case final(since: Instant)
  /// Versions up to 3 only accept higher values.
  case notHigher(than: UInt8)
  /// A call without a coarse value and a lock counts only in the first window of version 4.
  case fineOnly(ConversionWindow)
  /// An ad of AdAttributionKit brought the install, and the call is not mirrored: Apple holds nothing of it.
  case notMirrored
  /// The call failed with this `SKANErrorDomain` code.
  case refused(Int64)

  /// Whether Apple holds the values of the call.
  package var isTaken: Bool { kind.isTaken }
}

/// Side effects of a call, and parts of it that did not count.
package struct CallEffects: OptionSet, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The first call: the install is registered, and the clock starts unless it runs already.
  package static let registered = CallEffects(rawValue: 1)
  /// The call locked the window.
  package static let locked = CallEffects(rawValue: 2)
  /// The fine value came after the first window and does not count.
  package static let fineIgnored = CallEffects(rawValue: 4)
  /// Versions up to 3 have no coarse value.
  package static let coarseIgnored = CallEffects(rawValue: 8)
  /// Versions up to 3 have no lock.
  package static let lockIgnored = CallEffects(rawValue: 16)
  /// The held coarse value was cleared, because the call had none.
  package static let coarseCleared = CallEffects(rawValue: 32)
  /// The held value was reset to 0.
  package static let reset = CallEffects(rawValue: 64)
  /// The call of SKAdNetwork was mirrored into AdAttributionKit.
  package static let mirrored = CallEffects(rawValue: 128)
  /// The mirrored call has no coarse value, and the call of SKAdNetwork has one.
  package static let coarseNotMirrored = CallEffects(rawValue: 256)
  /// The mirrored call cleared a coarse value that a direct call had set.
  package static let directCoarseCleared = CallEffects(rawValue: 512)
}

extension CallFate {
  /// The outcome of a call without its associated values, under its name in device files.
  package enum Kind: String, CaseIterable, Sendable {
    case taken, registered, organic, locked, final, refused
    case unknownVersion = "unknown-version"
    case tooLate = "too-late"
    case alreadyRegistered = "already-registered"
    case windowsOver = "windows-over"
    case notHigher = "not-higher"
    case fineOnly = "fine-only"
    case notMirrored = "not-mirrored"
    case reEngagementOver = "re-engagement-over"

    /// Whether Apple holds the values of the call.
    package var isTaken: Bool { self == .taken || self == .registered }
  }

  package var kind: Kind {
    switch self {
    case .taken: .taken
    case .registered: .registered
    case .alreadyRegistered: .alreadyRegistered
    case .organic: .organic
    case .unknownVersion: .unknownVersion
    case .tooLate: .tooLate
    case .reEngagementOver: .reEngagementOver
    case .locked: .locked
    case .windowsOver: .windowsOver
    case .final: .final
    case .notHigher: .notHigher
    case .fineOnly: .fineOnly
    case .notMirrored: .notMirrored
    case .refused: .refused
    }
  }
}

extension FrameworkAnswer: CustomStringConvertible {
  /// Apple's answer in one sentence for a person.
  package var description: String { String(writing: { $0.append(self) }) }
}

extension CallFate: CustomStringConvertible {
  /// The outcome in words, without a period.
  package var description: String { String(writing: { $0.append(self) }) }
}

extension ByteText {
  /// Adds Apple's answer to a call, in one sentence for a person.
  package mutating func append(_ answer: FrameworkAnswer) {
    append(answer.fate)
    if answer.effects.rawValue != 0 { append(notesOf: answer.effects) }
    append(UInt8(ascii: "."))
  }

  /// Adds the outcome of a call, without a period.
  fileprivate mutating func append(_ fate: CallFate) {
    switch fate {
    case .taken(let window):
      append("Apple holds the values for ")
      append(window)
    case .registered: append("Apple has registered the install, without a value")
    case .alreadyRegistered: append("Apple has the install registered already and does nothing")
    case .organic: append("no ad brought this install, so Apple accepts the call and holds nothing")
    case .unknownVersion:
      append("this iOS does not know the ad's version, so Apple accepts the call and holds nothing")
    case .tooLate(let since):
      append("Apple accepts a first call until 60 days after the install, ")
      append(since)
      append(", and ignores a later one")
    case .reEngagementOver(let since):
      append("AdAttributionKit accepts a first call until 2 days after a re-engagement, ")
      append(since)
      append(", and ignores a later one")
    case .locked(let window, let since):
      append(window)
      append(" was locked at ")
      append(since)
      append(", so Apple ignores the call and keeps the values of the lock")
    case .windowsOver(let since):
      append("Apple's last window closed at ")
      append(since)
      append(", so Apple ignores the call")
    case .final(let since):
      append("the timer ran out at ")
      append(since)
      append(" without a higher value, so Apple's value is final and the call is ignored")
    case .notHigher(let current):
      append("the value is not higher than ")
      append(Int64(current))
      append(", which Apple holds, so the call is ignored and restarts no timer")
    case .fineOnly(let window):
      append("a call without a coarse value and a lock counts only in Apple's first window, and this is ")
      append(window)
    case .notMirrored:
      append(
        "an ad of AdAttributionKit brought this install and Apple does not mirror this call of SKAdNetwork, so Apple "
          + "accepts it and holds nothing from it")
    case .refused(let code):
      append("Apple refuses the call with SKANErrorDomain error ")
      append(code)
      append(" and holds what it held")
    }
  }

  /// Adds the side effects of a call after a semicolon.
  private mutating func append(notesOf effects: CallEffects) {
    var separator = "; "
    for (effect, words) in CallEffects.words where effects.contains(effect) {
      append(separator)
      append(words)
      separator = ", "
    }
  }
}

extension CallEffects {
  /// The effects in words, each a part of a sentence.
  fileprivate static let words: [(CallEffects, String)] = [
    (.registered, "the first call, which registers the install"), (.locked, "the window is locked now"),
    (.fineIgnored, "a fine value counts in the first window only"),
    (.coarseIgnored, "versions up to 3 ignore the coarse value"), (.lockIgnored, "versions up to 3 ignore the lock"),
    (.coarseCleared, "the coarse value is cleared, because the call had none"), (.reset, "the value is 0 again"),
    (.mirrored, "mirrored into AdAttributionKit"),
    (.coarseNotMirrored, "the coarse value is not, since the mirrored call has none"),
  ]
}
