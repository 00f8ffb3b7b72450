import SKANBase
import SKANDevice
import SKANHTTP
import SKANRun
import SKANSystem
import Testing

@testable import SKANTraffic

@Suite("Lines of access logs")
struct AccessLogTests {
  @Test(
    "Apache and nginx",
    arguments: [
      (#"::1 - - [31/Dec/2025:19:00:00 -0500] "GET /api/v1/evt?n=a HTTP/1.1" 200 5"#, "/api/v1/evt?n=a", 200),
      (
        #"example.com:443 1.2.3.4 - u [01/Jan/2026:00:00:00 +0000] "GET /e?q=\"x\"\x22 HTTP/1.1" 404 - "-" "a""#,
        #"/e?q="x"%22"#, 404
      ),
    ])
  func combined(_ line: String, _ target: String, _ status: Int) throws {
    let request = try #require(CombinedLogLine(line)?.line.request)
    #expect(request.target.text == target)
    #expect(request.status == status)
    #expect(request.at == .listStart)
  }

  @Test(
    "The months of Apache and nginx",
    arguments: zip(
      1..., ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    ).map { ($0, $1) })
  func month(_ number: Int, _ name: String) throws {
    let line = #"::1 - - [05/\#(name)/2026:06:07:08 +0000] "GET /api/v1/evt?n=a HTTP/1.1" 200 5"#
    let digits = number < 10 ? "0\(number)" : "\(number)"
    #expect(CombinedLogLine(line)?.line.request?.at == Instant(iso8601: "2026-\(digits)-05T06:07:08Z"))
  }

  @Test(
    "Other lines are refused",
    arguments: [
      "", "GET / HTTP/1.1", "x [01/Foo/2026:00:00:00 +0000] \"GET / HTTP/1.1\" 200", "x [x] \"GET", "a \"b\\",
    ])
  func refused(_ line: String) throws {
    #expect(CombinedLogLine(line) == nil && LoadBalancerLine(line) == nil)
    for columns in [LogColumns.standard, .realTime] {
      let found = try? columns.line(line)
      #expect(found == nil)
    }
    let captured = try Captured(line)
    #expect(captured.requests.isEmpty && captured.problems.count == 1)
  }

  @Test(
    "CloudFront escapes percent signs once more",
    arguments: [
      ("n=a%2520b%2526", "n=a%20b%26"), ("n=a%20b", "n=a%20b"), ("n=a%2520b%20c", "n=a%2520b%20c"),
      ("n=100%25", "n=100%25"),
      ("-", nil),
    ])
  func escapes(_ written: String, _ query: String?) throws {
    let columns = try #require(
      LogColumns(comment: "#Fields: date time cs-method cs-uri-stem sc-status cs-uri-query"))
    let request = try #require(try columns.line("2026-01-01\t00:00:00\tGET\t/api/v1/evt\t200\t\(written)")?.request)
    #expect(request.target.query == query)
  }

  @Test(
    "CloudFront: the host, and how it was asked",
    arguments: [
      ("x-host-header cs-protocol", "a.example\thttp", "http://a.example"),
      ("cs(Host)", "a.example", "https://a.example"),
      ("x-host-header cs-host", "d1.CloudFront.net\ta.example", "https://a.example"),
      ("cs(Host)", "d1.cloudfront.net", "https://d1.cloudfront.net"),
      ("x-host-header", "-", ""), ("x-host-header x-host-header", "a.example\tb.example", "https://a.example"),
    ])
  func origins(_ names: String, _ values: String, _ origin: String) throws {
    let columns = try #require(
      LogColumns(comment: "#Fields: date time cs-method cs-uri-stem sc-status \(names)"))
    let request = try #require(try columns.line("2026-01-01\t00:00:00\tGET\t/api/v1/evt\t200\t\(values)")?.request)
    #expect(request.target.origin == origin)
    #expect(throws: LogFlaw("the status is not a number: \"ok\"")) {
      try columns.line("2026-01-01\t00:00:00\tGET\t/api/v1/evt\tok\t\(values)")
    }
    #expect(try columns.line("2026-01-01") == nil)
  }

  @Test("A line of another form is a problem")
  func other() throws {
    let line = #"::1 - - [01/Jan/2026:00:00:00 +0000] "GET /api/v1/evt?n=a HTTP/1.1" 200 5"#
    let captured = try Captured("\(line)\n\nnonsense\n\(line)\n")
    #expect(captured.problems == ["2:3: the line has another form than the log's first"])
    #expect(
      captured.requests.map(\.location)
        == [1, 4].map { CaptureLocation(file: "capture", entry: $0 == 1 ? 1 : 3, line: $0) })
  }
}

