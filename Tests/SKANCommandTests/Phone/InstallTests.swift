import SKANCommand
import Testing

@testable import SKANCommandLine

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
          out: "not-registered     No first call is on record, which the snippet treats as \"all windows over\": it "
            + "returns without a request and without calling the handler.\n"
            + "  finding: Dropped silently: call register before the first session or event. "
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
      let words = "--idfv: \"\(text)\" is not an identifier; did you mean random?"
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
    world["skan-state.json"] = "{\n  \"format\": 3,\n  \"prof"
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

  /// Options, and the `profile` lines that they change.
  static let good: [([String], [String])] = [
    (["--build", "development"], [#"profile.build: "appstore" → "development""#]), (["--build", "appstore"], []),
    (
      ["--clock", "developer", "--ios", "18.0"],
      [
        #"profile.ios: "17.4" → "18.0""#, "profile.ad.source_app_id: 1234567891 → 0",
        #"profile.clock: "production" → "developer""#,
      ]
    ), (["--clock", "production"], []),
    (["--seed", "7"], ["profile.seed: 0 → 7"]), (["--seed", "-7"], ["profile.seed: 0 → -7"]),
    (["--seed", "9223372036854775807"], ["profile.seed: 0 → 9223372036854775807"]),
    (["--setting", "carry-over=yes"], [#"profile.settings.carry-over: + "yes""#]),
    (["--setting", "carry-over=no"], []),
    (["--setting", "tier2-digits=2"], [#"profile.settings.tier2-digits: + "2""#]),
    (
      ["--setting", "after-lock=error_10", "--setting", "carry-over=yes"],
      [#"profile.settings.carry-over: + "yes""#, #"profile.settings.after-lock: + "error_10""#]
    ),
    (["--ad", "{}"], []),
    (["--ad", #"{"tier":1,"won":false}"#], ["profile.ad.won: true → false", "profile.ad.tier: 3 → 1"]),
    (
      ["--ad", #"{"version":"2.2","source_domain":"example.com"}"#],
      [
        #"profile.ad.version: "4.0" → "2.2""#, "profile.ad.campaign: + 42",
        #"profile.ad.source_domain: + "example.com""#,
        #"profile.ad.source_identifier: - "5239""#, "profile.ad.source_app_id: - 1234567891",
      ]
    ),
    (["--ad", "@ad.json"], ["profile.ad.tier: 3 → 2"]), (["--ad", "@-"], ["profile.ad.tier: 3 → 1"]),
  ]

  @Test("Good ones are kept in the file", arguments: good)
  func kept(options: [String], changes: [String]) {
    for command in ["install", "register"] {
      let world = World()
      world["ad.json"] = #"{"tier":2}"#
      world.set { $0.input = #"{"tier":1}"# }
      let run = world.run(command, arguments: options)
      #expect(run.code == .ok && run.err.isEmpty != run.out.contains("finding: "))
      #expect(run.changes.filter { $0.hasPrefix("profile") } == changes)
    }
  }

  private static let advice = #"; as in {"version":"3.0","campaign":42}, or --organic for none"#

  static let bad: [([String], String)] = [
    (["--build", "prod"], #"--build must be one of appstore, development, it is "prod""#),
    (
      ["--build", "develop"],
      #"--build must be one of appstore, development, it is "develop"; did you mean development?"#
    ),
    (
      ["--clock", "Developer"],
      #"--clock must be one of production, developer, it is "Developer"; did you mean developer?"#
    ),
    (["--seed", "x"], #"--seed must be a whole number, it is "x""#),
    (["--seed", "1.5"], #"--seed must be a whole number, it is "1.5""#),
    (["--seed", "9223372036854775808"], #"--seed must be a whole number, it is "9223372036854775808""#),
    (["--setting", "carry-over"], #"--setting must be NAME=VALUE, it is "carry-over""#),
    (["--setting", "carryover=yes"], #"--setting: there is no setting "carryover"; did you mean "carry-over"?"#),
    (["--setting", "carry-over="], #"--setting: "carry-over" must be one of "no", "yes", this is """#),
    (
      ["--setting", "carry-over=Yes"],
      #"--setting: "carry-over" must be one of "no", "yes", this is "Yes"; did you mean "yes"?"#
    ),
    (["--setting"], "--setting needs a value: --setting NAME=VALUE"),
    (["--ad", "5"], "--ad: an ad must be an object, this is a number\(advice)"),
    (["--ad", "false"], "--ad: an ad must be an object, this is a boolean\(advice)"),
    (["--ad", "{"], "--ad: not JSON: the text ends too early\(advice)"),
    (["--ad", #"{"verion":"3.0"}"#], #"--ad: an ad has no key "verion"; did you mean "version"?\#(advice)"#),
    (
      ["--ad", #"{"version":"5"}"#],
      #"--ad: "version" must be one of "4.0", "3.0", "2.2", "2.1", "2.0", this is "5"\#(advice)"#
    ),
    (
      ["--ad", #"{"campaign":1}"#],
      #"--ad: "campaign" is for versions up to 3; version 4.0 has "source_identifier" (1)\#(advice)"#
    ),
    (
      ["--ad", #"{"tier":4,"won":1}"#],
      #"--ad: "tier" must be a whole number from 0 to 3, this is 4; "won" must be true or false, this is 1\#(advice)"#
    ),
    (
      ["--ad", #"{"framework":"adattributionkit","tier":4}"#],
      #"--ad: "tier" must be a whole number from 0 to 3, this is 4; as in {"framework":"adattributionkit","tier":1}, or --organic for none"#
    ),
    (["--ad", "@"], "--ad @ needs a file: @FILE, or @- for stdin"),
    (["--ad", "{}", "--organic"], "--organic and --ad exclude each other"),
  ]

  @Test("Bad ones are refused in words, and nothing is made", arguments: bad)
  func refused(options: [String], words: String) {
    for command in ["install", "register"] {
      let world = World()
      #expect(world.run(command, arguments: options) == .usage(words, command: command))
      #expect(world.takeLog() == [])
    }
  }

  @Test("An ad in a file: the place of what is wrong")
  func adFile() {
    let world = World()
    world["ad.json"] = "{\n  \"tier\": 9,\n  \"fidelity\": true\n}\n"
    #expect(
      world.run("install --ad @ad.json")
        == Consequences(
          .badData,
          err: """
            ad.json:2:11: "tier" must be a whole number from 0 to 3, this is 9
                "tier": 9,
                        ^
            ad.json:3:15: "fidelity" must be a whole number from 0 to 1, this is true
                "fidelity": true
                            ^^^^

            """))
    #expect(
      world.run("install --ad @none.json")
        == Consequences(.noInput, err: "skan: none.json does not exist; it should hold an ad (--ad @FILE)\n"))
  }

  @Test(
    "Developer Mode on an iOS that has none: refused with the reason; in a list too", arguments: ["17.4", "17.7.2"])
  func developerMode(ios: String) {
    let reason = "Developer Mode with its short windows needs iOS 18.0, and this phone has iOS \(ios)"
    for command in ["install", "register"] {
      let world = World()
      #expect(
        world.run("\(command) --clock developer --ios \(ios)")
          == .usage("--clock: \(reason); add --ios 18.0", command: command))
    }
    let world = World()
    world["list.jsonl"] = #"{"op":"device","clock":"developer","ios":"\#(ios)"}"#
    let run = world.run("replay list.jsonl")
    #expect(run.code == .badData && run.err.contains("\(reason); set \"ios\": \"18.0\""), "\(run)")
  }

  @Test("Another ad is refused, the same one is fine")
  func existingAd() {
    let world = World.registered("--ios 18.0 --clock developer --setting carry-over=yes")
    #expect(world.run("register --ad {\"tier\":1}").code == .usage)
    #expect(
      world.run("register --clock developer --setting carry-over=yes --seed 0 --ad {\"source_app_id\":0}").err == "")
    #expect(world.run("register --ad {}").code == .usage, "an ad that names no source app is one of production")
  }

  @Test("Variables of the environment; the command line counts before them")
  func variables() {
    let world = World()
    world.set { $0.variables = ["SKAN_ORGANIC": "1", "SKAN_SEED": "5", "SKAN_SETTING": "carry-over=yes"] }
    let run = world.run("install --ad {\"tier\":1} --seed 6")
    #expect(run.code == .ok)
    #expect(
      run.changes.filter { $0.hasPrefix("profile") } == [
        "profile.ad.tier: 3 → 1", "profile.seed: 0 → 6", #"profile.settings.carry-over: + "yes""#,
      ])
    world.set { $0.variables = ["SKAN_BUILD": "x"] }
    #expect(
      world.run("install --force")
        == .usage("SKAN_BUILD must be one of appstore, development, it is \"x\"", command: "install"))
    world.set { $0.variables = ["SKAN_ORGANIC": "1", "SKAN_AD": "{}"] }
    #expect(
      world.run("install --force") == .usage("SKAN_ORGANIC and SKAN_AD exclude each other", command: "install"))
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
