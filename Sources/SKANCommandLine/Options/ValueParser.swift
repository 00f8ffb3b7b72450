import SKANBase
import SKANDevice
import SKANHTTP
import SKANRun
import SKANSystem

/// Parses the text of an option or an argument as a value.
package struct ValueParser<Value: Sendable>: Sendable {
  package let kind: ValueKind
  /// The way a command uses the file that a text names; nil if it names no file.
  package let file: FileUse?
  /// The named values; see ``OptionRow/values``.
  let makeValues: @Sendable () -> [String]
  /// - Throws: an error that names the source of the text.
  package let parse: @Sendable (GivenText) throws(CommandError) -> Value

  package init(
    _ kind: ValueKind, file: FileUse? = nil, values: @autoclosure @escaping @Sendable () -> [String] = [],
    parse: @escaping @Sendable (GivenText) throws(CommandError) -> Value
  ) {
    self.kind = kind
    self.file = file
    makeValues = values
    self.parse = parse
  }

  /// A parser whose value is a transformation of this parser's.
  func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Other
  ) -> ValueParser<Other> {
    ValueParser<Other>(kind, file: file, values: makeValues()) { [parse] (given) throws(CommandError) in
      transform(try parse(given))
    }
  }
}

extension ValueParser<String> {
  package static var text: Self { Self(.text) { $0.text } }
  /// The path of an input file. It is not checked until the file is opened.
  package static var file: Self { Self(.file, file: .input) { $0.path } }
  package static var directory: Self { Self(.directory) { $0.path } }

  /// The path of an input file. It must not be empty.
  package static var namedFile: Self { named(.input) }
  /// The path of a conversion model, which may end in `#APP_ID`. It must not be empty.
  package static var modelFile: Self { named(.model) }
  /// The path of a file to which lines are appended. It must not be empty.
  package static var addedFile: Self { named(.addition) }

  static func named(_ file: FileUse) -> Self {
    Self(.file, file: file) { (given) throws(CommandError) in
      if given.text.isEmpty { throw given.mustBe("a file") }
      return given.path
    }
  }

  package static func text(or names: String...) -> Self { Self(.text, values: names) { $0.text } }
}

extension ValueParser where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// The raw value of an enumeration's case.
  package static var choice: Self {
    Self(.choice, values: Value.allCases.map(\.rawValue)) { (given) throws(CommandError) in
      guard let value = Value(rawValue: given.text) else {
        let names = Value.allCases.map(\.rawValue)
        let near = meantName(by: given.text, in: names).map { "; did you mean \($0)?" } ?? ""
        throw given.mustBe((names.count > 1 ? "one of " : "") + names.joined(separator: ", "), hint: near)
      }
      return value
    }
  }
}

extension ValueParser<CoarseValue> {
  package static var coarse: Self {
    Self(.choice, values: CoarseValue.allCases.map(\.rawValue)) { (given) throws(CommandError) in
      guard let value = CoarseValue(rawValue: given.text) else {
        let near = meantName(by: given.text, in: CoarseValue.allCases.map(\.rawValue)).map { "; did you mean \($0)?" }
        throw given.mustBe("low, medium or high", hint: near ?? "")
      }
      return value
    }
  }
}

extension ValueParser<ConversionWindow> {
  package static var window: Self {
    Self(.choice, values: ConversionWindow.allCases.map { String($0.rawValue) }) { (given) throws(CommandError) in
      let index = try ValueParser<Int64>.integer.parse(given)
      guard let window = ConversionWindow(rawValue: Int(clamping: index)) else {
        throw given.refused("must be 0, 1 or 2, it is \(index)")
      }
      return window
    }
  }
}

extension ValueParser<Glob> {
  package static var glob: Self { Self(.pattern) { Glob($0.text) } }
}

extension ValueParser<Int64> {
  package static var integer: Self {
    Self(.integer) { (given) throws(CommandError) in
      guard let number = Int64(given.text) else { throw given.mustBe("a whole number") }
      return number
    }
  }

  /// An integer in a range, which messages describe as `expected`.
  package static func integer(in range: ClosedRange<Int64>, _ expected: String) -> Self {
    Self(.integer) { (given) throws(CommandError) in
      let number = try integer.parse(given)
      guard range.contains(number) else {
        throw given.refused("must be \(expected), it is \(number)")
      }
      return number
    }
  }
}

extension ValueParser<Int> {
  /// A count from `least` to 1000.
  package static func count(from least: Int64) -> Self {
    ValueParser<Int64>.integer(in: least...1000, "from \(least) to 1000").map { Int($0) }
  }

  /// A number of bytes from 1 B to 1 GiB.
  package static var size: Self { size(to: 1 << 30) }

