import SKANBase
import SKANCommandLine
import SKANDevice
import SKANHTTP
import SKANRun

/// The lines of `--verbose`: a request and its answer as they went over the wire.
enum Trace {
  /// - Parameters:
  ///   - exchange: the exchange with a remote endpoint; nil if the answer was given, or made in process.
  ///   - redactor: removes the SDK key from an address before its parameters are split, since an endpoint may encode it
  ///     in its own way.
  static func lines(_ result: StepResult, exchange: HTTPExchange?, _ redactor: Redactor) -> [String] {
    // Postbacks print their own lines when they are delivered.
    if result.postbacks != nil { return [] }
    if case .forward = result.step.operation { return [] }
    guard let sent = result.exchange else { return ["* no request: \(result.report.outcome.name)"] }
    if sent.answeredBy.isInProcess { return linesInProcess(result, sent) }
    var lines: [String] = []
    if let exchange {
      // The hops contain the key, so this prints the program's own line for the first request.
      lines = exchange.traceLines { redactedTarget(redactor.redacted($0)) }
    } else {
      lines = ["> GET \(sent.url)"]
    }
    lines += received(sent.answer)
    lines.append("* \(result.report.outcome.name): \(result.report.explanation)")
    return lines
  }

  /// The lines of a report from the app's server.
  static func lines(_ call: ForwardedCall, exchange: HTTPExchange?, _ redactor: Redactor) -> [String] {
    let items = call.request.queryItems(sdkKey: ConversionRequest.redactedKey).strictlyEncoded
    var lines: [String] = []
    if call.answeredBy.isInProcess {
      lines.append("* the app's server reports to \(call.address), answered in process: no network")
    } else {
      lines =
        exchange?.traceLines { redactedTarget(redactor.redacted($0)) } ?? ["> \(call.request.method) \(call.address)"]
    }
    if call.request.isPost || call.answeredBy.isInProcess { lines.append("* parameters  \(items)") }
    return lines + received(call.answer) + ["* \(call.outcome.rawValue): \(call.explanation)"]
  }

  private static func received(_ answer: EndpointAnswer) -> [String] {
    switch answer {
    case .response(_, let body):
      let text = displayText(body)
      return
        (text.isEmpty
        ? ["* empty body"] : text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { "< \($0)" })
        + rest(of: body)
    case .failure(let error): return ["* \(error)"]
    }
  }

  /// The lines of an exchange in process. Nothing went over the wire, so there are no lines with `>` or `<`.
  private static func linesInProcess(_ result: StepResult, _ sent: StepResult.Exchange) -> [String] {
    let by = sent.answeredBy.displayText.oneLine
    var lines = ["* answered in process by \(by): no network", "* request   \(sent.query)"]
    switch sent.answer {
    case .response(let status, let body):
      let text = displayText(body).split(omittingEmptySubsequences: false) { $0.isNewline }
      lines.append("* answer    HTTP \(status)\(body.isEmpty ? ", empty body" : "")")
      lines += body.isEmpty ? [] : text.map { "*           \($0)" }
      lines += rest(of: body)
    case .failure(let error): lines.append("* answer    none: \(error)")
    }
    return lines + ["* \(result.report.outcome.name): \(result.report.explanation)"]
  }

  static func displayText(_ body: [UInt8]) -> String { String(decoding: body.prefix(shownBytes), as: UTF8.self) }

  /// A line that says how large the body is, if it is not shown in full.
  static func rest(of body: [UInt8]) -> [String] {
    guard body.count > shownBytes else { return [] }
    return ["* the first \(ByteSize(bytes: shownBytes).text) of \(body.count) bytes are shown"]
  }

  private static let shownBytes = 64 << 10

  /// `> GET PATH?QUERY` with the value of `a` redacted.
  private static func redactedTarget(_ line: String) -> String {
    guard line.hasPrefix("> GET "), let mark = line.firstIndex(of: "?") else { return line }
    let items = line[line.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false).map {
      $0.hasPrefix("a=") ? "a=\(ConversionRequest.redactedKey)" : String($0)
    }
    return line[...mark] + items.joined(separator: "&")
  }
}
