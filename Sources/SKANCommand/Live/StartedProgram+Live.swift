import Foundation
import SKANSystem
import Synchronization

extension StartedProgram {
  /// Starts a program that is found as a shell finds it, with this process's streams and environment.
  static func start(
    _ arguments: [String], _ variables: [(name: String, value: String)]
  ) throws(CommandError) -> StartedProgram {
    let own = System.environment.filter { entry in !variables.contains { entry.hasPrefix("\($0.name)=") } }
    var start = ProgramStart(
      arguments[0], arguments: arguments, environment: own + variables.map { "\($0.name)=\($0.value)" })
    start.isOnPath = true
    // What this process ignores or handles, the program finds as any other does.
    start.defaultSignals = Interrupt.taken
    let child: ChildProcess
    do throws(Errno) { child = try start.run().child } catch {
      throw failure(error, arguments[0])
    }
    let end = Mutex<Int32?>(nil)
    return StartedProgram {
      end.withLock { end in
        if end == nil { end = status(of: child) }
        return end
      }
    }
  }

  /// Nil while it runs.
  private static func status(of child: ChildProcess) -> Int32? {
    for number in Interrupt.consumeSent() { child.send(number) }
    return switch child.end {
    case .code(let code): code
    case .signal(let number): 128 + number
    // Nothing is known of one that another waits for.
    case .unknown: 127
    case nil: nil
    }
  }

  private static func failure(_ error: Errno, _ program: String) -> CommandError {
    let name = program.oneLine
    return switch error {
    case .notFound where program.contains("/"):
      .commandNotStarted(
        "cannot start \(name): there is no such file, or its first line names a program that is not there", status: 127)
    case .notFound: .commandNotStarted("cannot start \(name): there is no such program on the PATH", status: 127)
    case .accessDenied: .commandNotStarted("cannot start \(name): it is not executable", status: 126)
    case .notExecutable:
      .commandNotStarted(
        "cannot start \(name): it is not a program; a script begins with a line such as #!/bin/sh", status: 126)
    default: .commandNotStarted("cannot start \(name): \(error.reason)", status: 126)
    }
  }
}
