#if !canImport(Darwin)
  import Foundation

  extension Workspace {
    /// The built executable, beside the test bundle.
    static let builtExecutable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("skan")

    /// Whether a process has taken SIGINT over.
    static func catchesInterrupts(_ id: Int32) -> Bool {
      let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
      let caught = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
      return caught.flatMap { UInt64($0, radix: 16) }.map { $0 & 1 << UInt64(SIGINT - 1) != 0 } ?? true
    }
  }
#endif
