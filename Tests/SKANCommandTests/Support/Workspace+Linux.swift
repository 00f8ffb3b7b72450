#if !canImport(Darwin)
  import Foundation

  extension Workspace {
    /// The built executable, beside the test bundle.
    static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("skan")
  }
#endif
