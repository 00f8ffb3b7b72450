import Foundation
import SKANBase
import SKANHTTP
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("receiver-test on the command line")
struct ReceiverTestCommandTests {
  /// A receiver that answers everything with this status.
  private static func world(_ status: Int) -> World {
    let world = World()
    world.takePostbacks(status)
    world.set {
      $0.network = { url, _ in .success(HTTPExchange(HTTPResponse(status: status), url: url)) }
    }
    return world
  }

  @Test("Only the address that is named is asked; a server alone means Apple's path")
  func addresses() {
    let path = "/.well-known/skadnetwork/report-attribution"
    for (url, asked) in [
      ("https://a.example", ["https://a.example\(path)/", "https://a.example\(path)"]),
      ("https://a.example/", ["https://a.example\(path)/", "https://a.example\(path)"]),
      ("https://a.example\(path)?k=1", ["https://a.example\(path)/?k=1", "https://a.example\(path)?k=1"]),
      ("https://a.example\(path)/", ["https://a.example\(path)/", "https://a.example\(path)"]),
      ("https://a.example:8443/in?k=1", ["https://a.example:8443/in?k=1"]),
    ] {
      let world = Self.world(200)
      world.run("receiver-test --protocol skan \(url)")
      #expect(Set(world.posts.map(\.url)) == Set(asked), "\(url)")
      #expect(world.posts.allSatisfy { $0.recipient == "network" })
    }
  }

