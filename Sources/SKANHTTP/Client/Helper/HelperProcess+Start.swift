import Foundation

extension HelperProcess {
  /// Starts the program as a sender of requests. The socket is its standard input; it has no other way to the outside
  /// but the network. In a group of its own no Ctrl-C of the terminal ends it before this process knows of it.
  static func start(_ program: String) throws(TransportFailure) -> SocketChild {
    do throws(SocketChild.Failure) {
      return try SocketChild(
        program, arguments: ["skan", RequestHelper.command], environment: environment, usesSocketForOutput: false,
        hasOwnGroup: true)
    } catch {
      throw .noHelper(error.reason)
    }
  }

  /// What may matter to URLSession (proxies, certificates), and nothing of ours: no key.
  private static var environment: [String] {
    ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SKAN_") }.map { "\($0.key)=\($0.value)" }
      // A crash is expected here, and a backtrace takes seconds.
      + ["SWIFT_BACKTRACE=enable=no"]
  }
}
