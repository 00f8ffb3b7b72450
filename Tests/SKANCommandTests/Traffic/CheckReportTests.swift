import SKANBase
import SKANCommand
import SKANTraffic
import Testing

@testable import SKANCommandLine

@Suite("What reports of check say of the rest of a capture")
struct CheckReportTests {
  @Test("What could not be read, and requests without a device, are in every report")
  func unread() throws {
    let world = World()
    let device = "&idfv=21DB6612-09B3-4ECC-84AC-B353B0AF1334"
    let har = capturedHAR([
      ("/api/v1/evt?a=k&p=iOS&i=com.example.app&n=level", #"{"status":"ok"}"#),
      ("/api/v1/evt?a=k&p=iOS&i=com.example.app&n=level\(device)", nil),
      ("/api/v1/evt?a=k&p=iOS&i=com.example.app&n=other\(device)", nil),
    ])
    world["cut.har"] = String(har.dropLast(100))
    let end = "the file ends within entry 3, which begins on line 4; the 2 entries before it are read"
    let junit = world.run("check -q --report-junit - cut.har").out
    #expect(junit.contains("<testsuite name=\"requests without a device\" package=\"skan\" id=\"0\""), "\(junit)")
    #expect(junit.contains("<testsuite name=\"captures\" package=\"skan\" id=\"2\""), "\(junit)")
    #expect(
      junit.contains("<error message=\"cut.har:4: \(end)\" type=\"capture\">cut.har:4: \(end)</error>"), "\(junit)")
    let summary = try #require(world.run("check --json cut.har").out.split(separator: "\n").first)
    let json = try JSONReader.read(Array(summary.utf8)).value
    #expect(
      json["problems"].map { JSONWriter.text($0) } == #"[{"entry":0,"file":"cut.har","line":4,"message":"\#(end)"}]"#)
    let sarif = world.run("check --sarif cut.har").out
    #expect(sarif.contains(end), "\(sarif)")
    let csv = world.run("check --csv cut.har").out.split(separator: "\n")
    #expect(csv.contains { $0.hasPrefix(",com.example.app,iOS,,idfv-missing,Error,idfv is missing.,,") }, "\(csv)")
  }

