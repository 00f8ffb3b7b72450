import SKANBase

extension FrameworkAnswer: CustomStringConvertible {
  /// What Apple makes of the call, in one sentence for a person.
  package var description: String { String(writing: { $0.append(self) }) }
}

extension CallFate: CustomStringConvertible {
  /// Without a period.
  package var description: String { String(writing: { $0.append(self) }) }
}

extension ByteText {
  /// Adds what Apple makes of a call, in one sentence for a person.
  package mutating func append(_ answer: FrameworkAnswer) {
    append(answer.fate)
    if answer.effects.rawValue != 0 { append(notesOf: answer.effects) }
    append(UInt8(ascii: "."))
  }

  /// Adds what became of a call, without a period.
  fileprivate mutating func append(_ fate: CallFate) {
    switch fate {
    case .taken(let window):
      append("Apple holds the values for ")
      append(window)
    case .registered: append("Apple has registered the install, without a value")
    case .alreadyRegistered: append("Apple has the install registered already and does nothing")
    case .organic: append("no ad brought this install, so Apple takes the call and holds nothing")
    case .unknownVersion:
      append("this iOS does not know the ad's version, so Apple takes the call and holds nothing")
    case .tooLate(let since):
      append("Apple takes a first call until 60 days after the install, ")
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
      append(" without a higher value, so Apple's value is final and the call ignored")
    case .notHigher(let current):
      append("the value is not higher than ")
      append(Int64(current))
      append(", which Apple holds, so the call is ignored and restarts no timer")
    case .fineOnly(let window):
      append("a call without coarse value and lock counts in Apple's first window only, and this is ")
      append(window)
    case .refused(let code):
      append("Apple refuses the call with SKANErrorDomain error ")
      append(code)
      append(" and holds what it held")
    }
  }

  /// Adds what a call did besides, behind a semicolon.
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
  /// In words, each a part of a sentence.
  fileprivate static let words: [(CallEffects, String)] = [
    (.registered, "the first call, which registers the install"), (.locked, "the window is locked now"),
    (.fineIgnored, "a fine value counts in the first window only"),
    (.coarseIgnored, "versions up to 3 ignore the coarse value"), (.lockIgnored, "versions up to 3 ignore the lock"),
    (.coarseCleared, "the coarse value is gone, since the call had none"), (.reset, "the value is 0 again"),
  ]
}
