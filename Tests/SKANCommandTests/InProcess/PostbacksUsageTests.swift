import SKANCommand
import Testing

@Suite("postbacks: wrong inputs")
struct PostbacksUsageTests {
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

  @Test("A variable that another call needs does no harm")
  func variables() {
    let world = World.measured()
    world.set { $0.variables["SKAN_DEVELOPER"] = "none" }
    #expect(world.run("postbacks --at +60d -q") == Consequences())
    world.set { $0.variables["SKAN_SEND"] = "http://localhost/" }
    #expect(world.run("postbacks --tier 1 --at +60d -q") == Consequences(), "the command line counts first")
    world.takePostbacks(200)
    #expect(world.run("postbacks --at +60d -q").code == .ok)
    #expect(world.posts.map(\.recipient) == ["network", "network"])
    world.set { $0.variables["SKAN_TIER"] = "1" }
    #expect(world.run("postbacks --at +60d -q --send http://localhost/").code == .ok)
    #expect(
      world.run("postbacks").err
        == "skan: SKAN_TIER shows what another tier would let through, SKAN_SEND delivers what the ad's own does: "
        + "not both at once\nTry 'skan postbacks --help'.\n")
    world.set { $0.variables["SKAN_SEND"] = "x" }
    world.set { $0.variables["SKAN_TIER"] = nil }
    #expect(world.run("postbacks") == .usage("SKAN_SEND: it must begin with http:// or https://", command: "postbacks"))
  }

  @Test("A key that is none", arguments: ["", "--send http://localhost/"])
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

  @Test("Nothing that signs: nothing is sent unsigned instead", arguments: ["", "--send http://localhost/"])
  func nothingThatSigns(options: String) {
    let world = World.measured()
    world["key.pem"] = SigningKey.privatePEM
    let run = world.run("postbacks --at +60d --sign key.pem \(options)")
    #expect(run.code == .unavailable && run.out.isEmpty)
    #expect(run.err.hasPrefix("skan: signatures need ") && world.posts == [] && run.changes == [])
  }

  @Test("No phone", arguments: ["", "--send http://localhost/"])
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
