import Foundation
import TestSupport
import Testing

/// The README as a test reads it.
struct Readme {
  let text: String

  init() throws { text = try String(contentsOf: Checkout.root.appending(path: "README.md"), encoding: .utf8) }

  /// What is between two texts, the first included.
  func part(from start: String, to end: String) throws -> String {
    let first = try #require(text.range(of: start), "\(start)")
    let last = try #require(text[first.upperBound...].range(of: end), "\(end)")
    return String(text[first.lowerBound..<last.lowerBound])
  }

  /// The cells of the table with this head, row by row.
  func table(_ head: String) throws -> [[String]] {
    try part(from: "\n\(head)\n", to: "\n\n").split(separator: "\n").dropFirst(2).map { line in
      line.replacing("\\|", with: "\u{0}").split(separator: "|").map {
        $0.replacing("\u{0}", with: "|").trimmingCharacters(in: .whitespaces)
      }
    }
  }

  /// The texts between backticks.
  static func codes(in text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }

  /// The names of the options that a text mentions.
  static func options(in text: String) -> Set<String> {
    Set(text.matches(of: /(?:^|[^\w-])--([a-z][a-z-]*)/).map { String($0.output.1) })
  }
}
