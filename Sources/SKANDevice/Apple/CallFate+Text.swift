extension FrameworkAnswer: CustomStringConvertible {
  /// What Apple makes of the call, in one sentence for a person.
  package var description: String {
    let notes = effects.notes
    return notes.isEmpty ? "\(fate)." : "\(fate); \(notes.joined(separator: ", "))."
  }
}

extension CallFate: CustomStringConvertible {
  /// Without a period.
  package var description: String {
    switch self {
    case .taken(let window): "Apple holds the values for P\(window.rawValue)"
    case .registered: "Apple has registered the install, without a value"
    case .alreadyRegistered: "Apple has the install registered already and does nothing"
    case .organic: "no ad brought this install, so Apple takes the call and holds nothing"
    case .unknownVersion: "this iOS does not know the ad's version, so Apple takes the call and holds nothing"
    case .tooLate(let since):
      "Apple takes a first call until 60 days after the install, \(since), and ignores a later one"
    case .locked(let window, let since):
      "P\(window.rawValue) was locked at \(since), so Apple ignores the call and keeps the values of the lock"
    case .windowsOver(let since): "Apple's last window closed at \(since), so Apple ignores the call"
    case .final(let since):
      "the timer ran out at \(since) without a higher value, so Apple's value is final and the call ignored"
    case .notHigher(let current):
      "the value is not higher than \(current), which Apple holds, so the call is ignored and restarts no timer"
    case .fineOnly(let window):
      "a call without coarse value and lock counts in Apple's first window only, and this is P\(window.rawValue)"
    case .refused(let code): "Apple refuses the call with SKANErrorDomain error \(code) and holds what it held"
    }
  }
}

extension CallEffects {
  /// In words, each a part of a sentence.
  fileprivate var notes: [String] {
    let words: [(CallEffects, String)] = [
      (.registered, "the first call, which registers the install"), (.locked, "the window is locked now"),
      (.fineIgnored, "a fine value counts in the first window only"),
      (.coarseIgnored, "versions up to 3 ignore the coarse value"), (.lockIgnored, "versions up to 3 ignore the lock"),
      (.coarseCleared, "the coarse value is gone, since the call had none"), (.reset, "the value is 0 again"),
    ]
    return words.filter { contains($0.0) }.map(\.1)
  }
}
