import Foundation
import Synchronization
import TestSupport
import Testing

/// The README, the manual beside the executable, and the behaviour reference, as tests read them.
struct Manual {
  /// Paths below the checkout: the README first, then the articles of both catalogs.
  static let paths: [String] = {
    let catalogs = ["Sources/skan/skan.docc", "Sources/SKANDevice/SKANDevice.docc"].flatMap { catalog in
      let names =
        (try? FileManager.default.contentsOfDirectory(atPath: Checkout.root.appending(path: catalog).path)) ?? []
      return names.filter { $0.hasSuffix(".md") }.sorted().map { "\(catalog)/\($0)" }
    }
    return ["README.md"] + catalogs
  }()

  static func text(of path: String) throws -> String {
    try String(contentsOf: Checkout.root.appending(path: path), encoding: .utf8)
  }

  /// Writes a file again; one test at a time, as blocks and tables of an article are written by two.
  static func rewrite(_ path: String, _ change: (String) -> String) throws {
    try rewriting.withLock { _ in
      try Data(change(text(of: path)).utf8).write(to: Checkout.root.appending(path: path))
    }
  }

  private static let rewriting = Mutex(())

  /// Of an article of the manual.
  static func article(_ name: String) throws -> String { try text(of: "Sources/skan/skan.docc/\(name).md") }

  /// The README and the manual, one after the other.
  let text: String

  init() throws {
    text = try Self.paths.filter { !$0.hasPrefix("Sources/SKANDevice/") }.map(Self.text).joined(separator: "\n\n")
  }

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
