import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// Writes each request as a line for the person at the server. Unlike the journal, it includes every request, is not
/// stored, and is not meant for programs.
///
/// A line consists of these parts, separated by two spaces: the server's time (UTC); the phone, or else the client's
/// address; method and path; the outcome (HTTP status, and the answer's `status`); the value (fine value, coarse value,
/// `lock`; `-` for none); and the explanation.
package final class RequestLog {
  /// Whether a line includes the query, with the SDK key removed.
  private let showsQuery: Bool
  private let now: () -> Instant
  /// Whether the parts of lines are marked.
  private let marksParts: Bool
  /// Receives the new lines, with line ends, and their marked parts in order.
  private let keep: ([UInt8], [RequestLogPart]) -> Void
  private let document = JSONDocument()
  private var pending: [UInt8] = []
  private var parts: [RequestLogPart] = []
  private var lastSecond: (second: Int64, text: String) = (.min, "")

  package init(
    showsQuery: Bool, marksParts: Bool, now: @escaping () -> Instant,
    keep: @escaping ([UInt8], [RequestLogPart]) -> Void
  ) {
    self.showsQuery = showsQuery
    self.marksParts = marksParts
    self.now = now
    self.keep = keep
  }

  /// Adds an HTTP request.
  ///
  /// - Parameter peer: the client's address.
  func append(_ request: HTTPRequest, peer: String, _ reply: ExplainedReply) {
    var line = ByteText()
    start(&line, reply.phone.flatMap { $0.isEmpty ? nil : SecretParameter.redacted(text: $0) } ?? peer)
    append(request.method, to: &line)
    line.append(" ")
    append(SecretParameter.redacted(text: request.path), to: &line)
    if showsQuery, let query = request.query, !query.isEmpty {
      line.append("?")
      append(SecretParameter.redacted(query), to: &line)
    }
    line.append("  ")
    appendAnswer(reply, to: &line)
    end(line, why: reply.told)
  }

  /// Adds input that was not HTTP, and its answer.
  func append(_ failure: HTTPFailure, peer: String) {
    var line = ByteText()
    start(&line, peer)
    let start = line.count
    line.append("not HTTP  \(failure.status)")
    mark(.failure, from: start, in: line)
    line.append("  -")
    end(line, why: [(nil, failure.sentence)])
  }

  /// Passes on the lines since the last call.
  func flush() {
    guard !pending.isEmpty else { return }
    keep(pending, parts)
    parts.removeAll(keepingCapacity: pending.capacity <= 1 << 20)
    pending.removeAll(keepingCapacity: pending.capacity <= 1 << 20)
  }

  private func start(_ line: inout ByteText, _ phone: String) {
    let now = now()
    let (second, rest) = now.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    if second != lastSecond.second {
      // As in 2026-06-01T12:00:00Z.
      lastSecond = (second, String(Instant(microseconds: second * 1_000_000).description.dropFirst(11).prefix(8)))
    }
    line.append(lastSecond.text)
    line.append(".")
    let milliseconds = rest / 1000
    if milliseconds < 100 { line.append(milliseconds < 10 ? "00" : "0") }
    line.append(milliseconds)
    mark(.time, from: 0, in: line)
    line.append("  ")
    append(phone, to: &line)
    line.append("  ")
  }

  /// Appends the outcome and the value.
  private func appendAnswer(_ reply: ExplainedReply, to line: inout ByteText) {
    let start = line.count
    let broken: String? =
      switch reply.fault {
      case .close?: "closed"
      case .raw?: "not HTTP"
      case .truncated?, .declaredLength?, nil: nil
      }
    if let broken {
      line.append(broken)
      mark(.failure, from: start, in: line)
      return line.append("  -")
    }
    line.append(Int64(reply.response.status))
    var isRight = reply.fault == nil && (200..<300).contains(reply.response.status)
    let answer = unsafe reply.response.body.withUnsafeBufferPointer { body -> JSONNode? in
      do throws(JSONError) { unsafe try document.read(body) } catch { return nil }
      return document.root
    }
    if case .string(let status)? = answer?.member("status")?.content {
      line.append(" ")
      append(status, to: &line)
      isRight = isRight && status == "ok"
    }
    if reply.fault != nil { line.append(", cut") }
    mark(isRight ? .success : .failure, from: start, in: line)
    line.append("  ")
    guard let answer, let fine = answer.member("conversion_value") else { return line.append("-") }
    append(JSONWriter.text(fine.value), to: &line)
    if let coarse = answer.member("skan_updated_coarse_value") {
      line.append(" ")
      append(
        CoarseValue.allCases.first { .integer(Int64($0.number)) == coarse.value }?.rawValue
          ?? JSONWriter.text(coarse.value), to: &line)
    }
    if case .bool(true)? = answer.member("skan_updated_lock_window_value")?.value { line.append(" lock") }
  }

  private func end(_ line: consuming ByteText, why: [(finding: InspectedFinding?, text: String)]) {
    for (finding, text) in why {
      line.append("  ")
      if let finding {
        let start = line.count
        line.append("[\(finding.rule)]")
        mark(.finding, from: start, in: line)
        line.append(" ")
      }
      append(text, to: &line)
    }
    line.append("\n")
    line.append(to: &pending)
  }

  /// Marks the part of the line from an offset to its current end.
  private func mark(_ kind: RequestLogPart.Kind, from start: Int, in line: borrowing ByteText) {
    if !marksParts { return }
    // Nothing is added to `pending` before the line ends.
    parts.append(RequestLogPart(kind: kind, range: pending.count + start..<pending.count + line.count))
  }

  /// Appends external text on one line.
  private func append(_ text: String, to line: inout ByteText) {
    if text.utf8.contains(where: { $0 < 0x20 }) { return line.append(text.oneLine) }
    line.append(text)
  }
}

/// A part of a ``RequestLog`` line that is highlighted on a terminal. The text alone has the same meaning.
package struct RequestLogPart: Sendable, Equatable {
  package enum Kind: Sendable, Equatable { case time, success, failure, finding }

  package let kind: Kind
  /// Byte offsets in the bytes passed on together.
  package let range: Range<Int>

  package init(kind: Kind, range: Range<Int>) {
    self.kind = kind
    self.range = range
  }
}
