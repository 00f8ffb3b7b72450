import Foundation
import SKANBase
import SKANCommand
import TestSupport
import Testing

@testable import SKANCommandLine

@Suite("The project file")
struct ProjectFileTests {
  /// A registered phone in a working directory with a project file.
  private func world(_ project: String, at path: String = "skan.json") -> World {
    let world = World.registered("--ios 16.0")
    world.set { $0.projectFolders = ["", "../", "../../"] }
    world[path] = project
    return world
  }

  @Test("It stands for options, after the command line and the environment")
  func precedence() {
    let world = world(
      #"{"options":{"max-time":"x"},"commands":{"session":{"expect":"outcome=blocked"},"update":{"ios":"16.4"}}}"#)
    #expect(world.run("session --max-time 1s").err.contains("\"blocked\""))
    #expect(world.run("session --max-time 1s --expect outcome=crashed").err.contains("\"crashed\""))
    #expect(world.run("session").code == .badData)
    world.set { $0.variables["SKAN_MAX_TIME"] = "1s" }
    #expect(world.run("session").err.contains("\"blocked\""))
    // The device file comes after it.
    #expect(world.run("update --expect outcome=set").changes.contains("profile.ios: \"16.0\" → \"16.4\""))
  }

  @Test("Flags, numbers, lists and JSON values; what one command says counts more")
  func values() {
    let world = world(
      """
      {"$schema":"https://example.com/skan.schema.json",
       "options":{"json":true,"strict":false,"seed":7},
       "commands":{"session":{"json":false,"expect":["outcome=blocked","window=2"],"answer":{"json":{"conversion_value":3}}},
                   "update":{"ios":"17.0"}}}
      """)
    let session = world.run("session")
    #expect(session.out.hasPrefix("updated") && session.out.contains("0 → 3"), "\(session)")
    #expect(session.err.contains("\"blocked\"") && session.err.contains("window"))
    #expect(world.run("event a").out.hasPrefix("{"))
    #expect(world.run("update --expect outcome=set").changes.contains("profile.ios: \"16.0\" → \"17.0\""))
  }

  @Test("Found upwards, and by SKAN_PROJECT; its paths begin at its folder")
  func places() {
    let world = world(#"{"commands":{"session":{"answer":"@answers/a.json"}}}"#, at: "../../skan.json")
    world["../../answers/a.json"] = #"{"json":{"conversion_value":9}}"#
    #expect(world.run("session").out.contains("0 → 9"))
    world["skan.json"] = "{}"
    #expect(world.run("session").code == .ok && !world.output.contains("→ 9"))
    world["other/p.json"] = #"{"commands":{"session":{"answer":"@a.json"}}}"#
    world["other/a.json"] = #"{"json":{"conversion_value":8}}"#
    world.set { $0.variables["SKAN_PROJECT"] = "other/p.json" }
    #expect(world.run("session").out.contains("→ 8"))
    world.set { $0.variables["SKAN_PROJECT"] = "none" }
    world["skan.json"] = "broken"
    #expect(world.run("details").code == .ok)
    world.set { $0.variables["SKAN_PROJECT"] = "gone.json" }
    #expect(
      world.run("details").err
        == "skan: gone.json does not exist; SKAN_PROJECT names a project file, or 'none'\n")
  }

  @Test("Model, rates and endpoint: of an endpoint and a model the one counts that is nearer to the command line")
  func answerers() {
    let world = world(#"{"model":"m.json","rates":"r.json","endpoint":"http://localhost"}"#, at: "../skan.json")
    world["../m.json"] = #"{"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":21}]}"#
    world["../r.json"] = "{}"
    world["n.json"] = #"{"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":22}]}"#
    world.answer(#"{"conversion_value":23,"status":"ok"}"#)
    func answerer(_ line: String) -> String {
      let out = world.run("\(line) --json").out
      return out.firstMatch(of: /"answered_by":"([^"]*)"/).map { String($0.1) } ?? out
    }
    #expect(answerer("session") == "http://localhost")
    #expect(answerer("session --endpoint embedded").hasSuffix("../m.json"))
    #expect(answerer("session --model n.json").hasSuffix("n.json"))
    world["../skan.json"] = #"{"model":"m.json","rates":"r.json"}"#
    #expect(answerer("session").hasSuffix("../m.json"))
    #expect(answerer("session --endpoint http://localhost") == "http://localhost")
    world["../skan.json"] = #"{"rates":"r.json"}"#
    #expect(world.run("session").code == .ok)
  }

  @Test("Host names are those of check")
  func hosts() {
    let world = world(#"{"hosts":{"proxy.example":"singulr"}}"#)
    world["a.har"] = "{}"
    #expect(
      world.run("check a.har").err
        == """
        skan.json:1:10: hosts must be NAME=singular or NAME=s2s, it is "proxy.example=singulr"; did you mean singular?
          {"hosts":{"proxy.example":"singulr"}}
                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^

        """)
  }

  @Test(
    "What is wrong, with its place",
    arguments: [
      (#"{"endpont":"x"}"#, "1:2", #"there is no key "endpont" in a project file; did you mean "endpoint"?"#),
      (#"{"max-time":"2s"}"#, "1:2", #"there is no key "max-time" in a project file; an option belongs in "options""#),
      (#"{"options":{"max-tme":"2s"}}"#, "1:13", #"there is no option "max-tme"; did you mean "max-time"?"#),
      (#"{"options":{"endpoint":"testing"}}"#, "1:13", #"endpoint belongs beside "options", not in it"#),
      (#"{"options":{"help":true}}"#, "1:13", "help is for a command line only"),
      (#"{"options":{"version":true}}"#, "1:13", "version is for a command line only"),
      (#"{"options":{"zzzzzz":1}}"#, "1:13", #"there is no option "zzzzzz""#),
      (#"{"hosts":["a"]}"#, "1:10", "hosts must be an object of names and roles, this is an array"),
      (#"{"jobs":2}"#, "1:2", #"there is no key "jobs" in a project file; an option belongs in "commands""#),
      (
        #"{"options":{"jobs":2}}"#, "1:13",
        #"jobs is given for one command at a time, as in {"commands":{"replay":{"jobs""#
      ),
      (
        #"{"options":{"force":true}}"#, "1:13",
        #"force is given for one command at a time, as in {"commands":{"install":"#
      ),
      (
        #"{"commands":{"session":{"expect":[true]}}}"#, "1:34",
        "expect must be a text, or a list of texts, this is an array"
      ),
      (#"{"options":{"color":"never"}}"#, "1:13", "colors are a matter of the terminal: --color or SKAN_COLOR"),
      (#"{"options":[]}"#, "1:12", "options must be an object, this is an array"),
      (#"{"options":{"json":"yes"}}"#, "1:20", #"json must be true or false, this is "yes""#),
      (#"{"options":{"max-time":true}}"#, "1:24", "max-time must be one text or number, this is true"),
      (#"{"options":{"max-time":["1s"]}}"#, "1:24", "max-time must be one text or number, this is an array"),
      (#"{"options":{"max-time":"soon"}}"#, "1:24", #"max-time must be a duration"#),
      (#"{"options":{"event-alias":"a=b"}}"#, "1:13", "event-alias is given for one command at a time"),
      (#"{"commands":{"sesion":{}}}"#, "1:14", #"there is no command "sesion"; did you mean "session"?"#),
      (
        #"{"commands":{"session":{"expct":1}}}"#, "1:25",
        #"'skan session' has no option "expct"; did you mean "expect"?"#
      ), (#"{"endpoint":"localhost:80"}"#, "1:13", "did you mean http://localhost:80?"),
      (#"{"endpoint":5}"#, "1:13", "it must be embedded, testing, production"),
      (#"{"hosts":{"a":1}}"#, "1:15", #"a must be "singular" or "s2s""#),
      (#"{"$schema":1}"#, "1:12", "$schema must be the address of a schema, this is 1"),
      ("[]", "1:1", "must be an object"),
      ("{", "1:2", "not JSON"), ("", "1:1", "not JSON"),
      (#"{"endpoint":"testing","endpoint":"testing"}"#, "1:23", "twice"),
    ])
  func problems(text: String, place: String, message: String) {
    let world = world(text)
    let result = world.run("session")
    #expect(result.code == .badData && result.changes == [], "\(result)")
    #expect(result.err.hasPrefix("skan.json:\(place): ") && result.err.contains(message), "\(result)")
  }

  @Test("All that is wrong is reported at once")
  func several() {
    let err = world("{\"a\":1,\n\"options\":{\"b\":2}}").run("session").err
    #expect(err.contains("skan.json:1:2: ") && err.contains("skan.json:2:12: "))
  }

  @Test(
    "No secret may stand in it, and none is shown",
    arguments: [
      #"{"sdk-key":"K3Y-SECRET"}"#, #"{"SDK_KEY":"K3Y-SECRET"}"#, #"{"sdkKey":"K3Y-SECRET"}"#,
      #"{"options":{"sdk-key":"K3Y-SECRET"}}"#, #"{"options":{"sdk-key-file":"K3Y-SECRET"}}"#,
      #"{"commands":{"session":{"sdk-key-file":"K3Y-SECRET"}}}"#, #"{"SKAN_SDK_KEY":"K3Y-SECRET"}"#,
      #"{"apiKey":"K3Y-SECRET"}"#,
    ], [true, false])
  func secrets(text: String, isSet: Bool) {
    let world = world(text)
    if isSet { world.set { $0.variables["SKAN_SDK_KEY"] = "K3Y-SECRET" } }
    let result = world.run("session")
    #expect(result.code == .badData && !result.err.contains("K3Y-SECRET"), "\(result)")
    #expect(result.err.contains("so the SDK key must not be in it: set SKAN_SDK_KEY, or give --sdk-key-file"))
  }

  @Test("A value that is the SDK key of the environment, wherever it stands")
  func keyAsValue() {
    for text in [
      #"{"endpoint":"http://x/?a=K3Y-SECRET"}"#, #"{"options":{"idfv":"K3Y-SECRET"}}"#,
      #"{"commands":{"session":{"expect":["a=K3Y-SECRET"]}}}"#, #"{"hosts":{"K3Y-SECRET":"s2s"}}"#,
    ] {
      let world = world(text)
      world.set { $0.variables["SKAN_SDK_KEY"] = "K3Y-SECRET" }
      let result = world.run("session")
      #expect(result.code == .badData && !result.err.contains("K3Y-SECRET"), "\(result)")
      #expect(result.err.contains("must not be in it"))
    }
  }

  @Test("An option of the command line does not exclude what the project says of another form")
  func forms() {
    let world = world(#"{"options":{"json":true},"commands":{"session":{"after":"2h"}}}"#)
    #expect(world.run("details --table").code == .ok)
    #expect(world.run("session --at +1h").code == .ok)
  }

  @Test("Help, the version and commands without variables do not read it")
  func unread() {
    let world = world("broken")
    for line in ["help", "session --help", "session --version", "--help"] {
      #expect(world.run(line).code == .ok, "\(line)")
    }
  }
}
