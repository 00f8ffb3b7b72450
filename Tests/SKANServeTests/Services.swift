import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import TestSupport
import Testing

@testable import SKANServe

/// A service with the example model, and what it kept and reported.
final class TestService {
  /// 2026-01-01T00:00:00Z, the server's clock.
  static let start: Int64 = 1_767_225_600

  private(set) var kept: [String] = []
  private(set) var reported: [String] = []
  private(set) var logged = ""
  /// The parts of the lines that stand out.
  private(set) var marked: [(kind: RequestLogPart.Kind, text: String)] = []
  /// The seconds by which the server's clock is after ``start``.
  var seconds = 0.0
  private var service: ReferenceService?

  init(
    script: [EndpointAnswer] = [], models: [String: ConversionModel] = [:], hasModel: Bool = true,
    sites: SiteGuard = SiteGuard(), inspection: Inspection? = nil,
    postbacks: PostbackKeeper? = nil, redactor: Redactor = Redactor(key: nil), showsQueries: Bool = false,
    marksParts: Bool = false, hasPage: Bool = false, latency: Double = 0,
    phoneLimit: Int = ReferenceService.phoneLimit, journalLimit: Int = Journal.limit
  ) throws {
    let file = Checkout.fixtures.appending(path: "models/engagement.json")
    let model = try ConversionModel(Array(try Data(contentsOf: file)))
    service = ReferenceService(
      endpoint: ReferenceEndpoint(models: models, defaultModel: hasModel ? model : nil), phoneLimit: phoneLimit,
      journalLimit: journalLimit,
      script: script,
      sites: sites, postbacks: postbacks,
      now: { [unowned self] in Instant(microseconds: Self.start * 1_000_000 + Int64(seconds * 1e6)) },
      redactor: redactor,
      keep: { [unowned self] in kept.append(String(decoding: $0, as: UTF8.self)) },
      report: { [unowned self] in reported.append($0) },
      log: RequestLog(
        showsQuery: showsQueries, marksParts: marksParts,
        now: { Instant(microseconds: Self.start * 1_000_000 + 5_000) }
      ) { [unowned self] lines, parts in
        logged += String(decoding: lines, as: UTF8.self)
        marked += parts.map { ($0.kind, String(decoding: lines[$0.range], as: UTF8.self)) }
      }, inspection: inspection, hasPage: hasPage, latency: latency)
  }

  static let v2 =
    "a=SECRET&v=17.4&i=com.example.app&app_v=1.0&n=__SESSION__&p=iOS&idfv=IDFV-1&skan_current_conversion_value=0"
    + "&skan_last_call_to_skadnetwork_timestamp=\(start)&skan_first_call_to_skadnetwork_timestamp=\(start)"
  static let v1 =
    "a=SECRET&i=com.example.app&app_v=1.0&n=__SESSION__&p=iOS&idfv=IDFV-1&conversion_value"
    + "&total_revenue_by_currency={}&first_call_to_skadnetwork_timestamp=\(start)"
    + "&last_call_to_skadnetwork_timestamp=\(start)"

  func ask(
    _ path: String, _ query: String = "", method: String = "GET", peer: String = "127.0.0.1", time: String? = nil,
    fault: String? = nil, site: RequestSite = RequestSite(), body: String = "", type: String? = nil,
    flushes: Bool = true, lastEvent: String? = nil
  ) throws -> HTTPReply {
    let service = try #require(service)
    let headers = [
      ("x-skan-device-time", time), ("X-Skan-Fault", fault), ("Host", site.host), ("Origin", site.origin),
      ("Referer", site.referer), ("Sec-Fetch-Site", site.fetchSite), ("Content-Type", type),
      ("Last-Event-ID", lastEvent),
    ]
    let reply = service.reply(
      to: HTTPRequest(
        method: method, target: HTTPTarget(path: path, query: query),
        headers: HTTPFields(headers.compactMap { name, value in value.map { HTTPField(name, $0) } }),
        body: Array(body.utf8)), from: peer)
    if !flushes { return reply }
    // As the server's loop does, until another thread has made the reply.
    let end = ContinuousClock.now + .seconds(TestTime.patience)
    repeat {
      service.flush()
      guard let late = reply.late else { return reply }
      if let value = late.value { return value }
      usleep(1_000)
    } while ContinuousClock.now < end
    Issue.record("the reply to \(path) was not made in \(TestTime.patience) s")
    return reply
  }

  /// The reply to a request with these headers and no others.
  func reply(to request: HTTPRequest) throws -> HTTPReply {
    try #require(service).reply(to: request, from: "127.0.0.1")
  }

  func flush() { service?.flush() }

  func close(_ stream: Int) { service?.closeStream(stream) }

  /// The next part of a stream of the live page.
  func part(_ stream: Int) -> String {
    service?.flush()
    return String(decoding: service?.part(ofStream: stream) ?? [], as: UTF8.self)
  }

  /// The number of things that the page remembers.
  var pageSize: Int { service?.page?.size ?? 0 }

  func record(_ failure: HTTPFailure, from peer: String) {
    service?.record(failure, from: peer)
    flush()
  }

  /// A request to v2 in the first window.
  func askV2(
    method: String = "GET", time: String? = nil, fault: String? = nil, site: RequestSite = RequestSite(),
    flushes: Bool = true
  ) throws -> HTTPReply {
    try ask("/api/v2/conversion_value", Self.v2, method: method, time: time, fault: fault, site: site, flushes: flushes)
  }

  /// The journal's lines, read.
  func journal() throws -> [JSON] {
    try ask("/journal").text.split(separator: "\n").map { try JSONReader.read(Array($0.utf8)).value }
  }
}

extension HTTPReply {
  var status: Int { response.status }
  var body: [UInt8] { response.body }
  var text: String { String(decoding: body, as: UTF8.self) }
  var contentType: String? { response.headers["Content-Type"] }
  var allow: String? { response.headers["Allow"] }
  var allowedOrigin: String? { response.headers["Access-Control-Allow-Origin"] }
  /// In ASCII.
  var explanation: String { response.headers["X-SKAN-Explanation"] ?? "" }
}

extension JSON {
  /// A member of an object as text.
  subscript(name: String) -> String? {
    guard case .object(let members) = self, let value = members.first(where: { $0.key == name })?.value else {
      return nil
    }
    if case .string(let text) = value { return text }
    return JSONWriter.text(value)
  }
}
