import Foundation

/// The checkout that the tests are part of.
package enum Checkout {
  package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The fixtures' folder.
  package static let fixtures = root.appending(path: "fixtures")
}
