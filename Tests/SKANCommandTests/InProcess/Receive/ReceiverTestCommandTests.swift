import SKANCommand
import SKANHTTP
import Testing

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
      ("https://a.example:8443/in?k=1", ["https://a.example:8443/in?k=1"]),
    ] {
      let world = Self.world(200)
      world.run("receiver-test \(url)")
      #expect(Set(world.posts.map(\.url)) == Set(asked), "\(url)")
      #expect(world.posts.allSatisfy { $0.recipient == "network" })
    }
  }

  @Test("A receiver that takes everything: what it should have refused is wrong, and over https some is not evaluated")
  func takesAll() throws {
    let world = Self.world(200)
    let run = world.run("receiver-test https://a.example")
    #expect(run.code == .expectationFailed)
    #expect(run.err == "skan: the postbacks are unsigned; sign them (--sign) for a receiver that checks signatures\n")
    let lines = run.out.split(separator: "\n")
    let wrong = lines.filter { $0.hasPrefix("wrong ") }.compactMap { $0.split(separator: " ").dropFirst().first }
    #expect(wrong == ["truncated", "empty", "array", "text", "huge", "put"])
    #expect(lines.contains("ok             duplicate-signed-anew  200"))
    #expect(lines.contains("not-evaluated  slow                   over https such a request cannot be made here"))
    #expect(
      run.out.contains(
        "wrong          truncated              200\n  sent: the first half of a postback\n  must be 400 to 499: what is "
          + "acknowledged does not come again, so a part of a postback must not be\n"))
    #expect(lines.last == "48 deliveries: 38 ok, 6 wrong, 4 not evaluated")
  }

  @Test("Nothing is sent where nothing can be signed, and when the user stops it")
  func unsigned() {
    let world = World()
    world["key.pem"] = SigningKey.privatePEM
    let missing = world.run("receiver-test --sign key.pem https://a.example")
    #expect(missing.code == .unavailable && missing.err.hasPrefix("skan: signatures need OpenSSL 3, "), "\(missing)")
    world.set { $0.isInterrupted = true }
    let stopped = Consequences(.interrupted, err: "skan: interrupted\n")
    #expect(world.run("receiver-test --sign key.pem https://a.example") == stopped)
    let unsigned = world.run("receiver-test -q https://a.example")
    #expect(unsigned.code == .interrupted && unsigned.out.isEmpty, "\(unsigned)")
    #expect(world.posts.isEmpty)
  }

  @Test("JSON: an object a delivery, and the sum; quiet: the exit code alone")
  func forms() {
    let world = Self.world(200)
    let lines = world.run("receiver-test https://a.example --json").out.split(separator: "\n")
    #expect(lines.count == 49 && lines.last == #"{"deliveries":48,"not_evaluated":4,"ok":38,"wrong":6}"#)
    #expect(
      lines.first.map(String.init)
        == #"{"answer":"200","delivery":"v4-tier-3","must_be":"200","request":"version 4.0 of tier 3: four digits, a fine "#
        + #"value, a source app","result":"ok","why":"a phone sends it again for nine days until it is answered with 200, "#
        + #"and then it is lost"}"#)
    let quiet = world.run("receiver-test https://a.example -q")
    #expect(quiet.code == .expectationFailed && quiet.out.isEmpty && quiet.err.isEmpty)
  }

  @Test("A path where nothing is: said in one line at the end")
  func notFound() {
    let run = Self.world(404).run("receiver-test https://a.example/nothing")
    #expect(run.code == .expectationFailed)
    #expect(
      run.err.hasSuffix(
        "skan: nothing takes postbacks at https://a.example/nothing: name the receiver's whole address\n"))
  }

  @Test("No receiver: 69, and nothing is written")
  func unreachable() {
    let world = World()
    world.takeNoPostbacks(.connectionRefused(proxy: nil))
    let run = world.run("receiver-test https://a.example --expected e.json --report-junit j.xml")
    #expect(run.code == .unavailable && run.out.isEmpty)
    #expect(run.err.hasSuffix("skan: could not connect to a.example:443: connection refused\n"))
    #expect(world.posts.count == 1 && world["e.json"] == nil && world["j.xml"] == nil)
    world.takeNoPostbacks(.interrupted)
    #expect(world.run("receiver-test https://a.example").code == .interrupted)
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
      let out = world.run("receiver-test https://a.example").out
      #expect(out.contains("ok             huge                   closed without an answer\n"), "\(out)")
      #expect(out.contains("wrong          array "))
    }
  }

  @Test("What is expected leaves out what was not sent")
  func expected() {
    let world = Self.world(200)
    world.run("receiver-test https://a.example --expected e.json --report-junit j.xml -q")
    // Those that are kept; parallel ones and the slow ones are not sent.
    #expect(world["e.json"]?.contains(#""received":37"#) == true, "\(world["e.json"]?.suffix(200) ?? "")")
    #expect(world["j.xml"]?.contains(#"failures="6" errors="0" skipped="4""#) == true)
  }

  @Test(
    "What cannot be",
    arguments: [
      ("", "'skan receiver-test' needs URL", ExitCode.usage),
      ("ftp://a", "URL: its scheme must be http or https", .usage),
      ("a.example", "URL: it must begin with http:// or https://", .usage),
      ("https://a.example --sgin k.pem", "has no option --sgin; did you mean --sign?", .usage),
      ("https://a.example --sign none.pem", "none.pem does not exist; it should be a private key", .noInput),
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
