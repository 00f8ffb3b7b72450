import Foundation
import SKANBase
import SKANCommand
import TestSupport
import Testing

@testable import SKANCommandLine

@Suite("config")
struct ConfigCommandTests {
  private func world() -> World {
    let world = World.registered("--ios 16.0")
    world.set {
      $0.projectFolders = ["", "../"]
      $0.variables = ["SKAN_SDK_KEY": "K3Y-SECRET", "SKAN_CLOCK": "production"]
    }
    world["../skan.json"] =
      "{\"endpoint\":\"http://localhost\",\n \"options\":{\"json\":true},\"commands\":{\"update\":{\"expect\":[\"at=b\",\"at=c\"]}}}"
    return world
  }

  /// The settings by their names: value, source and where it stands.
  private func settings(_ world: World, _ line: String) throws -> [String: String] {
    let result = world.run("config --json \(line)")
    try #require(result.code == .ok, "\(result)")
    let object = try JSONReader.read(Array(result.out.utf8)).value
    guard case .array(let items)? = object["settings"] else { return [:] }
    return items.reduce(into: [:]) { settings, item in
      guard case .string(let name)? = item["name"] else { return }
      settings[name] = ["value", "source", "from"].map { JSONWriter.text(item[$0] ?? .null) }.joined(separator: " ")
    }
  }

  @Test("Each kind of source, for a command line")
  func commandLine() throws {
    let settings = try settings(world(), "-- update --ios=17.0 --after 2h")
    #expect(settings["ios"] == #""17.0" "option" "--ios""#)
    #expect(settings["app-version"] == #""1.0" "device" "skan-state.json""#)
    #expect(settings["json"] == #"true "project" "../skan.json:2:20""#)
    #expect(settings["expect"] == #"["at=b","at=c"] "project" "../skan.json:2:57""#)
    #expect(settings["lock-timeout"] == #""30s" "default" null"#)
    #expect(settings["quiet"] == #"false "default" null"#)
    #expect(settings["endpoint"] == nil)
    #expect(settings["SDK key"] == #""set, not shown" "environment" "SKAN_SDK_KEY""#)
  }

  @Test("A phone without an IDFV, and a machine where nothing is set")
  func nothing() throws {
    let world = World()
    #expect(world.run("config -- install").out.hasPrefix("project file: none\n\nsnippet "))
    world.run("install --idfv none")
    #expect(try settings(world, "")["idfv"] == #""none" "device" "skan-state.json""#)
  }

  @Test("Without a command line: every option that has a variable")
  func all() throws {
    let settings = try settings(world(), "")
    #expect(settings["endpoint"] == #""http://localhost" "project" "../skan.json:1:13""#)
    #expect(settings["clock"] == #""production" "environment" "SKAN_CLOCK""#)
    #expect(settings["ios"] == #""16.0" "device" "skan-state.json""#)
    #expect(settings["max-time"] == #""10s" "default" null"#)
    #expect(settings["port"] == nil)
    #expect(settings["help"] == nil)
  }

  @Test("As text: what is given, and then the defaults")
  func text() {
    let lines = world().run("config -- details").out.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "project file: ../skan.json" && lines[1] == "")
    let groups = lines.dropFirst(2).split(separator: "")
    #expect(groups.count == 2)
    #expect(groups[0].allSatisfy { !$0.hasSuffix("default") } && groups[1].allSatisfy { $0.hasSuffix("  default") })
    #expect(groups[0].contains { $0.hasPrefix("SDK key") && $0.hasSuffix("environment: SKAN_SDK_KEY") })
  }

  @Test("Neither a key nor what holds it is shown", arguments: ["config", "config --json"])
  func secret(line: String) {
    let world = world()
    world.set {
      $0.variables["SKAN_IDFV"] = "xK3Y-SECRETx"
      $0.variables["SKAN_ENDPOINT"] = "https://example.com/K3Y-SECRET/"
    }
    let output = world.run(line).out
    #expect(!output.contains("K3Y-SECRET") && output.contains("https://example.com/REDACTED/"), "\(output)")
  }

  @Test(
    "Wrong command lines",
    arguments: [
      ("config --", "-- needs a command, as in 'skan config -- replay --max-time 2s lists/'"),
      ("config -- session --max-tme 2s", "'skan session' has no option --max-tme; did you mean --max-time?"),
    ])
  func usage(line: String, message: String) {
    let result = world().run(line)
    #expect(result.code == .usage && result.err.contains(message), "\(result)")
  }

  @Test("A broken project file, device file or variable is an error here as elsewhere")
  func broken() {
    let world = world()
    world["../skan.json"] = "{\"x\":1}"
    #expect(world.run("config").code == .badData)
    world["../skan.json"] = "{}"
    world.set { $0.variables["SKAN_STRIC"] = "x" }
    #expect(world.run("config").err.contains("did you mean SKAN_STRICT?"))
    world.set { $0.variables = [:] }
    world["skan-state.json"] = "broken"
    #expect(world.run("config").code == .badData)
  }
}