  @Test("Postbacks of AdAttributionKit go to Apple's path for them on the same server, or to the path that is named")
  func addressesOfAdAttributionKit() {
    let path = "/.well-known/appattribution/report-attribution"
    let other = "/.well-known/skadnetwork/report-attribution"
    for (url, asked) in [
      ("https://a.example", ["https://a.example\(path)/", "https://a.example\(path)"]),
      ("https://a.example\(other)/", ["https://a.example\(path)/", "https://a.example\(path)"]),
      ("https://a.example\(other)?k=1", ["https://a.example\(path)/?k=1", "https://a.example\(path)?k=1"]),
      ("https://a.example\(path)", ["https://a.example\(path)/", "https://a.example\(path)"]),
      ("https://a.example:8443/in?k=1", ["https://a.example:8443/in?k=1"]),
    ] {
      let world = Self.world(200)
      world.run("receiver-test \(url) --protocol aak")
      #expect(Set(world.posts.map(\.url)) == Set(asked), "\(url)")
    }
    let world = Self.world(200)
    let run = world.run("receiver-test https://a.example\(path)/")
    #expect(
      Set(world.posts.map(\.url))
        == Set([path, other].flatMap { ["https://a.example\($0)/", "https://a.example\($0)"] }))
    #expect(run.out.contains("\nok             aak-tier-3"))
    #expect(
      World().run("receiver-test https://a.example --protocol sk")
        == Consequences(
          .usage,
          err: "skan: --protocol must be one of skan, aak, it is \"sk\"\n"
            + "Try 'skan receiver-test --help'.\n"))
  }

  @Test("A receiver of SKAdNetwork alone: one cause")
  func withoutAdAttributionKit() {
    let world = Self.world(200)
    world.set {
      $0.post = { post in
        .success(HTTPExchange(HTTPResponse(status: post.url.contains("appattribution") ? 404 : 200), url: post.url))
      }
    }
    let run = world.run("receiver-test https://a.example")
    #expect(run.out.contains("\nwrong: postbacks of AdAttributionKit\n  deliveries: aak-tier-3, "), "\(run.out)")
    #expect(run.out.hasPrefix("ok             v4-tier-3"))
  }

  @Test("An address is asked as it is given; the other form of Apple's path is one delivery", arguments: ["", "/"])
  func asGiven(end: String) {
    let url = "https://a.example/.well-known/skadnetwork/report-attribution"
    let world = Self.world(200)
    let run = world.run("receiver-test --protocol skan \(url)\(end)")
    #expect(world.posts.count { $0.url == "\(url)\(end)" } == world.posts.count - 1)
    let id = end.isEmpty ? "with-slash" : "without-slash"
    #expect(run.out.contains("\nok             \(id)"), "\(run.out)")
    // Phones post to the path with the slash.
    world.set {
      $0.post = { post in
        .success(HTTPExchange(HTTPResponse(status: post.url == url + end ? 200 : 404), url: post.url))
      }
    }
    let result = end.isEmpty ? "wrong" : "advice"
    #expect(
      world.run("receiver-test --protocol skan \(url)\(end)").out.contains(
        "\n\(result.padded(to: 15, atLeast: 2))\(id)"))
  }

  @Test("A receiver that takes everything: what it should have refused is wrong, and over https some is not evaluated")
  func takesAll() throws {
    let world = Self.world(200)
    let run = world.run("receiver-test --protocol skan https://a.example")
    #expect(run.code == .expectationFailed)
    #expect(run.err == "skan: the postbacks are unsigned; sign them (--sign) for a receiver that checks signatures\n")
    let lines = run.out.split(separator: "\n")
    let wrong = lines.filter { $0.hasPrefix("wrong ") || $0.hasPrefix("advice ") }
    let names: [String] = wrong.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
    #expect(
      names == ["wrong truncated", "advice empty", "advice array", "advice text", "advice huge", "advice put"])
    #expect(lines.contains("ok             duplicate-signed-anew  200"))
    #expect(lines.contains("not-evaluated  slow                   over https such a request cannot be made here"))
    #expect(
      run.out.contains(
        "\nwrong: what is not a whole postback\n  deliveries: truncated, empty, array, text\n  answered 200, must be 400 to 499: "
          + "what is acknowledged does not come again, so a part of a postback must not be\nadvice: a body of 4 MiB\n  delivery: huge\n"
      ))
    #expect(lines.contains("64 deliveries: 53 ok, 1 wrong, 5 advice, 5 not evaluated"))
    #expect(lines.last == "no counts to compare: unsigned postbacks count nowhere, and --sign signs them")
  }

  @Test("Advice alone is no failure, but with --strict", arguments: ["", " --strict"])
  func advice(option: String) {
    let world = Self.world(200)
    world.set {
      $0.post = { post in
        let isWrong = post.body.contains("\"conversion-value\":null")
        let isPostback = post.body.contains("}") && post.body.utf8.count < 1000
        return .success(HTTPExchange(HTTPResponse(status: isWrong ? 422 : isPostback ? 200 : 400), url: post.url))
      }
    }
    let run = world.run("receiver-test --protocol skan https://a.example --report-junit j.xml\(option)")
    #expect(run.code == (option.isEmpty ? .ok : .expectationFailed))
    #expect(
      run.out.contains(
        "\nadvice: a postback with null for each field that is absent\n  delivery: nulls\n  answered 422, should be 200: "
      ))
    #expect(world["j.xml"]?.contains(option.isEmpty ? #"failures="0""# : #"failures="2""#) == true)
    #expect(world["j.xml"]?.contains("nulls: answered 422, should be 200: networks write null") == option.isEmpty)
  }

  @Test("A receiver that limits its requests is waited for as it asks, and not forever")
  func limits() {
    func run(_ fields: [HTTPField], refusals: Int, status: Int = 429, _ options: String = "") -> (
      Consequences, [String]
    ) {
      let world = World()
      let count = Mutex(0)
      world.set {
        $0.network = { url, _ in .success(HTTPExchange(HTTPResponse(status: 200), url: url)) }
        $0.post = { post in
          let isRefused = count.withLock { count in
            count += 1
            return count > 3 && count <= 3 + refusals
          }
          let answer = HTTPResponse(status: isRefused ? status : 200, headers: HTTPFields(isRefused ? fields : []))
          return .success(HTTPExchange(answer, url: post.url))
        }
      }
      let run = world.run("receiver-test --protocol skan https://a.example\(options)")
      return (run, world.takeLog().filter { $0.hasPrefix("sleep") })
    }
    let note = "skan: the receiver answers 429, so the test waits and sends again; --pace makes it slower\n"
    let (asked, waits) = run([HTTPField("Retry-After", "7")], refusals: 2)
    #expect(
      waits == ["sleep 7.0", "sleep 7.0"] && asked.err.hasSuffix(note)
        && asked.err.components(separatedBy: note).count == 2)
    #expect(asked.out.contains("\nok             v4-tier-0              200\n"))
    #expect(run([], refusals: 3).1 == ["sleep 1.0", "sleep 2.0", "sleep 4.0"])
    // 7 s after the clock of the world.
    let date = [HTTPField("Retry-After", "\(Self.date(after: 7))")]
    #expect(run(date, refusals: 1).1 == ["sleep 7.0"])
    #expect(run([HTTPField("Retry-After", "3")], refusals: 1, status: 503).1 == ["sleep 3.0"])
    #expect(run([], refusals: 1, status: 503).1 == [])
    let (hour, none) = run([HTTPField("Retry-After", "3600")], refusals: 1)
    let reason = "the receiver answers 429: it asks for a wait of 3600 s, and a test waits 60 s at most"
    #expect(none.isEmpty && hour.out.contains("\nnot-evaluated  v4-tier-0              \(reason)\n"), "\(hour.out)")
    let (ever, all) = run([HTTPField("Retry-After", "1")], refusals: 6)
    #expect(
      all.count == 5 && ever.out.contains("v4-tier-0              the receiver answers 429: also at the 6th attempt; "))
    #expect(run([], refusals: 0, " --pace 200ms").1 == Array(repeating: "sleep 0.2", count: 63))
  }

  @Test("Of requests that go together, only those that are refused go again")
  func limitedInPart() {
    let world = World()
    let counts = Mutex([Int]())
    world.set {
      $0.network = { url, _ in .success(HTTPExchange(HTTPResponse(status: 200), url: url)) }
      $0.post = { .success(HTTPExchange(HTTPResponse(status: 200), url: $0.url)) }
    }
    var environment = world.environment
    environment.sendRaw = { requests, _, _ in
      let isFirst = counts.withLock { counts in
        counts.append(requests.count)
        return counts.count(where: { $0 == 2 }) == 1
      }
      return requests.indices.map { index in
        .success(HTTPRawAnswer(status: isFirst && requests.count == 2 && index == 1 ? 429 : 200, seconds: 0.6))
      }
    }
    _ = CommandLineTool.run(["receiver-test", "--protocol", "skan", "http://a.example"], in: environment)
    #expect(world.takeLog().contains("sleep 1.0"))
    let all = counts.withLock { $0 }
    let together = all.firstIndex(of: 2).map { all[$0...].prefix(2) }
    #expect(together == [2, 1], "\(all)")
  }

  /// A date of HTTP by the world's clock.
  private static func date(after seconds: Double) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    let now = World().environment.now()
    return formatter.string(from: Date(timeIntervalSince1970: Double(now.wholeSeconds) + seconds))
  }

  @Test("The receiver's own counts: a file is read at the end, a URL is asked before and after")
  func actual() {
    let report = #"{"unverified":{"total":{"not_checked":1}}}"#
    let world = Self.world(200)
    world["a.json"] = report
    let file = world.run("receiver-test --protocol skan https://a.example --actual a.json")
    #expect(file.code == .expectationFailed && file.err.hasPrefix("skan: the postbacks are unsigned"))
    #expect(
      file.out.hasSuffix("\ncounts of a.json: 1 agree, 0 differ; sent: nothing that counts, since it is unsigned\n"))
    let missing = world.run("receiver-test --protocol skan https://a.example --actual b.json")
    #expect(
      missing.err.hasSuffix(
        "skan: b.json does not exist; it is read after the last delivery, and should hold the receiver's own counts\n"))
    for (text, message) in [
      ("{", "a.json:1:2: not JSON"),
      ("{}", "skan: a.json: it has no number of a report; its form is that of --expected"),
      (#"{"simulated":{"total":{"instals":1}}}"#, "skan: a.json: simulated.total.instals is no number of a report"),
      (#"{"simulated":{"installs":1}}"#, "skan: a.json: simulated.installs is no number of a report"),
      (#"{"simulated":{"total":{"installs":"1"}}}"#, "skan: a.json: simulated.total.installs is no number of a report"),
    ] {
      world["a.json"] = text
      let run = world.run("receiver-test --protocol skan https://a.example --actual a.json")
      #expect(run.err.contains("\n\(message)"), "\(run.err)")
    }
  }

  @Test("A URL of the receiver's counts that cannot be asked ends the test before the first delivery")
  func actualURL() {
    let world = Self.world(200)
    for (answer, message, code) in [
      (
        HTTPResponse(status: 404), "https://a.example/c: answered 404, where the receiver's own counts were asked for",
        ExitCode.badAnswer
      ),
      (HTTPResponse(status: 200, body: Array("<p>".utf8)), "https://a.example/c: answered no JSON: ", .badAnswer),
    ] {
      world.set { $0.network = { url, _ in .success(HTTPExchange(answer, url: url)) } }
      let run = world.run(
        "receiver-test --protocol skan https://a.example --actual https://a.example/c?k=secret")
      #expect(run.code == code && run.out.isEmpty && run.err.contains("skan: \(message)"), "\(run.err)")
      #expect(!run.err.contains("secret"))
    }
    world.set { $0.network = { _, _ in .failure(.connectionRefused(proxy: nil)) } }
    #expect(
      world.run("receiver-test --protocol skan https://a.example --actual https://a.example/c").code
        == .unavailable)
    #expect(world.posts.isEmpty)
    // One that does not change is compared as a whole, after some waits.
    let body = Array(#"{"simulated":null,"unverified":{"total":{"not_checked":999}}}"#.utf8)
    world.set { $0.network = { url, _ in .success(HTTPExchange(HTTPResponse(status: 200, body: body), url: url)) } }
    let run = world.run(
      "receiver-test --protocol skan https://a.example --actual https://a.example/c --report-junit j.xml")
    #expect(run.code == .expectationFailed)
    #expect(
      run.err.hasSuffix("skan: https://a.example/c says the same as before the test, and is compared as a whole\n"))
    #expect(world["j.xml"]?.contains(#"name="counts unverified.total.not_checked""#) == true)
    #expect(world.takeLog().filter { $0 == "sleep 1.0" }.count == 4)
  }

  @Test("Nothing is sent where nothing can be signed, and when the user stops it")
  func unsigned() {
    let world = World()
    world["key.pem"] = SigningKey.privatePEM
    let missing = world.run("receiver-test --protocol skan --sign key.pem https://a.example")
    #expect(missing.code == .unavailable && missing.err.hasPrefix("skan: signatures need OpenSSL 3, "), "\(missing)")
    world.set { $0.isInterrupted = true }
    let stopped = Consequences(.interrupted, err: "skan: interrupted\n")
    #expect(world.run("receiver-test --protocol skan --sign key.pem https://a.example") == stopped)
    let unsigned = world.run("receiver-test --protocol skan -q https://a.example")
    #expect(unsigned.code == .interrupted && unsigned.out.isEmpty, "\(unsigned)")
    #expect(world.posts.isEmpty)
  }

  @Test("JSON: an object a delivery, and the sum; quiet: the exit code alone")
  func forms() {
    let world = Self.world(200)
    let lines = world.run("receiver-test --protocol skan https://a.example --json").out.split(
      separator: "\n")
    let ends = [
      #"{"answer":"200","cause":"what is not a whole postback","deliveries":["truncated","empty","array","text"],"#,
      #"{"answer":"200","cause":"a body of 4 MiB","deliveries":["huge"],"level":"should","must_be":"400 to 499, or a "#,
      #"{"answer":"200","cause":"PUT instead of POST","deliveries":["put"],"level":"should","must_be":"400 to 499, or 501""#,
      #"{"advice":5,"deliveries":64,"not_evaluated":5,"ok":53,"wrong":1}"#,
      #"{"expected":{"conflicts":{"least":0,"most":0},"duplicates":{"least":0,"most":0},"forgeries":2,"installs":{"least":0"#,
    ]
    #expect(lines.count == 69)
    for (line, start) in zip(lines.suffix(5), ends) { #expect(line.hasPrefix(start)) }
    #expect(
      lines.first.map(String.init)
        == #"{"answer":"200","delivery":"v4-tier-3","level":"must","must_be":"200","open":null,"request":"version 4.0 of tier 3: "#
        + #"four digits, a fine value, a source app","result":"ok","why":"a phone sends it again for nine days until it is answered with 200, "#
        + #"and then it is lost"}"#)
    let quiet = world.run("receiver-test --protocol skan https://a.example -q")
    #expect(quiet.code == .expectationFailed && quiet.out.isEmpty)
    #expect(quiet.err == ExitCode.expectationFailed.line)
  }

  @Test("A path where nothing is: said in one line at the end")
  func notFound() {
    let run = Self.world(404).run("receiver-test --protocol skan https://a.example/nothing")
    #expect(run.code == .expectationFailed)
    #expect(
      run.err.hasSuffix(
        "skan: nothing takes postbacks at https://a.example/nothing: name the receiver's whole address\n"))
  }

  @Test("No receiver: 69, and nothing is written")
  func unreachable() {
    let world = World()
    world.takeNoPostbacks(.connectionRefused(proxy: nil))
    let run = world.run(
      "receiver-test --protocol skan https://a.example --expected e.json --report-junit j.xml")
    #expect(run.code == .unavailable && run.out.isEmpty)
    #expect(run.err.hasSuffix("skan: could not connect to a.example:443: connection refused\n"))
    #expect(world.posts.count == 1 && world["e.json"] == nil && world["j.xml"] == nil)
    world.takeNoPostbacks(.interrupted)
    #expect(world.run("receiver-test --protocol skan https://a.example").code == .interrupted)
  }

  @Test("A connection that is closed is right for what is too long, and for nothing else")
  func closed() {
    for failure in [TransportFailure.connectionReset, .other(code: -1, text: "Send failure: Broken pipe")] {
      let world = Self.world(200)
      world.set {
        $0.post = { post in
          let isRight = post.body.utf8.count < 1000 && post.body.contains("version")
          return isRight ? .success(HTTPExchange(HTTPResponse(status: 200), url: post.url)) : .failure(failure)
        }
      }
      let out = world.run("receiver-test --protocol skan https://a.example").out
      #expect(out.contains("ok             huge                   closed without an answer\n"), "\(out)")
      #expect(out.contains("advice         array "))
    }
  }

  @Test("What is expected leaves out what was not sent")
  func expected() {
    let world = Self.world(200)
    world.run(
      "receiver-test --protocol skan https://a.example --expected e.json --report-junit j.xml -q")
    // Those that are kept; parallel ones and the slow ones are not sent.
    #expect(world["e.json"]?.contains(#""received":51"#) == true, "\(world["e.json"]?.suffix(400) ?? "")")
    #expect(world["j.xml"]?.contains(#"tests="64" failures="1" errors="0" skipped="5""#) == true)
  }

  @Test(
    "What cannot be",
    arguments: [
      ("", "'skan receiver-test' needs URL", ExitCode.usage),
      ("https://a.example --kid own/0", "--kid belongs to --sign", .usage),
      ("ftp://a", "URL: its scheme must be http or https", .usage),
      ("a.example", "URL: it must begin with http:// or https://", .usage),
      ("https://a.example --sgin k.pem", "has no option --sgin; did you mean --sign?", .usage),
      ("https://a.example --sign none.pem", "none.pem does not exist; it should be a private key", .noInput),
      ("https://a.example --actual -", "--actual must be a file or an http(s) URL, it is \"-\"", .usage),
      ("https://a.example --actual e --expected e", "--expected would replace the file of --actual", .usage),
      ("https://a.example --pace 5", "--pace must be a duration with a unit", .usage),
      ("https://a.example --expected -", "--expected names a file; standard output has the table", .usage),
      (
        "https://a.example --model from=2026-05-01:m.json", "--model: from=DATE is for postbacks that were received",
        .usage
      ),
      ("https://a.example --model m.json", "m.json does not exist; it should hold a conversion model", .noInput),
    ])
  func mistakes(arguments: String, message: String, code: ExitCode) {
    let run = World().run("receiver-test \(arguments)")
    #expect(run.code == code && run.err.contains(message) && run.out.isEmpty, "\(run.err)")
  }
}
