import SKANBase
import SKANSystem

/// All receivers of a command's `--forward`.
final class Forwards {
  private let forwarders: [Forwarder]
  private let environment: Environment
  private let running = ThreadGroup()

  /// - Parameters:
  ///   - path: the file of received postbacks, which is locked.
  ///   - size: its bytes so far.
  ///   - speed: how much shorter the waits between attempts are.
  init(
    _ targets: [ForwardTarget], _ path: String, size: Int, speed: Double = 1, _ environment: Environment
  ) throws(CommandError) {
    self.environment = environment
    var forwarders: [Forwarder] = []
    for target in targets {
      forwarders.append(try Forwarder(path, size: size, to: target, speed: speed, environment))
    }
    self.forwarders = forwarders
  }

  /// Sends from threads of their own, until ``end()``.
  func start() throws(CommandError) {
    for forwarder in forwarders {
      let hasStarted = running.start(by: environment.startThread) { _ = forwarder.run() }
      if !hasStarted { throw .cannotListen("the system has no thread left for --forward") }
    }
  }

  /// More is on the disk.
  func grow(to size: Int) { for forwarder in forwarders { forwarder.grow(to: size) } }

  /// Nothing more comes; waits until what is there was accepted, or an attempt has failed.
  func end() {
    for forwarder in forwarders { forwarder.end() }
    running.join()
  }

  /// Sends all that there is, on this thread; what is not accepted stays for the next time.
  ///
  func runOnce() -> [Forwarder.Outcome] {
    for forwarder in forwarders { forwarder.end() }
    return forwarders.map { $0.run() }
  }
}

extension OptionReader {
  /// The receivers of an option.
  ///
  /// - Throws: also when two have one name, and so one offset file.
  func targets(_ option: Option<[ForwardTarget]>) throws(CommandError) -> [ForwardTarget] {
    let targets = try self[option]
    var names: Set<String> = []
    for target in targets where !names.insert(target.name.lowercased()).inserted {
      throw invocation.usage(
        "two receivers of \(option.flag) have the name \"\(target.name)\": give each its own, as in other=URL")
    }
    return targets
  }
}
