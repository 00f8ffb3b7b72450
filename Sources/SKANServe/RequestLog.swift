import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// Requests as they come, one line each, for the person at the server. Unlike the journal it has every request, is kept
/// nowhere, and is not for programs.
///
/// A line is the time of the server's clock (UTC), the phone or else the client's address, the method, the path, the
/// outcome (status, and the `status` of the answer), the value (fine value, coarse value, `lock`; `-` for none) and why,
/// with two spaces between.
package final class RequestLog {
  /// Whether a line has the query, the SDK key taken out.
  private let showsQuery: Bool
  private let now: () -> Instant
  /// Whether the parts of lines are wanted.
  private let marksParts: Bool
  /// Takes lines with their ends, all that there are in one piece, and their parts in order.
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

  /// Adds a request that was HTTP.
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

  /// Adds what was not HTTP, and was answered so.
  func append(_ failure: HTTPFailure, peer: String) {
    var line = ByteText()
    start(&line, peer)
    let start = line.count
    line.append("not HTTP  \(failure.status)")
    mark(.failure, from: start, in: line)
    line.append("  -")
    end(line, why: [(nil, failure.sentence)])
  }

  /// Passes on what came since the last time.
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
      // 2026-06-01T12:00:00Z
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

  /// The outcome and the value.
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

  /// Notes what the line has from an offset to its end so far.
  private func mark(_ kind: RequestLogPart.Kind, from start: Int, in line: borrowing ByteText) {
    if !marksParts { return }
    // What is pending does not grow before the line has ended.
    parts.append(RequestLogPart(kind: kind, range: pending.count + start..<pending.count + line.count))
  }

  /// Adds a text that came from outside, on one line.
  private func append(_ text: String, to line: inout ByteText) {
    if text.utf8.contains(where: { $0 < 0x20 }) { return line.append(text.oneLine) }
    line.append(text)
  }
}

/// A part of a line of ``RequestLog`` that stands out on a terminal. What it means the text says, too.
package struct RequestLogPart: Sendable, Equatable {
  package enum Kind: Sendable, Equatable { case time, success, failure, finding }

  package let kind: Kind
  /// Byte offsets in the piece that has the line.
  package let range: Range<Int>

  package init(kind: Kind, range: Range<Int>) {
    self.kind = kind
    self.range = range
  }
}
