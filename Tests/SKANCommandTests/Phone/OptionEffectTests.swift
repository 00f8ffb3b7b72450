import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Options have an effect")
struct OptionEffectTests {
  private static let poison =
    #"session --answer {"json":{"conversion_value":"5","skan_updated_coarse_value":1,"#
    + #""postback_sequence_index":0,"status":"ok"}}"#
  private static let developer = #"--ios 18.4 --clock developer --ad {"version":"4.0"}"#

  /// For each command that has `--strict` and takes expectations, a step with a finding: what comes before it, its
  /// command line, and a last argument that may be empty.
  private static let findings: [String: (before: [String], line: String, last: [String])] = [
    "install": ([], "install \(developer)", []), "register": ([], "register \(developer)", []),
    "reset": (["install \(developer)"], "reset", []), "session": (["install"], "session", []),
    "impression": ([], "impression view --seconds 1", []),
    "download": (["impression view"], "download --after 2d", []), "event": (["register"], "event ünlock", []),
    "revenue": (["register"], "revenue 5", [""]),
    "s2s session": (["register", poison], "s2s session", []), "s2s event": (["register", poison], "s2s event x", []),
    "details": (["register", poison], "details", []),
    "aak reengage": (
      [#"install --ios 18.4 --ad {"framework":"adattributionkit"}"#], "aak reengage https://example.com/?gclid=1", []
    ),
  ]

  @Test("--strict, of each command whose step can have a finding, and of no other")
  func strict() {
    let commands = CommandLineTool.commands.filter { $0.declares(.strict) && $0.declares(.expect) }.map(\.name)
    #expect(commands.sorted() == Self.findings.keys.sorted())
    for (before, line, last) in Self.findings.values {
      let codes = [[], ["--strict"]].map { option in
        let world = World()
        for line in before { world.run(line) }
        return world.run(line, arguments: last + option).code
      }
      #expect(codes[0] != .expectationFailed && codes[1] == .expectationFailed, "\(line): \(codes)")
    }
  }

  @Test("--api, of each command that reports an event, and of no other")
  func api() {
    let commands = CommandLineTool.commands.filter { $0.declares(.api) }
    #expect(commands.map(\.name) == ["event", "s2s event"])
    for spec in commands {
      let forward = spec.declares(.forward) ? "--forward " : ""
      let lines = ["v1", "v2"].map { World.registered().run("\(spec.name) x \(forward)--api \($0) --dry-run").out }
      #expect(lines[0] != lines[1] && !lines[0].isEmpty, "\(spec.name)")
    }
  }
}
