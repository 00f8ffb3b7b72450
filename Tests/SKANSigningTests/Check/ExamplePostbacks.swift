import Foundation
import TestSupport

/// The postbacks of `fixtures/postbacks`.
enum ExamplePostbacks {
  /// Apple's published samples: 4.0 with a fine value, 4.0 with a coarse one, 3.0, 3.0 that did not win, 2.2, 2.1.
  static func apple() throws -> [String] {
    try ["4.0-fine", "4.0-coarse", "3.0", "3.0-not-won", "2.2", "2.1"].map { try text("apple-\($0).json") }
  }

  /// A text of the folder, without the end of its last line.
  static func text(_ name: String) throws -> String {
    let file = Checkout.fixtures.appending(path: "postbacks").appending(path: name)
    return try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines)
  }
}
