import SKANCommand
import Testing

@Suite("install and register: what Apple's framework needs to know")
struct InstallTraitTests {
  /// Options, and the `profile` lines that they change.
  static let good: [([String], [String])] = [
    (["--build", "development"], [#"profile.build: "appstore" → "development""#]), (["--build", "appstore"], []),
    (
      ["--clock", "developer", "--ios", "18.0"],
      [#"profile.ios: "17.4" → "18.0""#, #"profile.clock: "production" → "developer""#]
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
    let reason = "Developer Mode with its short windows came with iOS 18.0, and this phone has iOS \(ios)"
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

  @Test(
    "A phone that exists keeps what it has, and refuses another wish",
    arguments: [
      ("--build development", "appstore, not development"), ("--clock production", "developer, not production"),
      ("--seed 4", "0, not 4"), ("--setting carry-over=no", "carry-over=yes, not none"),
      ("--organic", "false, not true"),
    ])
  func existing(options: String, words: String) {
    let world = World.registered("--ios 18.0 --clock developer --setting carry-over=yes")
    let option = options.split(separator: " ")[0]
    #expect(
      world.run("register \(options)")
        == .usage(
          "\(option): this phone is installed already with \(words); 'skan install --force' installs anew and loses what "
            + "the phone keeps", command: "register"))
  }

  @Test("Another ad is refused, the same one is fine")
  func existingAd() {
    let world = World.registered("--ios 18.0 --clock developer --setting carry-over=yes")
    #expect(world.run("register --ad {\"tier\":1}").code == .usage)
    #expect(world.run("register --clock developer --setting carry-over=yes --seed 0 --ad {}").err == "")
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
