import Foundation
import SKANDevice
import SKANHTTP
import SKANModel
import SKANRun
import TestSupport

@testable import SKANTraffic

/// What a capture came to.
struct Captured {
  var requests: [CapturedRequest] = []
  var tally = CaptureTally()

  /// Reads a text.
  ///
  /// - Parameter step: how many bytes come at a time.
  init(
    _ bytes: [UInt8], hosts: TrafficHosts = TrafficHosts(), zone: String? = nil, fields: LogFields? = nil,
    step: Int = .max
  ) throws {
    var requests: [CapturedRequest] = []
    var reader = CaptureReader(
      hosts: hosts, zone: zone.flatMap(UTCOffset.init)?.everywhere, fields: fields
    ) { request, _ in
      requests.append(request)
    }
    var position = 0
    let source = ByteSource(isRegular: true) { buffer throws(SourceFailure) in
      let count = min(buffer.count, bytes.count - position, step)
      buffer.copyBytes(from: bytes[position..<position + count])
      position += count
      return count
    }
    try reader.read(source, file: "capture")
    self.requests = requests
    tally = reader.tally
  }

  init(
    _ text: String, hosts: TrafficHosts = TrafficHosts(), zone: String? = nil, fields: LogFields? = nil,
    step: Int = .max
  ) throws {
    try self.init(Array(text.utf8), hosts: hosts, zone: zone, fields: fields, step: step)
  }

  /// Reads a fixture.
  init(fixture name: String, step: Int = .max) throws {
    try self.init(Array(try Data(contentsOf: Checkout.fixtures.appending(path: "traffic/\(name)"))), step: step)
  }

  /// `file:line: message` of each problem.
  var problems: [String] { tally.problems.map { "\($0.location.entry):\($0.location.line): \($0.message)" } }
}

/// A HAR with one entry.
///
/// - Parameters:
///   - request: members of the request behind its method and URL.
///   - response: the response as JSON.
func har(
  method: String = "GET", url: String = "https://s2s.singular.net/api/v1/launch?a=k", request: String = "",
  response: String = #"{"status":200,"content":{"size":2,"text":"{}"}}"#, time: String = "2026-01-01T00:00:00Z"
) -> String {
  let more = request.isEmpty ? "" : ",\(request)"
  return """
    {"log":{"version":"1.2","entries":[{"startedDateTime":"\(time)","request":{"method":"\(method)","url":"\(url)"\(more)},\
    "response":\(response)}]}}
    """
}

extension TrafficRule {
  /// What must be known for the rule to fire.
  var context: TrafficContext {
    get throws {
      switch self {
      case .serverParameterMissing: TrafficContext(client: .server)
      case .totalMissing:
        TrafficContext(
          client: .server,
          endpoint: ReferenceEndpoint(defaultModel: try Self.model("iap-revenue")))
      default: TrafficContext()
      }
    }
  }

  /// A model of the fixtures.
  static func model(_ name: String) throws -> ConversionModel? {
    try ModelFile(Array(Data(contentsOf: Checkout.fixtures.appending(path: "models/\(name).json")))).models.first
  }
}

/// What the rules say of a capture.
struct Checked {
  var findings: [TrafficFinding] = []
  /// What the end leaves open.
  var open: [TrafficFinding] = []
  var summary = TrafficSummary()

  init(_ requests: [CapturedRequest], _ context: TrafficContext = TrafficContext()) throws {
    var checker = TrafficChecker(limit: .max, context)
    for request in requests {
      guard let kind = EndpointKind(path: request.request.path) else { continue }
      findings += checker.check(request, kind: kind)
    }
    findings += checker.finish()
    open = checker.open
    summary = checker.summary
  }

  /// The same, device by device after a survey of all.
  ///
  /// - Parameters:
  ///   - requests: in order of time.
  ///   - hidden: what could not be read.
  init(
    inParts requests: [CapturedRequest], hidden: HiddenRequests = HiddenRequests(),
    _ context: TrafficContext = TrafficContext()
  ) {
    var survey = TrafficSurvey(hidden: hidden)
    let devices = requests.map { survey.add($0, kind: EndpointKind(path: $0.request.path)) }
    let parts = survey.parts(of: devices)
    var checker = TrafficChecker(survey, context)
    for part in Set(parts).sorted() {
      for (request, own) in zip(requests, parts) where own == part {
        guard let kind = EndpointKind(path: request.request.path) else { continue }
        findings += checker.check(request, kind: kind)
      }
      findings += checker.finishLives()
    }
    findings += checker.finish()
    open = checker.open
    summary = checker.summary
  }

  init(fixture name: String, _ context: TrafficContext = TrafficContext()) throws {
    try self.init(Captured(fixture: name).requests, context)
  }

  /// The ids of the rules that fired.
  var rules: [String] { Set(findings.map(\.rule.id)).sorted() }

  /// `entry rule: message` of each finding.
  var text: [String] { findings.map { "\($0.location.entry) \($0.rule.id): \($0.message)" } }
}

extension UTCOffset {
  /// The zone with this offset at all times.
  var everywhere: LocalOffset {
    let start = Instant(iso8601: "2000-01-01T00:00:00\(text)")?.wholeSeconds ?? 0
    return { _ in 946_684_800 - start }
  }
}
