import SKANDevice
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
    let request = try #require(CombinedLogLine(line)?.request)
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
    #expect(CombinedLogLine(line)?.request.at == Instant(iso8601: "2026-\(digits)-05T06:07:08Z"))
  }

  @Test(
    "Other lines are refused",
    arguments: [
      "", "GET / HTTP/1.1", "x [01/Foo/2026:00:00:00 +0000] \"GET / HTTP/1.1\" 200", "x [x] \"GET", "a \"b\\",
    ])
  func refused(_ line: String) { for form in AccessLogForm.allCases { #expect(!form.reads(line)) } }

  @Test(
    "CloudFront escapes percent signs once more",
    arguments: [
      ("n=a%2520b%2526", "n=a%20b%26"), ("n=a%20b", "n=a%20b"), ("n=a%2520b%20c", "n=a%2520b%20c"),
      ("n=100%25", "n=100%25"),
      ("-", nil),
    ])
  func escapes(_ written: String, _ query: String?) throws {
    let columns = try #require(
      CloudFrontColumns(comment: "#Fields: date time cs-method cs-uri-stem sc-status cs-uri-query"))
    let request = try #require(columns.line("2026-01-01\t00:00:00\tGET\t/api/v1/evt\t200\t\(written)"))
    #expect(request.target.query == query)
  }

  @Test(
    "CloudFront: the host, and how it was asked",
    arguments: [
      ("x-host-header cs-protocol", "a.example\thttp", "http://a.example"),
      ("cs(Host)", "a.example", "https://a.example"),
      ("x-host-header", "-", ""), ("x-host-header x-host-header", "a.example\tb.example", "https://a.example"),
    ])
  func origins(_ names: String, _ values: String, _ origin: String) throws {
    let columns = try #require(
      CloudFrontColumns(comment: "#Fields: date time cs-method cs-uri-stem sc-status \(names)"))
    let request = try #require(columns.line("2026-01-01\t00:00:00\tGET\t/api/v1/evt\t200\t\(values)"))
    #expect(request.target.origin == origin)
    #expect(columns.line("2026-01-01\t00:00:00\tGET\t/api/v1/evt\tok\t\(values)") == nil)
    #expect(columns.line("2026-01-01") == nil)
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
