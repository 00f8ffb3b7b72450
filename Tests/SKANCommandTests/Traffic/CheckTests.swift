import SKANBase
import SKANCommand
import SKANTraffic
import Testing

@testable import SKANCommandLine

@Suite("check: captured traffic")
struct CheckTests {
  /// Two events with an IDFA of zeros, the key a secret that must be nowhere.
  private static let broken = capturedHAR([
    (
      "/api/v1/evt?a=sEcReT99&p=iOS&i=com.example.app&ip=203.0.113.7&ve=17.4&idfv=21DB6612-09B3-4ECC-84AC-B353B0AF1334"
        + "&att_authorization_status=3&idfa=00000000-0000-0000-0000-000000000000&n=sEcReT99", #"{"status":"ok"}"#
    ),
    (
      "/api/v1/evt?a=sEcReT99&p=iOS&i=com.example.app&ip=203.0.113.7&ve=17.4&idfv=11DB6612-09B3-4ECC-84AC-B353B0AF1334"
        + "&att_authorization_status=3&idfa=00000000-0000-0000-0000-000000000000&n=level&apns_token=ToKeN1",
      #"{"status":"ok"}"#
    ),
  ])

  private func world() -> World { World { $0.files["broken.har"] = Array(Self.broken.utf8) } }

  @Test("The summary is the first line, in every form of a capture")
  func summary() throws {
    let world = World()
    try world.addCapture("charles.har")
    let lines = world.run("check charles.har").out.split(separator: "\n")
    #expect(lines.first?.hasPrefix("4 requests of 1 device: 1 launch, 1 evt, 2 conversion_value; ") == true)
    #expect(lines.first?.hasSuffix("; 1 entry of other hosts, 1 not decrypted") == true)
    #expect(lines.contains("  other hosts: cdn.example.net 1"))
    #expect(lines.contains("  not decrypted: api.example.net 1"))
  }

  @Test("A finding is an exit code of 1 from its level on")
  func levels() {
    let world = world()
    let text = world.run("check broken.har")
    #expect(text.code == .expectationFailed)
    #expect(text.err == "Try 'skan explain event-before-session'.\n")
    #expect(text.out.contains("com.example.app, idfv 21DB6612-09B3-4ECC-84AC-B353B0AF1334\n"))
    #expect(text.out.contains("[idfa-zeros]"))
    #expect(text.out.contains("    broken.har entry 1 at 2026-01-01T00:00:00Z: "))
    #expect(text.out.contains("https://s2s.singular.net/api/v1/evt?a=REDACTED&p=iOS&i=com.example.app"))
    #expect(text.out.contains("not evaluated:"))
    #expect(world.run("check -q broken.har").out.isEmpty)
  }

  @Test(
    "No key and no token is in any output",
    arguments: ["", "--json", "--csv", "--sarif", "-q --report-junit -", "-q --redacted -"])
  func secrets(_ options: String) {
    let all = world().run("check broken.har \(options)")
    #expect(!all.out.isEmpty)
    #expect(!all.out.contains("sEcReT99"))
    #expect(!all.out.contains("ToKeN1"))
    #expect(all.out.contains("REDACTED") || options.contains("junit") || options.contains("sarif"))
  }

  @Test("JSON: the summary, then a line a finding")
  func json() throws {
    let lines = try world().run("check broken.har --json").out.split(separator: "\n").map {
      try JSONReader.read(Array($0.utf8)).value
    }
    #expect(lines[0]["requests"] == .integer(2))
    #expect(lines[0]["devices"] == .integer(2))
    #expect(lines[0]["not_evaluated"] != .array([]))
    let finding = try #require(lines.dropFirst().first { $0["rule"] == .string("idfa-zeros") })
    #expect(finding["level"] == .string("error"))
    #expect(finding["entry"] == .integer(1))
    #expect(finding["at"] == .integer(1_767_225_600))
    #expect(finding["device"]?["id"] == .string("21DB6612-09B3-4ECC-84AC-B353B0AF1334"))
  }