extension LoggedLine {
  /// The request; nil for what is not HTTP.
  var request: LoggedRequest? { if case .request(let request) = self { request } else { nil } }
}

@Suite("Whose a request is")
struct TrafficHostsTests {
  private static let hosts: TrafficHosts = {
    var hosts = TrafficHosts()
    hosts.add("Proxy.example", as: .s2s)
    hosts.add("both.example:8443", as: .s2s)
    hosts.add("both.example:8443", as: .singular)
    return hosts
  }()

  @Test(
    "By host and path",
    arguments: [
      (
        "https://sdk-api-v1.singular.net/api/v2/conversion_value",
        TrafficHosts.Destination.endpoint(.conversionValue(.v2))
      ),
      ("https://SDK-API-v1.singular.net:443/api/v1/conversion_value", .endpoint(.conversionValue(.v1))),
      ("https://skadnetwork-testing.singular.net/api/v1/conversion_value", .endpoint(.conversionValue(.v1))),
      ("https://s2s.singular.net/api/v1/launch", .endpoint(.launch)),
      ("https://s2s.singular.net/api/v1/evt", .endpoint(.event(.v1))),
      ("https://s2s.singular.net/api/v2/evt", .endpoint(.event(.v2))),
      ("https://s2s.singular.net/api/v2/launch", .otherPath),
      ("https://s2s.singular.net/x/api/v1/evt", .otherPath),
      ("https://s2s.singular.net/api/v1/conversion_value", .otherPath),
      ("http://localhost:8787/api/v1/launch", .endpoint(.launch)),
      ("http://127.0.0.1/api/v1/evt", .endpoint(.event(.v1))),
      ("http://[::1]:1/testing/api/v1/conversion_value", .endpoint(.conversionValue(.v1))),
      ("http://127.0.0.1/journal", .otherPath),
      ("https://proxy.example:9000/s/api/v1/launch", .endpoint(.launch)),
      ("https://proxy.example/api/v2/conversion_value", .otherPath),
      ("https://both.example:8443/api/v2/conversion_value", .endpoint(.conversionValue(.v2))),
      ("https://both.example/api/v2/conversion_value", .otherHost), ("https://127.evil.example/api/v1/evt", .otherHost),
      ("/api/v1/evt", .endpoint(.event(.v1))), ("https://s2s.singular.net.evil.example/api/v1/evt", .otherHost),
    ])
  func destinations(_ url: String, _ destination: TrafficHosts.Destination) {
    #expect(Self.hosts.destination(of: HTTPTarget(url)) == destination)
  }
}

@Suite("Requests in order of time")
struct CapturedTrafficTests {
  /// The entries in their order. Few are kept in memory, so that the others are read back from a file.
  private func order(_ requests: [(file: String, seconds: Int64?)], of format: CaptureFormat) throws -> [Int] {
    var traffic = CapturedTraffic(spool: SpoolFile(limit: 100))
    for (index, request) in requests.enumerated() {
      let location = CaptureLocation(file: request.file, entry: index + 1, line: 1)
      traffic.append(
        CapturedRequest(
          .get("https://s2s.singular.net/?\(index)"), at: request.seconds.flatMap { Instant(unixSeconds: $0) },
          location: location),
        of: format)
    }
    let ordered = try traffic.ordered()
    var found: [Int] = []
    try ordered.forEach({ $0 }) { request throws(FileError) in
      #expect(request.request.query == "\(request.location.entry - 1)")
      guard let index = ordered.index(of: request.location) else {
        Issue.record("no request at \(request.location)")
        return
      }
      #expect(try ordered.request(index) == request)
      found.append(request.location.entry - 1)
    }
    return found
  }

