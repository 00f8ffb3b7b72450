import SKANBase

/// What `skan` and `skan-http`, the program that sends its requests, agree on.
///
/// `skan` starts `skan-http` with one end of a socket as its standard input. The first frame is the greeting. Then each
/// frame of `skan` is a request, which a frame of `skan-http` answers.
package enum HelperProtocol {
  /// The file name of the program that sends requests.
  package static let programName = "skan-http"

  /// The exit status of `skan-http` when an answer takes too much memory.
  package static let memoryExitCode: Int32 = 3

  /// The exit status of `skan-http` when the greeting is not its own.
  package static let versionExitCode: Int32 = 4

  /// The content of the first frame: the version, since the frames of two versions can differ.
  package static var greeting: [UInt8] { greeting(version: ProgramVersion.text) }

  static func greeting(version: String) -> [UInt8] { Array("\(programName) \(version)".utf8) }

  /// Where `skan-http` is looked for: as `scripts/install` puts it, and beside `skan`, as a build does. Never on the `PATH`.
  ///
  /// - Parameter folder: the folder of `skan` itself, links resolved.
  package static func places(besideProgramIn folder: String) -> [String] {
    ["\(folder)/../libexec/skan/\(programName)", "\(folder)/\(programName)"]
  }
}
