extension ValueParser<Glob> {
  static var glob: Self { Self(.pattern) { Glob($0.text) } }
}

/// A pattern for names: `*` for anything, `?` for one character.
struct Glob: Sendable {
  private let pattern: [Character]

  init(_ pattern: String) { self.pattern = Array(pattern) }

  func matches(_ text: String) -> Bool {
    let text = Array(text)
    var (place, position) = (0, 0)
    // Where the last star stood, and how far it reaches.
    var star: (place: Int, position: Int)?
    while position < text.count {
      if place < pattern.count, pattern[place] == "*" {
        star = (place, position)
        place += 1
      } else if place < pattern.count, pattern[place] == "?" || pattern[place] == text[position] {
        (place, position) = (place + 1, position + 1)
      } else if let last = star {
        star = (last.place, last.position + 1)
        (place, position) = (last.place + 1, last.position + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "*" }
  }
}
