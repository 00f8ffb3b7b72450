import Foundation
import SKANHTTP
import SKANRun

extension GzipReader {
  /// Starts the program with a socket for its input and output.
  static func start(_ program: String) throws(SourceFailure) -> SocketChild {
    let variables = ["PATH", "HOME", "LD_LIBRARY_PATH"].compactMap { name in
      ProcessInfo.processInfo.environment[name].map { "\(name)=\($0)" }
    }
    do throws(SocketChild.Failure) {
      return try SocketChild(
        program, arguments: ["gzip", "-dc"], environment: variables, usesSocketForOutput: true, hasOwnGroup: false)
    } catch {
      throw .unreadable("gzip cannot be started: \(error.reason)")
    }
  }
}
