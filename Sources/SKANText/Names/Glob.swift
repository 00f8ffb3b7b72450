/// A pattern for names, as a shell has it: `*` for anything, `?` for one character, `[a-z]` for one of some and `[!a-z]` for
/// one of all others.
///
/// Characters are those that a person sees. The C library's `fnmatch` compares bytes, or code points where the locale says
/// so, and then `?` is not an emoji.
package struct Glob: Sendable {
  private enum Part: Sendable {
    case anything
    case character(Matcher)
  }

  private let parts: [Part]

  package init(_ pattern: String) {
    var rest = Substring(pattern)
    var parts: [Part] = []
    while let character = rest.popFirst() {
      switch character {
      case "*": parts.append(.anything)
      case "?": parts.append(.character(.any))
      case "[": parts.append(.character(Matcher(set: &rest) ?? .one("[")))
      default: parts.append(.character(.one(character)))
      }
    }
    self.parts = parts
  }

  package func matches(_ text: String) -> Bool {
    let text = Array(text)
    var (part, position) = (0, 0)
    // The last star, and how far it reaches.
    var star: (part: Int, position: Int)?
    while position < text.count {
      if part < parts.count, case .anything = parts[part] {
        star = (part, position)
        part += 1
      } else if part < parts.count, case .character(let matcher) = parts[part], matcher.matches(text[position]) {
        (part, position) = (part + 1, position + 1)
      } else if let last = star {
        star = (last.part, last.position + 1)
        (part, position) = (last.part + 1, last.position + 1)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { if case .anything = $0 { true } else { false } }
  }
}

extension Glob {
  /// What stands for one character.
  fileprivate enum Matcher: Sendable {
    case any
    case one(Character)
    case set([ClosedRange<Character>], isInverted: Bool)

    /// Reads what follows a `[`, as POSIX has it: `]` is an ordinary character where it is the first, `-` where it is the
    /// first or the last.
    ///
    /// - Returns: nil when no `]` ends it; then nothing was read, and the bracket stands for itself.
    init?(set text: inout Substring) {
      var rest = text
      let isInverted = rest.first == "!" || rest.first == "^"
      if isInverted { rest.removeFirst() }
      var ranges: [ClosedRange<Character>] = []
      var isFirst = true
      while let low = rest.popFirst() {
        if low == "]", !isFirst {
          text = rest
          self = .set(ranges, isInverted: isInverted)
          return
        }
        isFirst = false
        var high = low
        if rest.first == "-", let end = rest.dropFirst().first, end != "]" {
          rest.removeFirst(2)
          high = end
        }
        // A range that runs backwards holds nothing.
        if low <= high { ranges.append(low...high) }
      }
      return nil
    }

    func matches(_ character: Character) -> Bool {
      switch self {
      case .any: true
      case .one(let own): own == character
      case .set(let ranges, let isInverted): ranges.contains { $0.contains(character) } != isInverted
      }
    }
  }
}
