import Foundation
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("init")
struct InitCommandTests {
  private static let lines: [String] = [nil, "github", "gitlab", "jenkins", "shell"].flatMap { pipeline in
    ["", "--vertical game", "--vertical subscription", "--vertical commerce", "--events a", "--events one,Two-2,x.y:z"]
      .map { "init \(pipeline.map { "--ci \($0) " } ?? "")\($0)" }
  }

  private func world() -> World {
    let world = World()
    world.set { $0.projectFolders = [""] }
    return world
  }

  @Test("What every combination writes passes as written, without a warning", arguments: lines)
  func passes(line: String) {
    let world = world()
    let result = world.run(line)
    #expect(result.code == .ok && result.err == "", "\(result)")
    let check = world.run("model check --strict skan/model.json")
    #expect(check.code == .ok && check.err == "", "\(check)")
    let replay = world.run("replay --test --strict skan/lists")
    #expect(replay.code == .ok && replay.out.contains("1 file, "), "\(replay)")
  }

  @Test("As many events as there may be still have values of their own, and one more is refused")
  func most() {
    let names = (1...StartPlan.mostEvents).map { "e\($0)" }
    let world = world()
    #expect(world.run("init --events \(names.joined(separator: ","))").code == .ok)
    #expect(world.run("model check --strict skan/model.json").code == .ok)
    #expect(world.run("replay --test skan/lists").code == .ok)
    let result = World().run("init --events x,\(names.joined(separator: ","))")
    #expect(result.code == .usage && result.err.contains("at most 40 events"), "\(result)")
  }

  @Test("It says what it wrote, and the next two commands, which run")
  func output() {
    let world = world()
    let result = world.run("init --ci github")
    #expect(
      result.out == """
        wrote skan.json
        wrote skan/model.json
        wrote skan/rates.json
        wrote skan/lists/first-days.jsonl
        wrote .github/workflows/skan.yml

        In .github/workflows/skan.yml, put the address of your copy of skan in the place of
          your-organization/skan

        Next:
          skan replay --test skan/lists
          skan model explain skan/model.json

        """)
    for line in ["replay --test skan/lists", "model explain skan/model.json"] { #expect(world.run(line).code == .ok) }
    #expect(World().run("init my/app").out.contains("  cd my/app && skan replay --test skan/lists\n"))
  }

  @Test("What must be replaced in a file for CI is said, in its head, too", arguments: StartPipeline.allCases)
  func placeholder(pipeline: StartPipeline) throws {
    let world = world()
    let result = world.run("init team --ci \(pipeline.rawValue)")
    let text = try #require(world["team/\(pipeline.path)"])
    guard let placeholder = pipeline.placeholder else {
      return #expect(!result.out.contains("put the address") && !text.contains("git clone"))
    }
    #expect(result.out.contains("In team/\(pipeline.path), put the address of your copy of skan"))
    #expect(result.out.contains("  \(placeholder)\n"))
    // Once in its head, and once where it is used.
    #expect(text.components(separatedBy: placeholder).count == 3)
    #expect(text.prefix(800).contains(placeholder))
  }

  @Test("It overwrites nothing: every file that is there is named, and none is written")
  func exists() {
    let world = world()
    world["skan.json"] = "mine"
    world["ci/skan.sh"] = "mine"
    #expect(
      world.run("init --ci shell")
        == Consequences(
          .cannotWrite, err: "skan: nothing is written, since there are already skan.json, ci/skan.sh\n"))
  }

  @Test("An output that fails: all files are there, and the message names them; a file that fails: those before it")
  func failures() {
    let full = world()
    full.set { $0.outputFailure = .outputFailed(reason: "full") }
    let files = ["skan.json", "skan/model.json", "skan/rates.json", "skan/lists/first-days.jsonl"]
    let run = full.run("init")
    #expect(
      run.err == "skan: cannot write the output: full; these files are written: \(files.joined(separator: ", "))\n")
    #expect(run.code == .cannotWrite && files.allSatisfy { full[$0] != nil }, "\(run)")
    let broken = world()
    broken.set { $0.failures["replace skan/rates.json"] = .cannotWrite(file: "skan/rates.json", reason: "no room") }
    let half = broken.run("init")
    #expect(half.err == "skan: cannot write skan/rates.json: no room\n" && half.code == .cannotWrite)
    #expect(half.out == "wrote skan.json\nwrote skan/model.json\n")
  }

  @Test(
    "Wrong command lines",
    arguments: [
      ("--ci githb", "--ci must be one of github, gitlab, jenkins, shell, it is \"githb\"; did you mean github?"),
      ("--vertical gaming", "--vertical must be one of game, subscription, commerce"),
      ("--events=", "--events must be names with commas between"), ("--events a,,b", "--events must be names"),
      ("--events a,a", "a is given twice"), ("--events __SESSION__", "__SESSION__ is a name of Singular's"),
      ("--events a'b", "--events must be names"), ("--events -a", "--events must be names"),
      ("--vertical game --events a", "--events and --vertical exclude each other"), ("a b", "one argument too many"),
      ("--force", "'skan init' has no option --force"),
    ])
  func usage(options: String, message: String) {
    let result = World().run("init \(options)")
    #expect(result.code == .usage && result.err.contains(message) && result.changes == [], "\(result)")
  }

  @Test("The file of each product: endpoint and key come from its variables, reports are kept, each run is a new phone")
  func pipelines() {
    let replay = "SKAN_ENDPOINT= skan replay --test skan/lists --report-junit skan-report.xml\n"
    for (pipeline, texts) in [
      (
        "github",
        [
          "vars.SKAN_ENDPOINT", "secrets.SKAN_SDK_KEY", "if: vars.SKAN_ENDPOINT != ''",
          "uses: your-organization/skan/.github/actions/skan@v\(CommandLineTool.version)\n",
          "arguments: replay --test skan/lists\n",
        ]
      ),
      ("gitlab", ["- if: $SKAN_ENDPOINT", "SKAN_SDK_KEY   the SDK key, masked", replay, "junit: skan-report.xml\n"]),
      (
        "jenkins",
        [
          "credentials('skan-sdk-key')", "when { expression { env.SKAN_ENDPOINT } }", replay,
          "post { always { junit 'skan-report.xml' } }",
        ]
      ),
      ("shell", ["SKAN_ENDPOINT is not set: no endpoint was tested", replay]),
    ] {
      let world = World()
      world.run("init --ci \(pipeline) --events sign_up")
      let text = StartPipeline(rawValue: pipeline).flatMap { world[$0.path] } ?? ""
      let register = "skan register --idfv random --state"
      for part in texts + ["skan event 'sign_up'", register, "skan model check --strict skan/model.json"] {
        #expect(text.contains(part), "\(pipeline): \(part)")
      }
    }
  }
}