  /// A number of bytes from 1 to `most`, which is a whole number of the largest unit that it has.
  static func size(to most: Int) -> Self {
    Self(.size) { (given) throws(CommandError) in
      guard let size = ByteSize(given.text), (1...most).contains(size.bytes) else {
        throw given.mustBe("a size from 1B to \(ByteSize(bytes: most).text.filter { $0 != " " }), such as 64KiB")
      }
      return size.bytes
    }
  }
}

extension ValueParser<UInt16> {
  package static var port: Self {
    ValueParser<Int64>.integer(in: 0...65535, "from 0 to 65535").map { UInt16(truncatingIfNeeded: $0) }
  }
}

extension ValueParser<Double> {
  /// A finite amount of money in plain decimal notation.
  package static var amount: Self {
    Self(.number) { (given) throws(CommandError) in
      // `Double.init` would also accept "nan", "0x10" and "infinity".
      let isPlain = given.text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
      guard isPlain, let amount = Double(given.text), amount.isFinite else {
        let hint = given.text.contains(",") ? "; no thousands separators, and a point before the cents" : ""
        throw given.mustBe("a finite number such as 9.99", hint: hint)
      }
      return amount
    }
  }
}

/// A number of bytes as users write it: `65536`, `64KiB`, `1MiB`.
package struct ByteSize: Equatable, Sendable {
  package var bytes: Int

  private static let units = [
    ("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1),
  ]

  package init(bytes: Int) { self.bytes = bytes }

  /// Nil unless the text is a whole number, optionally followed by a unit.
  package init?(_ text: String) {
    let unit = Self.units.first { text.hasSuffix($0.0) }
    let digits = text.dropLast(unit?.0.count ?? 0)
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int(digits)
    else { return nil }
    let (bytes, overflows) = number.multipliedReportingOverflow(by: unit?.1 ?? 1)
    if overflows { return nil }
    self.bytes = bytes
  }

  /// The size in the largest unit that gives a whole number.
  package var text: String {
    let unit = Self.units.first { bytes >= $0.1 && bytes % $0.1 == 0 } ?? ("B", 1)
    return unit.1 == 1 ? "\(bytes) bytes" : "\(bytes / unit.1) \(unit.0)"
  }
}

extension ValueParser<TimeSpan> {
  private static var expected: String { "a duration with a unit of ms, s, m, h or d, such as 500ms or 2d3h" }

  /// A length of time with units.
  static var duration: Self {
    Self(.duration) { (given) throws(CommandError) in
      guard let span = TimeSpan(text: given.text) else { throw given.mustBe(expected) }
      return span
    }
  }

  /// A length of time with units, or a plain number of seconds, as in event lists.
  package static var durationOrSeconds: Self {
    Self(.duration) { (given) throws(CommandError) in
      let seconds = plainNumber(given.text).flatMap { TimeSpan(seconds: $0) }
      guard let span = seconds ?? TimeSpan(text: given.text) else { throw given.mustBe("seconds, or \(expected)") }
      return span
    }
  }
}

extension ValueParser<Double> {
  /// A length of time with units, in seconds.
  package static var seconds: Self { ValueParser<TimeSpan>.duration.map(\.seconds) }

  /// A positive length of time with units, in seconds.
  package static var positiveSeconds: Self {
    Self(.duration) { (given) throws(CommandError) in
      let seconds = try seconds.parse(given)
      guard seconds > 0 else { throw given.mustBe("longer than 0") }
      return seconds
    }
  }
}

extension ValueParser<Instant> {
  /// An absolute point in time: ISO 8601 or Unix seconds.
  package static var instant: Self {
    Self(.time) { (given) throws(CommandError) in
      guard let instant = plainNumber(given.text).flatMap({ Instant(unixSeconds: $0) }) ?? Instant(iso8601: given.text)
      else {
        throw given.mustBe(
          "an ISO 8601 instant (2026-01-03T00:00:00Z) or Unix seconds", hint: TimeHint.message(given.text))
      }
      return instant
    }
  }
}

extension ValueParser<TimeSpec> {
  /// The time of a step: an instant, a duration or `now`.
  package static var time: Self {
    Self(.time, values: ["now"]) { (given) throws(CommandError) in
      let text = given.text
      if text == "now" { return .now }
      if let instant = plainNumber(text).flatMap({ Instant(unixSeconds: $0) }) { return .at(instant) }
      guard !text.hasPrefix("-"), let time = TimeSpec(at: text) else {
        throw given.mustBe(
          "an ISO 8601 instant (2026-01-03T00:00:00Z), Unix seconds, a duration with units (+2d3h), or now",
          hint: TimeHint.message(text))
      }
      return time
    }
  }
}

/// A number of digits and at most one point, without a sign or an exponent.
private func plainNumber(_ text: String) -> Double? {
  text.utf8.allSatisfy { "0123456789.".utf8.contains($0) } ? Double(text) : nil
}

extension ValueParser<Endpoint> {
  private static var names: [String] { ["embedded", "testing", "production"] }

  /// An endpoint: one of three names, or a URL.
  package static var endpoint: Self {
    Self(.url, values: names) { (given) throws(CommandError) in
      let text = given.text
      switch text {
      case "embedded": return .embedded
      case "testing": return .testing
      case "production": return .production
      default:
        do throws(EndpointURLProblem) {
          return .custom(
            v1: try EndpointURL(text, api: .v1), v2: try EndpointURL(text, api: .v2))
        } catch {
          // A text that is more than a word is not quoted: its query or user may contain a secret.
          let isShown = text.utf8.allSatisfy(\.isWordByte)
          throw !isShown
            ? given.problem(message(error, text)) : given.refused("\(JSONWriter.quoted(text)): \(message(error, text))")
        }
      }
    }
  }

  private static func message(_ problem: EndpointURLProblem, _ text: String) -> String {
    if let meant = mended(text) ?? withScheme(text) ?? nearestName(to: text, in: names) {
      return "did you mean \(meant)?"
    }
    return problem == .noScheme ? "it must be \(names.joined(separator: ", ")), or an http(s) URL" : problem.message
  }

  /// The corrected form of a URL with a mistyped beginning, such as `http//localhost`, `http:/localhost` or
  /// `htp://localhost`; nil if the text is no such URL.
  private static func mended(_ text: String) -> String? {
    let scheme = text.prefix { $0.isLetter }
    let signs = text[scheme.endIndex...].prefix { ":/".contains($0) }
    guard !signs.isEmpty, signs.contains("/") || scheme.hasPrefix("http"),
      let known = nearestName(to: String(scheme), in: ["http", "https"])
    else { return nil }
    let url = "\(known)://\(text[signs.endIndex...])"
    return (try? EndpointURL(url, api: .v2)) == nil ? nil : url
  }

  /// The URL of a host without a scheme, such as `localhost:8080`; nil if the text is no host.
  private static func withScheme(_ text: String) -> String? {
    // A text with an @ is not repeated, since a secret may stand before it.
    guard !text.contains("://"), !text.contains("@"), !text.hasPrefix("http"),
      text.hasPrefix("localhost") || text.contains(where: { $0 == "." || $0 == ":" })
    else {
      return nil
    }
    let url = "http://\(text)"
    return (try? EndpointURL(url, api: .v2)) == nil ? nil : url
  }
}

extension UInt8 {
  /// A letter, a digit or a hyphen.
  fileprivate var isWordByte: Bool { isASCIILetterOrDigit || self == UInt8(ascii: "-") }
}

extension ValueParser {
  /// A JSON text. `@FILE` takes it from a file, and `@-` from standard input.
  ///
  /// - Parameters:
  ///   - content: the content that a file should have, for a message.
  ///   - kinds: the kind of such a file, if it is a known one.
  ///   - advice: returns what is appended to the error for a text of the command line.
  ///   - flag: the option, for a message about a file that does not exist.
  package static func json(
    _ content: String, as kinds: Set<ContentKind> = [], of flag: String,
    advice: @escaping @Sendable (_ text: String) -> String,
    read: @escaping @Sendable ([UInt8]) throws(SourceProblems) -> Value
  ) -> Self {
    let file = FileUse(kind: .input) { given in
      given.text.hasPrefix("@") ? given.path(String(given.text.dropFirst())) : nil
    }
    return Self(.json, file: file) { (given) throws(CommandError) in
      guard given.text.hasPrefix("@") else {
        do throws(SourceProblems) { return try read(Array(given.text.utf8)) } catch {
          throw given.problem("\(error.problems.map(\.message).joined(separator: "; "))\(advice(given.text))")
        }
      }
      let name = String(given.text.dropFirst())
      let environment = given.invocation.environment
      if name.isEmpty { throw given.refused("@ needs a file: @FILE, or @- for stdin") }
      let path = given.path(name)
      let bytes =
        name == "-"
        ? try environment.files.readInput()
        : try environment.readRequired(path, as: kinds, hint: "it should hold \(content) (\(flag) @FILE)")
      do throws(SourceProblems) { return try read(bytes) } catch {
        throw .content(file: path, error, in: bytes)
      }
    }
  }
}

extension ValueParser<Expectation> {
  /// An expectation `PATH=VALUE` about a result of the command.
  package static var expectation: Self {
    Self(.pair) { (given) throws(CommandError) in
      guard let (path, value) = given.pair else { throw given.mustBe("PATH=VALUE, such as outcome=updated") }
      do throws(SourceProblems) {
        return try Expectation(path: path, text: value, more: given.invocation.spec.resultKeys)
      } catch {
        let message = error.problems.map(\.message).joined(separator: "; ")
        throw given.refused("\(JSONWriter.quoted(given.text)): \(message)")
      }
    }
  }
}
