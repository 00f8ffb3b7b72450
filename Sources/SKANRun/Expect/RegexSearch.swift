import SKANSystem
import SKANHTTP
import Synchronization

/// Looks for regular expressions in texts, and gives up those that take too long.
enum RegexSearch {
  private static let mostSeconds = 2.0
  private static let secondsBetweenChecks = 0.05
  private static let givenUp = Mutex<Set<String>>([])

  /// Whether the expression was given up, and its texts were never looked through.
  static func wasGivenUp(_ pattern: String) -> Bool { givenUp.withLock { $0.contains(pattern) } }

  /// An invalid regular expression is not found.
  ///
  /// - Parameter isInterrupted: whether the user wants the program to end; asked while the search takes long.
  static func isFound(_ pattern: String, in text: String, _ isInterrupted: () -> Bool) -> Bool {
    if isShort(pattern, text) { return search(pattern, text) }
    if wasGivenUp(pattern) { return false }
    let found = Monitor<Bool?>(nil)
    // Nothing can end a search: the thread of one that is given up goes on until the process ends.
    let isStarted = WorkerThread.start {
      let isFound = search(pattern, text)
      found.change { $0 = isFound }
    }
    if isStarted {
      let deadline = ContinuousClock.now + .seconds(mostSeconds)
      while ContinuousClock.now < deadline {
        if found.wait(seconds: secondsBetweenChecks, until: { $0 != nil }) { return found.withLock { $0 ?? false } }
        if isInterrupted() { return false }
      }
    }
    givenUp.withLock { _ = $0.insert(pattern) }
    return false
  }

  private static func search(_ pattern: String, _ text: String) -> Bool {
    guard let regex = try? Regex(pattern) else { return false }
    return (try? regex.firstMatch(in: text)) != nil
  }

  /// Whether no search can take long, whatever the text: it is short, little is repeated, and no group is.
  private static func isShort(_ pattern: String, _ text: String) -> Bool {
    let (bytes, repeats) = (Array(pattern.utf8), Set("*+{".utf8))
    let groupEnds = zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: ")") && repeats.contains($1) }
    return text.utf8.count <= 512 && !groupEnds && !pattern.contains("\\") && bytes.count(where: repeats.contains) <= 2
  }
}
