import SKANDevice
import SKANHTTP
import SKANJSON
import SKANRun
import SKANText

/// Options and arguments as the values that they stand for; each problem names where the text came from.
extension Invocation {
  func bad(_ option: Option, _ text: String, _ expected: String, hint: String = "") -> CommandError {
    usage("\(arguments.name(of: option)) must be \(expected), it is \(JSONWriter.quoted(text))\(hint)")
  }

  func statePath() throws(CommandError) -> String {
    let path = arguments.value(.state) ?? "skan-state.json"
    if path.isEmpty { throw bad(.state, path, "a file") }
    return path
  }

  func time() throws(CommandError) -> TimeSpec? {
    let given = arguments.preferred([.at, .after])
    if given.count > 1 {
      throw usage("two times are given: \(arguments.name(of: .at)) and \(arguments.name(of: .after))")
    }
    if given.first?.name == Option.at.name, let at = arguments.value(.at) {
      if at == "now" { return .now }
      if let instant = plainNumber(at).flatMap({ Instant(unixSeconds: $0) }) { return .at(instant) }
      guard !at.hasPrefix("-"), let time = TimeSpec(at: at) else {
        throw bad(
          .at, at, "an ISO 8601 instant (2026-01-03T00:00:00Z), Unix seconds, a duration with units (+2d3h), or now",
          hint: TimeHint.words(at))
      }
      return time
    }
    return given.isEmpty ? nil : try duration(.after, orSeconds: true).map(TimeSpec.after)
  }

  /// A duration with units; nil when the option is absent.
  ///
  /// - Parameter orSeconds: whether a number of seconds is accepted too, as event lists have it.
  func duration(_ option: Option, orSeconds takesSeconds: Bool = false) throws(CommandError) -> TimeSpan? {
    guard let text = arguments.value(option) else { return nil }
    if takesSeconds, let span = plainNumber(text).flatMap({ TimeSpan(seconds: $0) }) { return span }
    guard let span = TimeSpan(text: text) else {
      let expected = "a duration with a unit of ms, s, m, h or d, such as 500ms or 2d3h"
      throw bad(option, text, takesSeconds ? "seconds, or \(expected)" : expected)
    }
    return span
  }

  func iosVersion() throws(CommandError) -> IOSVersion? {
    guard let text = arguments.value(.ios) else { return nil }
    guard let version = IOSVersion(text) else { throw bad(.ios, text, "a version of iOS such as 17.4") }
    return version
  }

  func snippet() throws(CommandError) -> SnippetVersion? { try choice(.snippet) }

  func integer(_ option: Option) throws(CommandError) -> Int64? {
    guard let text = arguments.value(option) else { return nil }
    guard let number = Int64(text) else { throw bad(option, text, "a whole number") }
    return number
  }

  /// A finite amount of money in plain notation.
  func amount(_ text: String, named name: String) throws(CommandError) -> Double {
    // Double's own reader would also take "nan", "0x10" and "infinity".
    let isPlain = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    guard isPlain, let amount = Double(text), amount.isFinite else {
      let hint = text.contains(",") ? "; no thousands separators, and a point before the cents" : ""
      throw usage("\(name) must be a finite number such as 9.99, it is \(JSONWriter.quoted(text))\(hint)")
    }
    return amount
  }

  func endpoint() throws(CommandError) -> Endpoint {
    guard let text = arguments.value(.endpoint) else { return .embedded }
    switch text {
    case "embedded": return .embedded
    case "testing": return .testing
    case "production": return .production
    default:
      do throws(EndpointURLProblem) {
        return .custom(
          v1: try EndpointURL(text, api: .v1).address.text, v2: try EndpointURL(text, api: .v2).address.text)
      } catch {
        let names = ["embedded", "testing", "production"]
        let words =
          withScheme(text).map { "did you mean \($0)?" } ?? nearestName(to: text, in: names).map {
            "did you mean \($0)?"
          }
          ?? (error == .noScheme ? "it must be \(names.joined(separator: ", ")), or an http(s) URL" : error.words)
        // Not quoted when it is more than a word: a query or a user may hold a secret.
        let quoted = text.utf8.allSatisfy { $0.isWordByte } ? " \(JSONWriter.quoted(text))" : ""
        throw usage("\(arguments.name(of: .endpoint))\(quoted): \(words)")
      }
    }
  }

  /// What a host without a scheme is meant to be: `localhost:8080`.
  private func withScheme(_ text: String) -> String? {
    guard !text.contains("://"), text.hasPrefix("localhost") || text.contains(where: { $0 == "." || $0 == ":" }) else {
      return nil
    }
    let url = "http://\(text)"
    return (try? EndpointURL(url, api: .v2)) == nil ? nil : url
  }

  func maxSeconds() throws(CommandError) -> Double {
    let span = try duration(.maxTime) ?? TimeSpan(seconds: 10)
    guard span > .zero else { throw bad(.maxTime, arguments.value(.maxTime) ?? "", "longer than 0") }
    return span.seconds
  }

  /// The most bytes of an answer.
  func maxBytes() throws(CommandError) -> Int {
    guard let text = arguments.value(.maxAnswer) else { return HTTPRequest.defaultMaxBytes }
    guard let size = ByteSize(text), (1...1 << 30).contains(size.bytes) else {
      throw bad(.maxAnswer, text, "a size from 1B to 1GiB, such as 64KiB")
    }
    return size.bytes
  }

  func expectations() throws(CommandError) -> [Expectation] {
    var expectations: [Expectation] = []
    for text in arguments.all(.expect) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw bad(.expect, text, "PATH=VALUE, such as outcome=updated") }
      do throws(SourceProblems) {
        expectations.append(try Expectation(path: String(parts[0]), text: String(parts[1]), more: spec.resultKeys))
      } catch {
        let words = error.problems.map(\.message).joined(separator: "; ")
        throw usage("\(arguments.name(of: .expect)) \(JSONWriter.quoted(text)): \(words)")
      }
    }
    return expectations
  }
}

extension UInt8 {
  /// A letter, a digit or a hyphen.
  fileprivate var isWordByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

/// A number of digits and a point, without sign or exponent.
private func plainNumber(_ text: String) -> Double? {
  text.utf8.allSatisfy { "0123456789.".utf8.contains($0) } ? Double(text) : nil
}