  @Test("Files that are out of order; equal times keep their order, and what has none stays behind the one before it")
  func sorted() throws {
    #expect(try order([("a", 5), ("a", nil), ("a", 1), ("b", 5), ("b", 2)], of: .har) == [2, 4, 0, 1, 3])
    #expect(try order([("a", nil), ("a", nil)], of: .urls) == [0, 1])
    #expect(try order([("a", nil), ("a", 5), ("b", nil), ("b", 1)], of: .har) == [0, 2, 3, 1])
  }

  @Test("A journal is in order, also of a phone whose clock was set back")
  func journal() throws {
    #expect(try order([("a", 5), ("a", 1), ("a", 9), ("b", 6)], of: .journal) == [0, 1, 3, 2])
  }

  @Test("A phone's own time is that of its request, and does not move it")
  func deviceTime() throws {
    var traffic = CapturedTraffic()
    for (entry, seconds) in [(1, 900), (2, 100), (3, 500)] {
      var request = CapturedRequest(
        .get("https://s2s.singular.net/"), at: Instant(unixSeconds: Int64(seconds)),
        location: CaptureLocation(file: "a", entry: entry, line: 1))
      request.recordedAt = Instant(unixSeconds: Int64(10 - entry))
      traffic.append(request, of: .har)
    }
    var found: [CapturedRequest] = []
    try traffic.ordered().forEach({ $0 }) { request throws(FileError) in found.append(request) }
    #expect(found.map(\.location.entry) == [3, 2, 1])
    #expect(found.map { $0.at?.wholeSeconds } == [500, 100, 900])
    #expect(found.map { $0.recordedAt?.wholeSeconds } == [7, 8, 9])
  }

  @Test("The same file twice, and a location without a request")
  func locations() throws {
    #expect(try order([("a", 1), ("b", 2), ("a", 3)], of: .har) == [0, 1, 2])
    var traffic = CapturedTraffic()
    for entry in [3, 5, 3] {
      traffic.append(
        CapturedRequest(.get("https://s2s.singular.net/"), location: CaptureLocation(file: "a", entry: entry, line: 1)),
        of: .urls)
    }
    let ordered = try traffic.ordered()
    for (file, entry, isThere) in [("a", 3, true), ("a", 5, true), ("a", 4, false), ("b", 3, false)] {
      let location = CaptureLocation(file: file, entry: entry, line: 1)
      #expect((ordered.index(of: location) != nil) == isThere)
    }
  }

  @Test("Part by part, each in order", arguments: [0, 1, 2, 40])
  func parts(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    var traffic = CapturedTraffic()
    for entry in 0..<count {
      traffic.append(
        CapturedRequest(.get("https://s2s.singular.net/"), location: CaptureLocation(file: "a", entry: entry, line: 1)),
        of: .urls)
    }
    let parts = (0..<count).map { _ in UInt32.random(in: 0..<5, using: &random) }
    var found: [[Int]] = [[]]
    try traffic.ordered().forEach(in: parts, { $0 }) { request throws(FileError) in
      found[found.count - 1].append(request.location.entry)
    } end: { () throws(FileError) in
      found.append([])
    }
    #expect(found.dropLast() == Set(parts).sorted().map { part in parts.indices.filter { parts[$0] == part } }[...])
  }

  @Test("What cannot be set aside is an error")
  func failure() {
    var traffic = CapturedTraffic(spool: SpoolFile(limit: 0, directory: "/dev/null"))
    for entry in 1...2 {
      traffic.append(
        CapturedRequest(.get("https://s2s.singular.net/"), location: CaptureLocation(file: "a", entry: entry, line: 1)),
        of: .urls)
    }
    #expect(throws: FileError.self) { try traffic.ordered() }
  }
}