  @Test("CSV: the columns of Singular's audit come first")
  func csv() {
    let lines = world().run("check broken.har --csv").out.components(separatedBy: "\n")
    #expect(
      lines[0].hasPrefix("App Name,App Bundle,Platform,App Version,Validation Name,Type,Error Description,Device,"))
    #expect(lines.contains { $0.hasPrefix(",com.example.app,iOS,,idfa-zeros,Error,") })
  }

  @Test("SARIF: a result a finding, rules that are not evaluated are open")
  func sarif() throws {
    let log = try JSONReader.read(Array(world().run("check broken.har --sarif").out.utf8)).value
    #expect(log["version"] == .string("2.1.0"))
    guard case .array(let runs)? = log["runs"], case .array(let results)? = runs[0]["results"] else {
      Issue.record("no results")
      return
    }
    #expect(results.contains { $0["ruleId"] == .string("idfa-zeros") && $0["kind"] == .string("fail") })
    #expect(results.contains { $0["kind"] == .string("open") && $0["level"] == .string("none") })
  }

  @Test("Reports are about the requests that are asked for; the others are history")
  func selection() {
    let world = world()
    #expect(
      world.run("check broken.har --device 11db6612-09b3-4ecc-84ac-b353b0af1334").out.hasPrefix("1 request of 1 device")
    )
    #expect(
      world.run("check broken.har --since 2026-01-01T00:00:01Z").out.hasPrefix("1 request of 1 device: 0 launch, 1 evt")
    )
    #expect(!world.run("check broken.har --until 1767225601").out.contains("11DB6612"))
    let none = world.run("check broken.har --device x")
    #expect(none.code == .noInput)
    #expect(none.err == "skan: no request to Singular in this selection\n")
  }

  @Test("What may be shared checks the same")
  func redacted() throws {
    let world = world()
    let before = world.run("check broken.har --json --redacted shared.har")
    #expect(before.changes.first == "shared.har created")
    let after = world.run("check shared.har --json")
    let plain = after.out.replacing("shared.har", with: "broken.har").split(separator: "\n").dropFirst()
    #expect(
      Array(plain.map { $0.replacing(/"line":\d+/, with: "") })
        == before.out.split(separator: "\n").dropFirst().map { $0.replacing(/"line":\d+/, with: "") })
  }

  @Test(
    "A request of many parameters, known or not, has few findings",
    arguments: ["launch", "evt", "conversion_value"], ["q\(0)=1", "token\(0)=secret\(0)", "a=secret\(0)", "e\(0)", "&"])
  func many(path: String, form: String) {
    let world = World()
    let names = (0..<5000).map { form.replacing("\(0)", with: "\($0)") }.joined(separator: "&")
    let device = "i=com.example.app&p=iOS&idfv=21DB6612-09B3-4ECC-84AC-B353B0AF1334"
    world["urls.txt"] = "https://s2s.singular.net/api/v1/\(path)?\(device)&utime=secret1&\(names)\n"
    let run = world.run("check urls.txt --csv")
    #expect(run.out.split(separator: "\n").count < 80)
    // A secret may stand where it is none, too.
    #expect(!run.out.contains("secret1") || !form.contains("secret"))
  }

  @Test("A packed capture needs gzip")
  func packed() {
    let world = World { $0.files["a.log.gz"] = [0x1F, 0x8B, 8, 0] }
    let run = world.run("check a.log.gz")
    #expect(run.code == .unavailable)
    #expect(run.err == "skan: a.log.gz is packed, and gzip, which unpacks it, is not on the PATH\n")
  }

  @Test("Nothing found is not taken for all well")
  func nothing() throws {
    let world = World()
    world["tunnels.har"] = """
      {"log":{"entries":[{"request":{"method":"CONNECT","url":"https://s2s.singular.net:443"}},{"request":{"url":"https://a.example/"}}]}}
      """
    let all = world.run("check tunnels.har")
    #expect(all.code == .noInput)
    #expect(
      all.err
        == "skan: TLS was not decrypted for s2s.singular.net:443: what went there is not checked\n"
        + "skan: no request to Singular; --host names your own proxy\n")
    #expect(all.out.contains("; 1 entry of other hosts, 1 not decrypted\n  other hosts: a.example 1\n"))
  }

  @Test("A file that ends too early gives what it held, and 65")
  func truncated() throws {
    let world = World()
    world["cut.har"] = String(Self.broken.dropLast(100))
    let all = world.run("check cut.har")
    #expect(all.code == .badData)
    #expect(all.out.hasPrefix("1 request of 1 device: "))
    #expect(all.err == "cut.har:3: the file ends within entry 2, which begins on line 3; the entry before it is read\n")
  }

  @Test("Proxies of one's own, and times of a known place")
  func hosts() {
    let world = World()
    world["proxy.har"] = Self.broken.replacing("s2s.singular.net", with: "proxy.example/s2s").replacing(
      "0Z\"", with: "0\""
    )
    .replacing("1Z\"", with: "1\"")
    #expect(world.run("check proxy.har").code == .noInput)
    #expect(world.run("check proxy.har --host proxy.example=s2s").code == .badData)
    let all = world.run("check proxy.har --host proxy.example=s2s --timezone +02:00")
    #expect(all.out.hasPrefix("2 requests of 2 devices"))
    #expect(all.out.contains(" at 2025-12-31T22:00:00Z: "))
    for zone in ["+0200", "+02"] {
      #expect(world.run("check proxy.har --host proxy.example=s2s --timezone \(zone)").out == all.out)
    }
    let berlin = world.run("check proxy.har --host proxy.example=s2s --timezone Europe/Berlin")
    #expect(berlin.out.contains(" at 2025-12-31T23:00:00Z: "))
  }

  @Test("Every form of a log gives the same, in help and manual each has its row")
  func logs() throws {
    let world = World()
    let logs = [
      "combined-bots.log", "nginx.ndjson", "docker.ndjson", "google-cloud.ndjson", "cloudflare.ndjson",
      "cloudfront-realtime.tsv", "cloudfront.ndjson", "cloudfront-blanks.log", "iis.log", "combined.log", "alb.log",
      "cloudfront.log",
    ]
    for name in logs {
      try world.addCapture(name)
      let run = world.run("check \(name)")
      #expect(run.code == .ok && run.err.isEmpty, "\(name): \(run)")
      #expect(run.out.hasPrefix("4 requests of 1 device: 1 launch, 1 evt, 2 conversion_value; 0 errors, 0 warnings; "))
    }
    try world.addCapture("elb-classic.log")
    let classic = world.run("check elb-classic.log")
    #expect(classic.code == .badData && classic.err.contains("sed 's/^/http /' FILE | skan check -"))
    let help = world.run("check --help").out
    for row in CaptureFormat.rows { #expect(help.contains(row.name), "\(row.name)") }
  }

  @Test("A log with other names, nested, is read by them; a HAR beside it is not")
  func fields() {
    let world = world()
    let query = "a=sEcReT99&p=iOS&i=com.example.app&n=x&idfv=21DB6612-09B3-4ECC-84AC-B353B0AF1334"
    world["log.ndjson"] =
      #"{"ts":1767225600.5,"req":{"verb":"GET","uri":"/api/v1/evt?\#(query)"},"code":200}"# + "\n"
    #expect(world.run("check log.ndjson").code == .badData)
    let options = "--fields time=ts,method=req.verb,url=req.uri,status=code"
    let run = world.run("check \(options) log.ndjson broken.har")
    #expect(run.out.hasPrefix("3 requests of 2 devices: "), "\(run)")
    #expect(run.out.contains("log.ndjson entry 1 at 2026-01-01T00:00:00.5Z: ") && !run.out.contains("sEcReT99"))
    // Names that point at the wrong members show no key.
    let wrong = world.run("check --fields time=req.uri,url=req.uri,status=req.uri log.ndjson")
    #expect(wrong.code == .badData && !wrong.err.contains("sEcReT99") && wrong.err.contains("log.ndjson:1: entry 1: "))
    let none = world.run("check --fields time=t,url=u log.ndjson")
    #expect(none.code == .badData && none.err.contains("no line has the members or columns that --fields names"))
  }

  @Test("A part that cannot be read: 65, and its request is checked; a plain text for base64: a note")
  func parts() {
    let world = World()
    let answer = #""text":"{\"status\":\"ok\"}""#
    let har = Self.broken
    world["whole.har"] = har
    let whole = world.run("check whole.har")
    world["plain.har"] = har.replacing(answer, with: answer + #","encoding":"base64""#)
    let plain = world.run("check plain.har")
    #expect(plain.code == whole.code && plain.out == whole.out.replacing("whole.har", with: "plain.har"))
    #expect(plain.err.contains("is not base64, as its \"encoding\" says; its text is used unchanged"))
    world["damaged.har"] = har.replacing(answer, with: #""text":"e30*","encoding":"base64""#)
    let damaged = world.run("check damaged.har")
    #expect(damaged.code == .badData && damaged.out.hasPrefix("2 requests of 2 devices: "))
    #expect(damaged.out.contains("idfa-zeros") && damaged.err.contains("what the answer says is not known"))
    let url = "\"url\":\"https://s2s.singular.net/api/v1/evt?a=sEcReT99\""
    let form = #","postData":{"text":"bj14*","encoding":"base64"}"#
    world["form.har"] =
      #"{"log":{"entries":[{"startedDateTime":"2026-01-01T00:00:00Z","request":{"method":"POST",\#(url)\#(form)}}]}}"#
    for file in ["form.har", "shared.har"] {
      let run = world.run("check \(file)")
      #expect(run.code == .badData && run.err.contains("the parameters in it are not checked"), "\(run)")
      #expect(run.out.hasPrefix("1 request of 0 devices: 0 launch, 1 evt, 0 conversion_value; 0 errors, 0 warnings; "))
      if file == "form.har" { world.run("check -q --redacted shared.har form.har") }
    }
  }

  @Test(
    "Options that make no sense",
    arguments: [
      (
        "check broken.har --host x",
        "--host must be NAME=singular or NAME=s2s, the name of a host without a path, it is \"x\""
      ),
      ("check broken.har --host x=s2", "--host must be NAME=singular or NAME=s2s, it is \"x=s2\"; did you mean s2s?"),
      (
        "check broken.har --timezone Berlin",
        "--timezone must be UTC, an offset such as +02:00, or a zone such as Europe/Berlin, it is \"Berlin\""
      ),
      (
        "check broken.har --since yesterday",
        "--since must be an ISO 8601 instant (2026-01-03T00:00:00Z) or Unix seconds, it is \"yesterday\""
      ),
      ("check broken.har --json --csv", "--json and --csv exclude each other"),
      (
        "check broken.har --fields time",
        "--fields must be PART=NAME with commas between, as in time=ts,method=verb,url=uri, it is \"time\""
      ),
      (
        "check broken.har --fields time=t,ulr=u",
        "--fields: ulr is none of time, method, url, path, query, request, status, host, scheme, address; "
          + "did you mean url?"
      ),
      ("check broken.har --fields time=t,time=u", "--fields: time is given twice"),
      ("check broken.har --fields url=u", "--fields: it lacks time=NAME"),
      ("check broken.har --fields time=t", "--fields: it lacks url=NAME, or path=NAME and query=NAME"),
      ("check broken.har --fields time=t,path=p", "--fields: it lacks query=NAME"),
      ("check broken.har --redacted broken.har", "--redacted would replace the capture broken.har"),
      ("check broken.har --redacted x --report-junit x", "--redacted would replace the file of --report-junit"),
      ("check broken.har broken.har", "broken.har is named twice"),
      ("check - broken.har -", "- is named twice"),
      ("check broken.har --redacted -", "--redacted - needs --quiet: it goes to standard output"),
      ("check broken.har --fail-on fatal", "--fail-on must be one of error, warning, note, it is \"fatal\""),
    ])
  func usage(_ line: String, _ words: String) { #expect(world().run(line) == .usage(words, command: "check")) }
}
