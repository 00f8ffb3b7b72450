import SKANDevice
import SKANJSON
import SKANRun

/// Groups equal failures and findings of a list: the first ones are printed, the others counted.
struct EqualFailures {
  /// How many of each group are printed.
  private static let mostTold = 3
  /// How many groups are kept; what belongs to none is printed.
  private static let mostKinds = 1000

  private struct Group {
    var words: String
    var count = 0
    /// Of those that are not printed.
    var first = ""
    var last = ""
  }

  private var places: [String: Int] = [:]
  private var groups: [Group] = []

  /// Whether it belongs to a group of which enough are printed.
  mutating func isOneMore(_ verdict: Expectation.Verdict, at place: String) -> Bool {
    let expected = JSONWriter.text(verdict.expected)
    let words = "\(verdict.path): expected \(Self.short(expected)), got \(Self.short(verdict.actualText))"
    return isOneMore("\(verdict.path)\n\(expected)\n\(verdict.actualText)", words, at: place)
  }

  mutating func isOneMore(_ warning: Warning, at place: String) -> Bool {
    isOneMore(warning.message, "finding: \(warning.message) [\(warning.code)]", at: place)
  }

  private mutating func isOneMore(_ key: String, _ words: @autoclosure () -> String, at place: String) -> Bool {
    guard let index = places[key] else {
      guard groups.count < Self.mostKinds else { return false }
      places[key] = groups.count
      groups.append(Group(words: words(), count: 1))
      return false
    }
    groups[index].count += 1
    guard groups[index].count > Self.mostTold else { return false }
    if groups[index].first.isEmpty { groups[index].first = place }
    groups[index].last = place
    return true
  }

  /// What was counted only, a line a group.
  func lines(of list: String) -> [String] {
    groups.filter { $0.count > Self.mostTold }.map { group in
      let more = group.count - Self.mostTold
      let span = more == 1 ? "at \(group.first)" : "from \(group.first) to \(group.last)"
      return "\(list): the same \(more == 1 ? "once" : "\(more) times") more, \(span): \(group.words)"
    }
  }

  private static func short(_ text: String) -> String { text.count > 80 ? "\(text.prefix(80))…" : text }
}
