import SKANBase
import SKANCommandLine
import SKANHTTP
import SKANReceive

/// The receiver's own counts, in the form of its report: `--actual FILE|URL`.
///
/// A file is read after the last delivery, and its numbers count only the test. A URL is also read before the first
/// delivery, and the test accounts for the increase.
struct ActualCounts {
  enum Source: Sendable {
    case file(String)
    case url(PostbackURL)
  }

  static let option = Option<Source?>(
    "actual", "FILE|URL", .actualCounts,
    "compare the receiver's own counts, in the form of --expected: in this file, or at this URL, which is read before "
      + "and after the test")

  /// The number of times, and the interval in seconds, at which a URL is read after the last delivery until it agrees,
  /// since a receiver may count after it answers.
  private static let (attempts, seconds) = (5, 1.0)

  private let source: Source
  private let environment: Environment
  private let limits: HTTPAnswerLimits
  /// The counts at the URL before the first delivery.
  private var before: ReportNumbers?

  /// The reason why the counts cannot be compared.
  struct Problem: Error {
    let lines: [StyledText]
    let code: ExitCode
  }

  init(_ source: Source, maxTime: Double, _ environment: Environment) {
    self.source = source
    self.environment = environment
    limits = HTTPAnswerLimits(seconds: maxTime)
  }

  /// The name of the source in messages and reports.
  var name: String {
    switch source {
    case .file(let path): path.oneLine
    case .url(let url): url.address.text
    }
  }

  /// Reads the counts at a URL before the test. A file may be written during the test, but not one of another kind. Call
  /// this before the first delivery.
  mutating func begin() throws(Problem) {
    switch source {
    case .url(let url): before = try numbers(of: url)
    case .file(let path):
      do throws(CommandError) {
        try ContentKind.check(environment.files.head(of: path) ?? [], of: path, isOneOf: [.counts])
      } catch {
        throw Problem(error)
      }
    }
  }

  /// Compares the counts after the last delivery.
  ///
  /// - Returns: the comparison, and a note about it; nil for no note.
  func compare(with expected: ReceiverCounts) throws(Problem) -> (ReceiverComparison, note: String?) {
    switch source {
    case .file(let path): return (try checked(expected.compared(with: numbers(of: path))), nil)
    case .url(let url):
      var attempt = 1
      while true {
        let now = try numbers(of: url)
        let change = before.flatMap { now.since($0) }
        let comparison = try checked(expected.compared(with: change ?? now))
        if comparison.differences.isEmpty || attempt == Self.attempts {
          return (
            comparison, change == nil ? "\(name) says the same as before the test, and is compared as a whole" : nil
          )
        }
        environment.sleep(Self.seconds)
        if environment.isInterrupted() { throw Problem(CommandError.interrupted) }
        attempt += 1
      }
    }
  }

  /// Throws if the comparison would pass only because it compares nothing.
  private func checked(_ comparison: ReceiverComparison) throws(Problem) -> ReceiverComparison {
    if let path = comparison.unknown.first {
      throw problem("\(path.oneLine) is no number of a report: its form is that of --expected")
    }
    if comparison.agreed + comparison.differences.count == 0 {
      throw problem(
        "it has no number of a report; its form is that of --expected, as in {\"simulated\":{\"total\":{\"installs\":1}}}"
      )
    }
    return comparison
  }

  private func problem(_ message: String) -> Problem {
    Problem(lines: [.remark("\(name): \(message)")], code: isURL ? .badAnswer : .badData)
  }

  private var isURL: Bool { if case .url = source { true } else { false } }

  private func numbers(of path: String) throws(Problem) -> ReportNumbers {
    do throws(CommandError) {
      let bytes = try environment.readRequired(
        path, as: [.counts], hint: "it is read after the last delivery, and should hold the receiver's own counts")
      do throws(SourceProblems) { return try numbers(bytes) } catch {
        throw .content(file: path, error, in: bytes)
      }
    } catch {
      throw Problem(error)
    }
  }

  private func numbers(of url: PostbackURL) throws(Problem) -> ReportNumbers {
    let response: HTTPResponse
    switch environment.send(HTTPRequest.get(url.text), limits) {
    case .success(let exchange): response = exchange.response
    case .failure(.interrupted): throw Problem(CommandError.interrupted)
    case .failure(let failure): throw Problem(lines: [.remark(failure.message(url: url.text))], code: .unavailable)
    }
    guard response.status == 200 else {
      throw problem("answered \(response.status), where the receiver's own counts were asked for")
    }
    do throws(SourceProblems) { return try numbers(response.body) } catch {
      throw problem("answered no JSON: \(error.problems.first?.message ?? "")")
    }
  }

  private func numbers(_ bytes: [UInt8]) throws(SourceProblems) -> ReportNumbers {
    ReportNumbers(try JSONReader.readSource(bytes).value)
  }
}

extension ActualCounts.Problem {
  init(_ error: CommandError) { self.init(lines: error.lines(.bold), code: error.code) }
}

extension ValueParser<ActualCounts.Source> {
  /// An http(s) URL, or else a file.
  fileprivate static var actualCounts: Self {
    let file = FileUse(kind: .input) { $0.text.isWebAddress ? nil : $0.path }
    return Self(.file, file: file) { (given) throws(CommandError) in
      if given.text.isWebAddress { return .url(try ValueParser<PostbackURL>.postbackURL.parse(given)) }
      if given.text.isEmpty || given.text == "-" { throw given.mustBe("a file or an http(s) URL") }
      return .file(given.path)
    }
  }
}

extension String {
  fileprivate var isWebAddress: Bool { hasPrefix("http://") || hasPrefix("https://") }
}
