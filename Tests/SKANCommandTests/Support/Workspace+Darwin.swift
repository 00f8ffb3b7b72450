#if canImport(Darwin)
  import Foundation

  extension Workspace {
    /// The built executable, beside the test bundle.
    static let builtExecutable = Bundle(for: Workspace.self).bundleURL.deletingLastPathComponent()
      .appendingPathComponent("skan")

    /// Whether a process has taken SIGINT over. Nothing tells it here: a moment is enough.
    static func catchesInterrupts(_ id: Int32) -> Bool {
      Thread.sleep(forTimeInterval: 0.5)
      return true
    }
  }
#endif