  @Test("JUnit: each name is there once, and the counts of a suite are those of its elements")
  func junit() throws {
    let world = World()
    // An amount at launch breaks a rule of events, which is not evaluated where there are none.
    let launch = "/api/v1/launch?a=k&p=iOS&i=com.example.app&amt=9,99&cur=USD&idfv=21DB6612-09B3-4ECC-84AC-00000000000"
    world["two.har"] = capturedHAR([(launch + "1", #"{"status":"ok"}"#), (launch + "2", #"{"status":"ok"}"#)])
    let junit = world.run("check -q --report-junit - two.har").out
    let names = junit.matches(of: /<testcase classname="skan.check" name="([^"]*)"/).map { String($0.1) }
    #expect(names.count > 100 && Set(names).count == names.count)
    #expect(names.contains("amount-form: com.example.app, idfv 21DB6612-09B3-4ECC-84AC-000000000002"), "\(names)")
    let suites = junit.components(separatedBy: "<testsuite ").dropFirst()
    #expect(suites.count == 2)
    for suite in suites {
      for (attribute, element) in [("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")] {
        let count = suite.components(separatedBy: "<\(element) ").count - 1
        #expect(suite.contains(" \(attribute)=\"\(count)\""), "\(attribute): \(count) in \(suite.prefix(300))")
      }
    }
  }

  @Test("What the end of a capture leaves open is in every report, with its request")
  func end() throws {
    let world = World()
    let kept =
      "&idfv=21DB6612-09B3-4ECC-84AC-B353B0AF1334&skan_first_call_to_skadnetwork_timestamp=1767225590"
      + "&skan_last_call_to_skadnetwork_timestamp=1767225591&a=sEcReT99&p=iOS&i=com.example.app&n="
    let update = "/api/v2/conversion_value?v=17.4&app_v=1.0&skan_current_conversion_value=0\(kept)"
    let report = "/api/v1/evt?ve=17.4&ip=172.58.29.235&att_authorization_status=0\(kept)"
    let ok = #"{"status":"ok"}"#
    world["end.har"] = capturedHAR([
      (update + "sEcReT99", ok), (update + "a", ok), (report + "a", ok), (report + "b", #"{"status":"error"}"#),
    ])
    let reason = "the capture ends 3 s after conversion_value REDACTED (end.har entry 1)"
    let other = "the capture ends 0 s after evt b (end.har entry 4)"
    let text = world.run("check end.har").out
    #expect(text.contains("\n  \(reason): event-not-forwarded\n"), "\(text)")
    #expect(text.contains("\n  \(other): error-taken-as-delivered, event-not-updated\n"), "\(text)")
    let junit = world.run("check -q --report-junit - end.har").out
    #expect(junit.contains("<skipped message=\"not evaluated: \(reason)\"/>"), "\(junit)")
    let csv = world.run("check --csv end.har").out
    #expect(csv.contains(",event-not-forwarded,Not evaluated,\(reason),"), "\(csv)")
    let sarif = try JSONReader.read(Array(world.run("check --sarif end.har").out.utf8)).value
    guard case .array(let runs)? = sarif["runs"], case .array(let results)? = runs.first?["results"] else {
      Issue.record("no results")
      return
    }
    let open = results.filter { $0["kind"] == .string("open") && $0["locations"] != nil }
    #expect(
      open.map { $0["message"]?["text"] } == [
        .string("Not evaluated: \(reason)"), .string("Not evaluated: \(other)"), .string("Not evaluated: \(other)"),
      ])
    let summary = try #require(world.run("check --json end.har").out.split(separator: "\n").first)
    let gaps = try JSONReader.read(Array(summary.utf8)).value["not_evaluated"]
    guard case .array(let items)? = gaps else { return }
    let requests = items.filter { $0["request"] != nil }
    #expect(requests.count == 3 && requests.first?["reason"] == .string(reason))
    #expect(requests.first?["request"]?["entry"] == .integer(1))
    // A selection leaves out what it is not about.
    #expect(!world.run("check --device x end.har").out.contains("the capture ends"))
    #expect(!text.contains("sEcReT99") && !csv.contains("sEcReT99"))
  }

  @Test("Other hosts and remarks are counted in JSON")
  func others() throws {
    let world = World()
    world["other.har"] = """
      {"log":{"entries":[
      {"request":{"method":"CONNECT","url":"https://s2s.singular.net:443"}},{"request":{"url":"https://b.example/"}},
      {"request":{"url":"https://a.example/"}},{"request":{"url":"wss://a.example/"}},
      {"startedDateTime":"2026-01-01T00:00:00Z","request":{"url":"https://s2s.singular.net/api/v1/launch?a=k",
      "queryString":[{"name":"b","value":"k"}]}}]}}
      """
    let summary = try #require(world.run("check --json other.har").out.split(separator: "\n").first)
    let json = try JSONReader.read(Array(summary.utf8)).value
    #expect(json["other_hosts"].map { JSONWriter.text($0) } == #"{"a.example":1,"b.example":1}"#)
    #expect(json["not_decrypted"].map { JSONWriter.text($0) } == #"{"s2s.singular.net:443":1}"#)
    #expect(json["websockets"] == .integer(1))
    #expect(
      json["remarks"].map { JSONWriter.text($0) }
        == #"[{"entry":5,"file":"other.har","line":4,"message":"\"queryString\" differs from the URL at \"a\"; the URL counts"}]"#
    )
  }

  @Test("A file's name is escaped in SARIF")
  func sarifName() {
    let world = World()
    world["a b#1.har"] = capturedHAR([("/api/v1/evt?a=k&p=iOS&i=com.example.app&n=level", #"{"status":"ok"}"#)])
    let out = world.run("check --sarif", "a b#1.har").out
    #expect(out.contains(#""uri":"a%20b%231.har""#) || out.contains(#""uri": "a%20b%231.har""#), "\(out)")
  }
}
