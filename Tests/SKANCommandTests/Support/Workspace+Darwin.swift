#if canImport(Darwin)
  import Foundation

  extension Workspace {
    /// The built executable, beside the test bundle.
    static let executable = Bundle(for: Workspace.self).bundleURL.deletingLastPathComponent()
      .appendingPathComponent("skan")
  }
#endif
