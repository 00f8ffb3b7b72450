import Foundation
import SKANBase
import SKANCommand
import TestSupport
import Testing

@testable import SKANCommandLine

@Suite("Values of the project file and of variables, as doctor and config judge them")
struct SettingValueTests {
  private func world(_ project: String? = nil, _ variables: [String: String] = [:]) -> World {
    let world = World.registered()
    world.set {
      $0.signatures = .platform()
      $0.projectFolders = [""]
      $0.variables = variables
    }
    world["skan.json"] = project
    return world
  }

  /// The message of a command that fails, as doctor has it.
  private func message(_ run: Consequences) -> String {
    let line = String(run.err.split(separator: "\n").first ?? "")
    return line.hasPrefix("skan: ") ? String(line.dropFirst(6)) : line
  }

  private func finding(_ check: String, _ status: String, _ message: String) -> String {
    JSONWriter.text(
      .object([
        ("check", .string(check)), ("status", .string(status)), ("message", .string(message)),
        ("evidence", .string("ours")),
      ]))
  }

  @Test(
    "A value of the project file is wrong in the words of the command",
    arguments: [
      (#"{"endpoint":"foo"}"#, "session", #"skan.json:1:13: endpoint "foo": it must be embedded"#),
      (#"{"hosts":{"a":"sngular"}}"#, "check x", "skan.json:1:10: hosts must be NAME=singular or NAME=s2s"),
      (#"{"commands":{"replay":{"jobs":1.5}}}"#, "replay x", "skan.json:1:31: jobs must be a whole number"),
      (#"{"options":{"max-time":"5"}}"#, "session", "skan.json:1:24: max-time must be a duration"),
      (#"{"commands":{"session":{"took":"x"}}}"#, "session", "skan.json:1:32: took must be seconds"),
      (
        #"{"options":{"setting":["carry-over=no","carry-over=yes"]}}"#, "install --force",
        #"skan.json:1:23: setting is given twice for "carry-over""#
      ),
    ])
  func project(text: String, line: String, words: String) {
    let world = world(text)
    let run = world.run(line)
    #expect(run.code == .badData && run.err.hasPrefix(words), "\(run)")
    let doctor = world.run("doctor --json")
    #expect(doctor.code == .expectationFailed, "\(doctor)")
    #expect(doctor.out.contains(finding("project file", "wrong", message(run))), "\(doctor)")
    #expect(!doctor.out.contains("well formed"))
    #expect(world.run("config -- \(line)") == run)
  }

  @Test("Every wrong value of a project file has its finding, in the order of the file")
  func several() {
    let doctor = world(#"{"options":{"ios":"x","max-time":"5"},"endpoint":"foo"}"#).run("doctor").out
    let lines = doctor.split(separator: "\n").filter { $0.hasPrefix("wrong") }
    #expect(lines.map { $0.split(separator: ":")[2] } == ["19", "34", "50"], "\(doctor)")
  }

  @Test(
    "So is the value of a variable",
    arguments: [
      ("SKAN_STRICT", "5", "session", #"SKAN_STRICT must be 1 or 0, it is "5""#),
      ("SKAN_MAX_TIME", "x", "session", "SKAN_MAX_TIME must be a duration"),
      ("SKAN_IOS", "seventeen", "install --force", "SKAN_IOS must be a version of iOS"),
    ])
  func variable(name: String, value: String, line: String, words: String) {
    let world = world(nil, [name: value])
    let run = world.run(line)
    #expect(run.code == .usage && message(run).hasPrefix(words), "\(run)")
    let doctor = world.run("doctor --json")
    #expect(doctor.code == .expectationFailed && doctor.out.contains(finding("variables", "wrong", message(run))))
    #expect(doctor.out.contains(finding("variables", "note", "set: \(name)")), "\(doctor)")
    for line in ["config", "config -- \(line)"] {
      let config = world.run(line)
      #expect(config.code == .usage && message(config) == message(run) && config.out == "", "\(config)")
    }
  }

  @Test("An option that commands read differently is neither a variable nor an option of all")
  func mixed() {
    let variable = world(nil, ["SKAN_HOST": "0.0.0.0"])
    let doctor = variable.run("doctor --json")
    let words =
      "the variable SKAN_HOST is not read: write 'skan serve --host ADDRESS', or \"host\" of \"serve\" in \"commands\" of "
      + "skan.json"
    #expect(doctor.code == .expectationFailed && doctor.out.contains(finding("variables", "wrong", words)), "\(doctor)")
    #expect(message(variable.run("config")) == words && message(variable.run("serve")) == words)
    #expect(message(variable.run("check x")).contains("write 'skan check --host NAME=ROLE'"))
    let project = world(#"{"commands":{"serve":{"host":"0.0.0.0"},"check":{"host":"a=s2s"}}}"#)
    let other = project.run("doctor --json")
    #expect(other.code == .ok && other.out.contains("skan.json is well formed"), "\(other)")
    #expect(project.run("config").code == .ok)
  }

  @Test("What a command would read from standard input is not evaluated, and not read")
  func input() {
    let world = world(#"{"commands":{"session":{"answer":"@-"}}}"#, ["SKAN_AD": "@-"])
    let doctor = world.run("doctor --json")
    let words = "not evaluated, because @- is standard input, which can be read only once"
    #expect(doctor.code == .ok, "\(doctor)")
    #expect(doctor.out.contains(finding("project file", "note", "skan.json:1:34: \(words)")), "\(doctor)")
    #expect(doctor.out.contains(finding("variables", "note", "SKAN_AD: \(words)")), "\(doctor)")
    #expect(!doctor.out.contains("well formed") && world.run("config -- session").out.contains("@-"))
  }

  @Test("Right values are well formed")
  func well() {
    let text = #"{"endpoint":"testing","hosts":{"a":"s2s"},"options":{"seed":2,"strict":true,"max-time":"5s"}}"#
    let world = world(text, ["SKAN_STRICT": "0", "SKAN_SNIPPET": "skan3"])
    let doctor = world.run("doctor --json")
    #expect(doctor.code == .ok && doctor.out.contains("skan.json is well formed"), "\(doctor)")
    #expect(doctor.out.contains(finding("variables", "note", "set: SKAN_SNIPPET, SKAN_STRICT")))
    #expect(world.run("config").code == .ok)
  }

  @Test("A wrong value of a command line ends config, too")
  func commandLine() {
    let run = World().run("config -- session --at tomorrow")
    #expect(run.code == .usage && run.out == "", "\(run)")
    #expect(run.err.hasPrefix("skan: --at must be an ISO 8601 instant"), "\(run)")
  }
}
