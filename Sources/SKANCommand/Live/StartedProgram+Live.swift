import Foundation
import SKANHTTP
import Synchronization

extension StartedProgram {
  /// Starts a program that is found as a shell finds it, with this process's streams and environment.
  static func start(
    _ arguments: [String], _ variables: [(name: String, value: String)]
  ) throws(CommandError) -> StartedProgram {
    let own = ProcessInfo.processInfo.environment.merging(variables.map { ($0.name, $0.value) }) { $1 }
    var start = ProgramStart(
      arguments[0], arguments: arguments, environment: own.map { "\($0.key)=\($0.value)" })
    start.isOnPath = true
    // What this process ignores or handles, the program finds as any other does.
    start.defaultSignals = [SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP]
    let process: pid_t
    do throws(ProgramStart.Failure) { process = try start.start() } catch {
      throw failure(error, arguments[0])
    }
    let end = Mutex<Int32?>(nil)
    return StartedProgram {
      end.withLock { end in
        if end == nil { end = status(of: process) }
        return end
      }
    }
  }

  /// Nil while it runs.
  private static func status(of process: pid_t) -> Int32? {
    for number in Interrupt.consumeSent() { kill(process, number) }
    var status: Int32 = 0
    let found = unsafe waitpid(process, &status, WNOHANG)
    if found == 0 || found < 0 && errno == EINTR { return nil }
    // Nothing is known of one that another waits for.
    if found < 0 { return 127 }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  private static func failure(_ failure: ProgramStart.Failure, _ program: String) -> CommandError {
    let name = program.oneLine
    return switch failure.number {
    case ENOENT where program.contains("/"):
      .commandNotStarted(
        "cannot start \(name): there is no such file, or its first line names a program that is not there", status: 127)
    case ENOENT: .commandNotStarted("cannot start \(name): there is no such program on the PATH", status: 127)
    case EACCES: .commandNotStarted("cannot start \(name): it is not executable", status: 126)
    case ENOEXEC:
      .commandNotStarted(
        "cannot start \(name): it is not a program; a script begins with a line such as #!/bin/sh", status: 126)
    default: .commandNotStarted("cannot start \(name): \(failure.reason)", status: 126)
    }
  }
}
