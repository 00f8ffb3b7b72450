import SKANBase
import SKANCommandLine
import SKANHTTP
import SKANSystem

/// Forwards received postbacks to all receivers of a command's `--forward`.
final class Forwards {
  private let forwarders: [Forwarder]
  private let environment: Environment
  private let running = ThreadGroup()

  /// - Parameters:
  ///   - path: the file of received postbacks, which is locked.
  ///   - size: the size in bytes of the file so far.
  ///   - allowsDevelopment: whether postbacks of development keys are forwarded.
  init(
    _ targets: [ForwardTarget], _ path: String, size: Int, allowsDevelopment: Bool,
    _ environment: Environment
  ) throws(CommandError) {
    self.environment = environment
    var forwarders: [Forwarder] = []
    for target in targets {
      forwarders.append(
        try Forwarder(
          path, size: size, to: target, allowsDevelopment: allowsDevelopment, environment))
    }
    self.forwarders = forwarders
  }

  /// Starts sending, on one thread per receiver, until ``end()``.
  func start() throws(CommandError) {
    for forwarder in forwarders {
      let hasStarted = running.start(by: environment.startThread) { _ = forwarder.run() }
      if !hasStarted { throw .noThread("--forward") }
    }
  }

  /// Reports the size in bytes up to which the file has been written to the disk.
  func grow(to size: Int) { for forwarder in forwarders { forwarder.grow(to: size) } }

  /// Reports that the file is complete, and waits until everything in it is accepted or an attempt has failed.
  func end() {
    for forwarder in forwarders { forwarder.end() }
    running.join()
  }

  /// Sends all postbacks in the file, on this thread. Those that are not accepted remain for the next run.
  func runOnce() -> [Forwarder.Outcome] {
    for forwarder in forwarders { forwarder.end() }
    return forwarders.map { $0.run() }
  }
}

extension OptionReader {
  /// Whether postbacks of development keys are forwarded, to receivers given by an option.
  func allowsDevelopment(_ targets: [ForwardTarget]) throws(CommandError) -> Bool {
    try self[
      ForwardTarget.allowsDevelopment, Condition(!targets.isEmpty, "belongs to \(ForwardTarget.option.flag)")]
  }

  /// The receivers given by an option.
  ///
  /// - Throws: also if two receivers have the same name, and so the same offset file.
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

/// A receiver of `--forward`.
struct ForwardTarget: Sendable {
  /// The name, which is part of the offset file's name.
  let name: String
  let url: PostbackURL

  /// The name and the address, without the query.
  var displayText: String { "\(name) (\(url.address.text))" }
}

extension ForwardTarget {
  static let option = Option<[ForwardTarget]>(
    "forward", "[NAME=]URL", each: .forwardTarget,
    "pass each genuine postback on as JSON, in order, until it is accepted (repeatable)")
  static let allowsDevelopment = Option<Bool>(
    flag: "allow-development", "also pass on what a development key signed, marked as such")
}

extension ValueParser<ForwardTarget> {
  /// `[NAME=]URL`. The default name is made of the host and port.
  fileprivate static var forwardTarget: Self {
    Self(.url) { (given) throws(CommandError) in
      let parts = given.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      // A colon belongs to the URL, whose query may contain an equals sign.
      let isNamed = parts.count == 2 && !parts[0].contains(":")
      if isNamed, !parts[0].isForwardName {
        throw given.problem("a name has 1 to 64 letters, digits, \"-\" and \"_\": NAME=URL")
      }
      do throws(EndpointURLProblem) {
        let url = try PostbackURL(isNamed ? parts[1] : given.text)
        return ForwardTarget(name: isNamed ? parts[0] : url.address.forwardName, url: url)
      } catch {
        throw given.problem(error.message)
      }
    }
  }
}

extension String {
  fileprivate var isForwardName: Bool {
    (1...64).contains(utf8.count) && utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_".utf8.contains($0) }
  }
}

extension HTTPAddress {
  fileprivate var forwardName: String {
    String(
      "\(host)\(port == scheme.defaultPort ? "" : "-\(port)")".map {
        $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-"
      })
  }
}
