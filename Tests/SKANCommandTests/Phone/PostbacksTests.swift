import SKANBase
import SKANCommand
import Testing

@testable import SKANCommandLine

@Suite("postbacks: what is shown")
struct PostbacksTests {
  @Test("States, times and bodies; neither lock nor write")
  func text() {
    let world = World.measured()
    let run = world.run("postbacks --at +3d1h")
    #expect(
      run
        == Consequences(
          out: """
            2026-01-04T01:00:00Z  Simulated postbacks: 2 open, 1 scheduled.

            P0  scheduled  P0 ended at 2026-01-03T00:00:00Z; the simulated postback leaves at 2026-01-04T17:09:26Z.
                prepared at 2026-01-03T00:00:00Z, leaves between 2026-01-04T00:00:00Z and 2026-01-05T00:00:00Z
                simulated, unsigned: \(body(of: 0, "\"conversion-value\":12,", "\"source-app-id\":1234567891,\"source-identifier\":\"5239\"", "52edafaf-74e6-4d8b-b44f-c447f6d49c36"))

            P1  open  P1 is open until 2026-01-08T00:00:00Z or a lock; as things stand the simulated postback leaves at 2026-01-09T11:46:33Z.
                prepared at 2026-01-08T00:00:00Z, leaves between 2026-01-09T00:00:00Z and 2026-01-14T00:00:00Z
                simulated, unsigned: \(body(of: 1, "\"coarse-conversion-value\":\"high\",", "\"source-identifier\":\"39\"", "e997af7e-1afa-4d08-8041-eb6e0b18b2d5"))

            P2  open  P2 opens at 2026-01-08T00:00:00Z; without an update call in it no simulated postback leaves.

            """))
    #expect(world.takeLog() == ["read skan-state.json"])
    #expect(world.run("postbacks --at +3d1h -q") == Consequences())
  }

  private func body(of index: Int, _ value: String, _ source: String, _ id: String) -> String {
    #"{"ad-network-id":"com.example","app-id":525463029,\#(value)"did-win":true,"fidelity-type":1,"#
      + #""postback-sequence-index":\#(index),"redownload":false,\#(source),"transaction-id":"\#(id)","version":"4.0"}"#
  }

  @Test("Side by side: what each tier lets through")
  func tiers() {
    #expect(
      World.measured().run("postbacks --at +60d --tier all")
        == Consequences(
          out: """
            2026-03-02T00:00:00Z  Simulated postbacks: 2 sent, 1 not sent.

            P0                       tier 0  tier 1  tier 2  tier 3
            state                    sent    sent    sent    sent
            source-identifier        39      39      239     5239
            conversion-value         -       -       12      12
            coarse-conversion-value  -       high    -       -
            source-app-id            -       -       -       1234567891

            P1                       tier 0    tier 1  tier 2  tier 3
            state                    not sent  sent    sent    sent
            source-identifier        -         39      39      39
            coarse-conversion-value  -         high    high    high

            P2     tier 0    tier 1    tier 2    tier 3
            state  not sent  not sent  not sent  not sent

            """))
    #expect(
      World.measured("--ad", #"{"version":"3.0"}"#).run("postbacks --at +60d --tier all").out.hasSuffix(
        """
        P0                tier 0  tier 1  tier 2  tier 3
        state             sent    sent    sent    sent
        campaign-id       42      42      42      42
        conversion-value  -       -       12      12
        source-app-id     -       -       -       1234567891

        """))
  }

  @Test("What it comes to is of the tier that is shown")
  func summary() {
    for (options, words) in [
      ("", "2 sent, 1 not sent"), ("--tier 1", "2 sent, 1 not sent"), ("--tier 0", "1 sent, 2 not sent"),
    ] {
      let world = World.measured()
      #expect(world.run("postbacks --at +60d \(options)").out.contains("  Simulated postbacks: \(words).\n"))
      let run = world.run("postbacks --at +60d -q \(options) --expect", "explanation=Simulated postbacks: \(words).")
      #expect(run == Consequences())
    }
  }

  @Test(
    "Nothing to send", arguments: ["", "--tier 2", "--tier all"])
  func organic(options: String) {
    let world = World()
    world.run("register --organic --at \(World.start)")
    #expect(
      world.run("postbacks \(options)")
        == Consequences(
          out: "2026-01-01T00:00:00Z  The install is not attributed to an ad: no postback leaves this phone.\n"))
  }

  @Test("As JSON: the result with its postbacks, the attempts, and the tiers when they are asked for")
  func json() throws {
    let world = World.measured()
    world.takePostbacks(500)
    world.run("postbacks --at +4d --send http://localhost/ --developer none")
    for (options, hasTiers) in [("", false), ("--tier 1", false), ("--tier all", true)] {
      let json = try JSONReader.read(Array(world.run("postbacks --json \(options)").out.utf8)).value
      guard case .array(let postbacks)? = json["postbacks"] else {
        Issue.record("no postbacks")
        continue
      }
      #expect(postbacks.count == 3 && json["op"] == .string("postbacks") && json["outcome"] == .string("read"))
      let coarse = postbacks[0]["body"]?["coarse-conversion-value"]
      #expect(coarse == (options == "--tier 1" ? .string("high") : nil))
      #expect((json["tiers"] != nil) == hasTiers)
      if case .array(let tiers)? = json["tiers"] { #expect(tiers.map { $0["tier"] } == (0...3).map { .integer($0) }) }
      #expect(
        json["deliveries"].map { JSONWriter.text($0) }
          == #"[{"at":1767546566,"recipient":"network","sequence_index":0,"status":500,"transaction_id":"52edafaf-74e6-4d8b-b44f-c447f6d49c36","url":"http://localhost/.well-known/skadnetwork/report-attribution/"}]"#
      )
    }
  }

  @Test(
    "Expectations are about what is shown",
    arguments: [
      ("--expect postbacks.0.state=sent", 0), ("--expect postbacks.0.state=open", 1),
      ("--expect postbacks.0.body.coarse-conversion-value=null", 0),
      ("--tier 1 --expect postbacks.0.body.coarse-conversion-value=high", 0),
      ("--tier 1 --expect postbacks.0.body.conversion-value=12", 1),
      ("--tier all --expect tiers.1.postbacks.0.body.source-identifier=39", 0),
      ("--tier all --expect tiers.0.postbacks.1.state=not-sent", 0), ("--expect deliveries=[]", 0),
      ("--expect deliveries.0.status=200", 1), ("--expect postbacks.2.why=null", 1),
    ])
  func expectations(options: String, code: Int32) {
    for more in ["", "--json", "-q"] {
      let run = World.measured().run("postbacks --at +60d \(more) \(options)")
      #expect(run.code.rawValue == code)
      #expect(run.err.hasPrefix("expectation failed: ") == (code == 1))
      #expect(run.out.contains("\"ok\":\(code == 0)") == (more == "--json"))
    }
  }

  @Test("Of a delivery, when it was made just now")
  func deliveryExpected() {
    let world = World.measured()
    world.takePostbacks(200)
    let run = world.run("postbacks --at +60d --send http://localhost/ -q --expect deliveries.3.status=200")
    #expect(run.code == .ok)
    // An expectation that fails says more than an attempt that did.
    world.takePostbacks(500)
    #expect(
      World.measured().run("session --expect deliveries.0.status=200").err
        .hasPrefix("skan: --expect \"deliveries.0.status=200\": a result has no key \"deliveries\""))
  }

  @Test(
    "Options",
    arguments: [
      ("--tier 4", #"--tier must be 0, 1, 2, 3 or all, it is "4""#),
      ("--tier ALL", #"--tier must be 0, 1, 2, 3 or all, it is "ALL""#),
      ("--tier 1 --tier 2", "--tier is given twice"),
      ("--send nowhere", "--send: it must begin with http:// or https://"),
      ("--send ftp://example.com/", "--send: its scheme must be http or https, not 'ftp'"),
      ("--send http://u:p@example.com/", "--send: it must not hold a user name or password"),
      ("--send http://example.com/#x", "--send: it must have no fragment (nothing from '#' on)"),
      ("--send http://localhost/ --developer x", "--developer: it must begin with http:// or https://"),
      ("--developer none", "--developer goes with --send"),
      (
        "--tier 1 --send http://localhost/",
        "--tier shows what another tier would let through, --send delivers what the ad's own does: not both at once"
      ),
      (
        "--expect postback.0.state=sent",
        #"--expect "postback.0.state=sent": a result has no key "postback"; did you mean "postbacks"?"#
      ),
      ("--model x", "'skan postbacks' has no option --model"), ("now", #"one argument too many: "now""#),
      ("--at +60d --after 1d", "two times are given: --at and --after"),
      (
        "--max-time 5",
        #"--max-time must be a duration with a unit of ms, s, m, h or d, such as 500ms or 2d3h, it is "5""#
      ),
    ])
  func options(options: String, words: String) {
    let world = World.measured()
    if options.contains("--max-time") { world.takePostbacks(200) }
    let send = options.contains("--max-time") ? " --send http://localhost/" : ""
    #expect(world.run("postbacks \(options)\(send)") == .usage(words, command: "postbacks"))
    #expect(world.takeLog().filter { $0.hasPrefix("post") || $0.hasPrefix("replace") } == [])
  }

  @Test("A value of the project file that another call needs does no harm")
  func project() {
    let world = World.measured()
    world.set { $0.projectFolders = ["p/"] }
    func set(_ members: String) { world["p/skan.json"] = "{\"commands\":{\"postbacks\":{\(members)}}}" }
    set(#""developer":"none""#)
    #expect(world.run("postbacks --at +60d -q") == Consequences())
    set(#""developer":"none","send":"http://localhost/""#)
    #expect(world.run("postbacks --tier 1 --at +60d -q") == Consequences(), "the command line counts first")
    world.takePostbacks(200)
    #expect(world.run("postbacks --at +60d -q").code == .ok)
    #expect(world.posts.map(\.recipient) == ["network", "network"])
    set(#""developer":"none","send":"http://localhost/","tier":"1""#)
    #expect(world.run("postbacks --at +60d -q --send http://localhost/").code == .ok)
    #expect(
      world.run("postbacks").err
        == "skan: tier of p/skan.json shows what another tier would let through, send of p/skan.json delivers what the "
        + "ad's own does: not both at once\nTry 'skan postbacks --help'.\n")
    set(#""send":"x""#)
    let run = world.run("postbacks")
    #expect(run.code == .badData && run.err.contains("send: it must begin with http:// or https://"), "\(run)")
  }

  @Test("A key that is none", arguments: ["", "--send http://localhost/p"])
  func keys(options: String) {
    let world = World.measured()
    let none = world.run("postbacks --sign none.pem \(options)")
    #expect(none.code == .noInput)
    #expect(none.err.hasPrefix("skan: none.pem does not exist; it should be a private key; this makes one: openssl "))
    world["key.pem"] = "-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----\n"
    let wrong = world.run("postbacks --sign key.pem \(options)")
    #expect(wrong.code == .badData && wrong.err.hasPrefix("skan: key.pem: "))
    #expect(world.posts == [])
  }

  @Test("Nothing that signs: nothing is sent unsigned instead", arguments: ["", "--send http://localhost/p"])
  func nothingThatSigns(options: String) {
    let world = World.measured()
    world["key.pem"] = SigningKey.privatePEM
    let run = world.run("postbacks --at +60d --sign key.pem \(options)")
    #expect(run.code == .unavailable && run.out.isEmpty)
    #expect(run.err.hasPrefix("skan: signatures need ") && world.posts == [] && run.changes == [])
  }

  @Test("No phone", arguments: ["", "--send http://localhost/p"])
  func noPhone(options: String) {
    let world = World()
    let run = world.run("postbacks \(options)")
    #expect(
      run
        == Consequences(
          .noInput,
          err: "skan: skan-state.json does not exist; run 'skan register' (or 'skan install') first, or name another "
            + "file with --state\n"))
    #expect([[], ["read skan-state.json"]].contains(world.takeLog()), "no lock is left behind")
  }
}
