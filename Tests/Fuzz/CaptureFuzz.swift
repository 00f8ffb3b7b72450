@testable import SKANDevice
@testable import SKANHTTP
@testable import SKANModel
@testable import SKANRun
@testable import SKANTraffic

// Captured traffic: HAR, logs, journals and URLs, by their content.

private struct Read: Equatable {
  var requests: [CapturedRequest] = []
  var problems: [String] = []
}

private func read(_ bytes: [UInt8], pieces: Int) -> Read {
  var read = Read()
  var hosts = TrafficHosts()
  hosts.add("proxy.example", as: .s2s)
  var reader = CaptureReader(hosts: hosts, zone: UTCOffset("+02:00")) { request, _ in read.requests.append(request) }
  var rest = bytes[...]
  let source = ByteSource(isRegular: true, size: bytes.count) { (buffer) throws(SourceFailure) in
    let piece = rest.prefix(min(pieces, buffer.count))
    buffer.copyBytes(from: piece)
    rest = rest.dropFirst(piece.count)
    return piece.count
  }
  guard (try? reader.read(source, file: "f")) != nil else { preconditionFailure("bytes in memory cannot fail") }
  let lines = bytes.count { $0 == 0x0A } + 1
  for problem in reader.tally.problems + reader.tally.remarks {
    precondition(!problem.message.isEmpty && (1...lines).contains(problem.location.line), "\(problem)")
    read.problems.append("\(problem.location) \(problem.message)")
  }
  return read
}

/// However the bytes arrive, the requests are the same, and each survives being set aside and can be checked.
func fuzzCapture(_ bytes: [UInt8]) {
  guard let (first, rest) = bytes.choice else { return }
  let whole = read(rest, pieces: .max)
  precondition(read(rest, pieces: Int(first) + 1) == whole, "the pieces change what is read")
  var checker = TrafficChecker()
  let hosts = TrafficHosts()
  for captured in whole.requests {
    let packed = [UInt8](writing: captured.write)
    let again = packed.reading { CapturedRequest(from: &$0, at: captured.location) }
    precondition(again == captured, "set aside it became another")
    guard case .endpoint(let kind) = hosts.destination(of: captured.request.target) else { continue }
    for finding in checker.check(captured, kind: kind) { precondition(!finding.message.isEmpty) }
  }
  for finding in checker.finish() { precondition(!finding.message.isEmpty) }
}

private let endpoint: ReferenceEndpoint = ReferenceEndpoint(defaultModel: try? ConversionModel(Array("{}".utf8)))

/// The parameters that an app's server sends. The first byte says to which endpoint.
func fuzzForwarded(_ bytes: [UInt8]) {
  guard let (first, rest) = bytes.choice, let sent = SentParameters(rest) else { return }
  let all = EndpointKind.reports
  let receiver = all[Int(first) % all.count]
  for problem in ForwardedCheck.problems(of: sent, at: receiver) { precondition(!problem.explanation.isEmpty) }
  var memory = InstallMemory.none
  let answer = endpoint.forwardedAnswer(to: sent, at: receiver, Instant(microseconds: 0), memory: &memory)
  precondition(!answer.explanation.isEmpty)
}

/// What the program tells itself across processes.
func fuzzFrame(_ bytes: [UInt8]) {
  guard let outcome = try? Frame.outcome(bytes) else { return }
  let written = Frame.of(outcome)
  // A frame begins with its length.
  guard let again = try? Frame.outcome(Array(written.dropFirst(8))) else { preconditionFailure("it cannot be read") }
  precondition(Frame.of(again) == written, "written and read again it is another")
}
