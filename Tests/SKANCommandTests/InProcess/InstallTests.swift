import Testing

@Suite("install and register")
struct InstallTests {
  private let fresh = "set                A fresh install: skan4 on iOS 17.4, com.example.app 1.0.\n"

  @Test("A fresh install calls nothing")
  func install() {
    let world = World()
    #expect(world.run("install") == Consequences(out: fresh, changes: ["skan-state.json created"]))
    #expect(
      world.takeLog() == [
        "read skan-state.json", "lock skan-state.json 30.0", "read skan-state.json", "replace skan-state.json",
        "unlock skan-state.json",
      ])
    #expect(
      world.run("session")
        == Consequences(
          out: "not-registered     No first call is on record, which the snippet takes for \"all windows over\": it "
            + "returns without a request and without calling the handler.\n"
            + "  finding: Dropped without a word: call register before the first session or event. "
            + "[dropped-unregistered]\n",
          err: "Try 'skan explain dropped-unregistered'.\n",
          changes: ["time.first: null → 1780315200", "time.end: null → 1780315200"]))
  }

  @Test(
    "The whole profile",
    arguments: ["install", "register"])
  func profile(command: String) {
    let world = World()
    let options = "--snippet skan4-beta --ios 16.1.2 --bundle-id com.a.B --app-version 2.0b --idfa D --organic --idfv E"
    let result = world.run("\(command) \(options)")
    #expect(
      result.changes.filter { $0.hasPrefix("profile") } == [
        "profile.snippet: \"skan4\" → \"skan4-beta\"", "profile.ios: \"17.4\" → \"16.1.2\"",
        "profile.bundle_id: \"com.example.app\" → \"com.a.B\"", "profile.app_version: \"1.0\" → \"2.0b\"",
        "profile.idfv: \"92DEA3FE-594B-8C7E-92DB-3DFE5948A955\" → \"E\"", "profile.idfa: null → \"D\"",
        "profile.ad: + false", "profile.ad.version: - \"4.0\"", "profile.ad.network: - \"com.example\"",
        "profile.ad.app_id: - 525463029", "profile.ad.source_identifier: - \"5239\"",
        "profile.ad.source_app_id: - 1234567891", "profile.ad.fidelity: - 1", "profile.ad.won: - true",
        "profile.ad.redownload: - false", "profile.ad.tier: - 3",
      ])
    #expect(result.code == .ok)
  }

  @Test("none is no identifier, and an empty idfa is none", arguments: ["--idfa none", "--idfa="])
  func noIdentifiers(idfa: String) {
    let changes = World().run("install --idfv none \(idfa)").changes
    #expect(changes.dropFirst() == ["profile.idfv: \"92DEA3FE-594B-8C7E-92DB-3DFE5948A955\" → null"])
  }

  @Test("A random identifier is a new UUID in each install; a phone that is installed keeps its own")
  func randomIdentifier() throws {
    func idfv(_ line: String, in world: World = World()) throws -> Substring {
      #expect(world.run(line).code == .ok)
      let text = try #require(world[Changes.state])
      let uuid = /"idfv": "([0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12})"/
      return try #require(text.firstMatch(of: uuid)).output.1
    }
    let lines = ["install --idfv random", "install --idfv random", "register --idfv random", "register --idfv random"]
    #expect(Set(try lines.map { try idfv($0) }).count == 4)
    let world = World()
    let first = try idfv("register --idfv random", in: world)
    #expect(try idfv("register --idfv random", in: world) == first)
    #expect(world.run("register --idfv other").code == .usage)
    for text in ["Random", "radnom"] {
      let words = "--idfv: \"\(text)\" is no identifier; did you mean random?"
      #expect(World().run("install --idfv \(text)") == .usage(words, command: "install"))
    }
    world.set { $0.variables["SKAN_IDFV"] = "random" }
    #expect(world.run("register").err == "")
  }

  @Test("An existing phone is not lost without --force")
  func exists() {
    let world = World.registered()
    let refused = Consequences(
      .cannotWrite,
      err: "skan: skan-state.json is a phone already; --force installs the app anew and loses what it keeps\n")
    #expect(world.run("install") == refused)
    #expect(world.takeLog() == ["read skan-state.json"])
    world["skan-state.json"] = "broken"
    #expect(world.run("install --ios 16.0") == refused)
    #expect(world.run("install --force") == Consequences(out: fresh, changes: [world.asInstalled]))
  }

  @Test("A dump of a real phone as the start")
  func details() {
    let world = World()
    world["dump.json"] = """
      {"skan_current_conversion_value":"12","p0_coarse":1,"p1_coarse":null,"p0_total_iap_revenue":{"USD":9.5},
       "skan_first_call_to_skadnetwork_timestamp":"1767225600"}
      """
    let result = world.run("install --details dump.json")
    #expect(
      result
        == Consequences(
          out: fresh,
          changes: [
            "skan-state.json created", "kept.skan_current_conversion_value: + 12", "kept.p0_coarse: + 1",
            "kept.p0_total_iap_revenue.USD: + 9.5",
            "kept.skan_first_call_to_skadnetwork_timestamp: + 1767225600",
          ]))
    #expect(
      world.run("install --force --details none.json")
        == Consequences(
          .noInput, err: "skan: none.json does not exist; it should be a getSkanDetails dump (--details)\n"))
    world["dump.json"] = "{\n \"p0_coarse\": \"low\"}"
    #expect(
      world.run("install --force --details dump.json")
        == Consequences(
          .badData,
          err: """
            dump.json:2:15: "p0_coarse" must be a number or its decimal text, this is "low"
               "p0_coarse": "low"}
                            ^^^^^

            """))
  }

  @Test("register installs a phone that is not there")
  func register() {
    #expect(
      World().run("register --at 2026-01-01T00:00:00Z")
        == Consequences(
          out: Line.registered,
          changes: [
            "skan-state.json created", "kept.skan_current_conversion_value: + 0",
            "kept.skan_last_call_to_skadnetwork_timestamp: + 1767225600",
            "kept.skan_first_call_to_skadnetwork_timestamp: + 1767225600", "time.virtual: false → true",
            "time.first: null → 1767225600", "time.first_given: false → true", "time.end: null → 1767225600",
            #"framework_calls.0: + {"at":1767225600,"call":"updatePostbackConversionValue","error":null,"fine":0}"#,
          ]))
  }

  private static let already =
    "already-registered A first call is on record since 2026-01-01T00:00:00Z, so register does nothing and the "
    + "windows go on counting from then.\n"

  @Test(
    "An existing phone keeps its profile: the message says how to get another one",
    arguments: [
      ("--snippet skan3", "skan4, not skan3; 'skan update --snippet skan3' changes it; "),
      ("--ios 17.0", "16.0, not 17.0; 'skan update --ios 17.0' changes it; "),
      ("--bundle-id x", "com.example.app, not x; "),
      ("--app-version 2", "1.0, not 2; 'skan update --app-version 2' changes it; "),
      ("--idfv none", "92DEA3FE-594B-8C7E-92DB-3DFE5948A955, not none; "), ("--idfa none", "A, not none; "),
      ("--organic", "false, not true; "),
    ])
  func keepsProfile(options: String, words: String) {
    let world = World.registered("--ios 16.0 --idfa A")
    let option = options.split(separator: " ")[0]
    #expect(
      world.run("register \(options) -q")
        == .usage(
          "\(option): this phone is installed already with \(words)'skan install --force' installs anew and loses what "
            + "the phone keeps", command: "register"))
  }

  @Test("Equal values are fine, and other ones of variables are reported")
  func sameProfile() {
    let world = World.registered("--ios 16.0 --idfa A")
    #expect(world.run("register --ios 16.0 --idfa A") == Consequences(out: Self.already))
    world.set { $0.variables = ["SKAN_IOS": "17.0", "SKAN_ORGANIC": "1"] }
    let keeps = { (name: String, what: String) in
      "skan: \(name): this phone is installed already and keeps \(what) ('skan update' changes iOS, app version and "
        + "snippet; 'skan install --force' installs anew)\n"
    }
    #expect(
      world.run("register")
        == Consequences(
          out: Self.already,
          err: keeps("SKAN_IOS", "ios 16.0, not 17.0") + keeps("SKAN_ORGANIC", "organic false, not true")))
    #expect(world.run("register -q") == Consequences())
  }

  @Test("An error of the framework is not seen, but recorded")
  func frameworkError() {
    let world = World()
    let result = world.run("register --framework-error 10 --at 2026-01-01T00:00:00Z")
    #expect(
      result.out == Line.registered
        + "  finding: The app keeps values that Apple refused with error 10: the two differ from here on. "
        + "[framework-error-kept]\n")
    #expect(
      result.changes.last
        == #"framework_calls.0: + {"at":1767225600,"call":"updatePostbackConversionValue","error":10,"fine":0}"#)
  }
}

extension World {
  /// What ``Changes`` says of a file that was no JSON and is now a default install.
  fileprivate var asInstalled: String {
    let other = World()
    other.run("install")
    let before = ["skan-state.json": Array("broken".utf8)]
    let after = ["skan-state.json": Array((other["skan-state.json"] ?? "").utf8)]
    return Changes.between(before, after).joined()
  }
}
