import SKANBase
import SKANDevice
import SKANHTTP
import SKANRun
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Options that a combination would pass over")
struct PassedOverOptionTests {
  @Test(
    "They are refused, with what to do",
    arguments: [
      ("timeline --event-alias a=b", "--event-alias belongs to a list: 'skan timeline LIST --event-alias …'"),
      (
        "timeline --event-alias @f",
        "--event-alias belongs to a list: 'skan timeline LIST --event-alias …'"
      ),
      ("timeline --allow-include d", "--allow-include belongs to a list: 'skan timeline LIST --allow-include …'"),
      ("timeline --svg a.svg --html a.html", "--svg and --html exclude each other"),
      ("session --curl --json", "--curl and --json exclude each other"),
      ("replay a.jsonl --retry-interval 1s", "--retry-interval belongs to --retry"),
      ("replay a.jsonl --lock-timeout 1s", "--lock-timeout belongs to --state"),
    ])
  func refused(line: String, message: String) {
    let world = World.registered()
    world["a.jsonl"] = "{\"op\":\"relaunch\"}\n"
    let command = String(line.prefix { $0 != " " })
    #expect(world.run(line) == .usage(message, command: command))
  }

  @Test("A variable and a project file are for other calls")
  func variables() {
    let world = World.registered()
    world["a.jsonl"] = "{\"op\":\"relaunch\"}\n"
    world.set {
      $0.variables = [
        "SKAN_RATES": "r", "SKAN_LOCK_TIMEOUT": "1s", "SKAN_PROJECT": "p.json",
      ]
    }
    world["p.json"] = """
      {"commands":{"timeline":{"allow-include":"d","html":"p.html"},"replay":{"allow-include":"d","retry-interval":"1s"}}}
      """
    #expect(world.run("timeline --svg a.svg").code == .ok)
    world.set {
      $0.variables["SKAN_RATES"] = nil
    }
    #expect(world.run("replay a.jsonl").code == .ok)
  }
}
