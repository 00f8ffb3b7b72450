import SKANBase
import SKANHTTP
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

/// A receiver of `--forward`.
struct ForwardTarget: Sendable {
  /// Part of its offset file's name.
  let name: String
  let url: PostbackURL

  /// With its address, without the query.
  var displayText: String { "\(name) (\(url.address.text))" }
}

extension ForwardTarget {
  static let option = Option<[ForwardTarget]>(
    "forward", "[NAME=]URL", each: .forwardTarget,
    "pass each genuine postback on as JSON, in order, until it is accepted (repeatable)",
    hasVariable: false)
  static let speed = Option<Int64>(
    "forward-speed", "N", .integer(in: 1...1_000_000, "from 1 to 1000000"), default: "1",
    "how much shorter the waits between attempts are, for tests")
}

extension ValueParser<ForwardTarget> {
  /// `[NAME=]URL`; without a name it is called as its host and port.
  fileprivate static var forwardTarget: Self {
    Self(.url) { (given) throws(CommandError) in
      let parts = given.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      // A colon is of a URL, which may have an equals sign in its query.
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
