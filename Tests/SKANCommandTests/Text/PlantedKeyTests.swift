import Foundation
import SKANBase
import SKANHTTP
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// The SDK key in each field of each form of input, and in each argument: nothing that a command prints or writes has
/// it.
@Suite("The SDK key in the input of every command")
struct PlantedKeyTests {
  private static let key = "Zq7kX9mPwV2tLsYd5"

  /// A form of input, and the command lines that read it as `FILE`.
  struct Form: CustomTestStringConvertible, Sendable {
    let fixture: String
    let lines: [String]
    /// The content where there is no fixture.
    let text: String?

    var testDescription: String { fixture }

    init(_ fixture: String, text: String? = nil, _ lines: [String]) {
      self.fixture = fixture
      self.text = text
      self.lines = lines
    }
  }

  private static let listLines = [
    "replay FILE", "replay FILE --json", "replay FILE --summary", "timeline FILE", "timeline FILE --svg out.svg",
    "timeline FILE --html out.life.html", "__complete zsh -- replay FILE --label=",
    "__complete zsh -- timeline FILE --device=",
    "replay FILE -v --test --strict --report-junit out.xml --report-tap out.tap --report-json out.json "
      + "--report-html out.html --report-markdown out.md",
    "replay FILE --model MODEL --record out.jsonl",
  ]
  private static let captureLines = [
    "check FILE", "check FILE --json", "check FILE --csv", "check FILE --sarif",
    "check FILE --report-junit out.xml --redacted out.har --to-list out.jsonl",
  ]
  private static let modelLines = [
    "model check FILE", "model explain FILE", "model explain FILE --json", "model explain FILE --fine 12",
    "model explain FILE --fine 12 --json", "model diff FILE MODEL2", "model diff MODEL2 FILE --json",
    "model convert FILE -o out.json", "session --model FILE", "backtest EXPORT --model FILE",
    "backtest EXPORT --model FILE --json --html out.html", "verify POSTBACK --model FILE",
  ]
  private static let postbackLines = [
    "verify FILE", "verify FILE --json", "receive FILE --into out.jsonl", "report out.jsonl", "report out.jsonl --json",
    "report out.jsonl --html out.html",
  ]
  private static let exportLines = [
    "import FILE -o -", "import FILE -o out.jsonl", "import FILE --check",
    "model fit FILE --values 4 --least-devices 1 -o out.json",
    "model fit FILE --values 4 --least-devices 1 --json", "backtest FILE --model MODEL",
    "backtest FILE --model MODEL --json", "model worth FILE --model MODEL", "model worth FILE --model MODEL --csv",
  ]

  private static let forms: [Form] = [
    Form("hazards/illegal-fine-value.jsonl", listLines),
    Form("hazards/revenue-counted-twice.jsonl", listLines),
    Form("adattributionkit/losers.jsonl", listLines),
    Form("traffic/proxyman.har", captureLines),
    Form("traffic/journal.ndjson", captureLines),
    Form("traffic/combined.log", captureLines),
    Form("traffic/cloudfront.log", captureLines),
    Form("traffic/alb.log", captureLines),
    Form("traffic/urls.txt", captureLines),
    Form("traffic/nginx.ndjson", captureLines),
    Form("traffic/docker.ndjson", captureLines),
    Form("traffic/google-cloud.ndjson", captureLines),
    Form("traffic/cloudfront-realtime.tsv", captureLines),
    Form("traffic/iis.log", captureLines),
    Form("traffic/elb-classic.log", captureLines),
    Form("models/mixed.json", modelLines),
    Form(
      "models/rates-by-day.csv", ["backtest EXPORT --model MODEL --rates FILE", "session --model MODEL --rates FILE"]),
    Form("postbacks/apple-4.0-fine.json", postbackLines),
    Form("postbacks/aak-development.json", postbackLines),
    Form("exports/singular.csv", exportLines),
    Form("exports/amplitude.ndjson", exportLines),
    Form("backtest/mapping.json", ["import MONTH --mapping FILE -o -", "import MONTH --mapping FILE --check"]),
    Form("Info.plist", text: plist, ["doctor --plist FILE", "doctor --plist FILE --json"]),
    Form("NSLog of details", text: details, ["install --details FILE --force"]),
    Form("campaigns", text: campaigns, ["receive POSTBACK --into out.jsonl --campaigns FILE"]),
  ]

  private static let campaigns = """
    network,identifier,from,until,campaign_id,campaign_name,country
    com.example,5239,,2026-04-30,c-7,Spring,DE
    com.example,42,2026-04-01,,c-10,Video,
    """

  private static let plist = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>NSAdvertisingAttributionReportEndpoint</key><string>https://singular-bi.net</string>
    <key>SKAdNetworkItems</key><array>
    <dict><key>SKAdNetworkIdentifier</key><string>abcdefg123.skadnetwork</string></dict>
    <dict><key>SKAdNetworkIdentifer</key><string>ABC.skadnetwork</string></dict>
    </array>
    </dict></plist>
    """

  private static let details = """
    {
        "p0_coarse" = 1;
        "p0_total_iap_revenue" =     {
            USD = "9.989999771118164";
        };
        "skan_current_conversion_value" = 12;
        "skan_first_call_to_skadnetwork_timestamp" = 1767225600;
    }
    """

  /// A text in which fields can have the key: one field of each kind, which is what stands before it.
  private struct Fields {
    /// Fields at odd places, and what stands between them at even ones.
    private var parts: [String] = []

    init(_ text: String) {
      var known: Set<String> = []
      var previous = ""
      var end = text.startIndex
      for match in text.matches(of: /"(?:[^"\\\n]|\\.)*"|[^\s,;"&=?{}\[\]:]+/) {
        if known.insert("\(previous) \(match.output.hasPrefix("\""))").inserted {
          parts += [String(text[end..<match.range.lowerBound]), String(match.output)]
          end = match.range.upperBound
        }
        previous = String(match.output)
      }
      parts.append(String(text[end...]))
    }

    var count: Int { parts.count / 2 }
    var text: String { parts.joined() }

    /// The same with the key in a field, in its place or behind what it holds.
    func planted(_ index: Int) -> Fields {
      var fields = self
      let field = parts[index * 2 + 1]
      let isQuoted = field.hasPrefix("\"")
      let content = index % 2 == 0 ? "" : isQuoted ? String(field.dropFirst().dropLast()) : field
      fields.parts[index * 2 + 1] = isQuoted ? "\"\(content)\(PlantedKeyTests.key)\"" : content + PlantedKeyTests.key
      return fields
    }
  }

  /// A registered phone, and the files that command lines name beside `FILE`.
  ///
  /// - Parameter hasKeyFile: whether the key is in the file of `--sdk-key-file`, and not in the environment.
  private func makeWorld(hasKeyFile: Bool = false) -> World {
    let world = World { $0.files = Self.files }
    if hasKeyFile { world["key.txt"] = "\(Self.key)\n" }
    world.set {
      $0.variables[hasKeyFile ? "SKAN_SDK_KEY_FILE" : "SKAN_SDK_KEY"] = hasKeyFile ? "key.txt" : Self.key
      $0.network = { _, _ in .failure(.noSuchHost) }
      $0.post = { _ in .failure(.noSuchHost) }
    }
    return world
  }

  private static let files: [String: [UInt8]] = {
    let world = World.registered()
    let fixtures = [
      "MODEL": "models/mixed.json", "MODEL2": "models/engagement.json", "EXPORT": "exports/singular.csv",
      "MONTH": "backtest/may.csv", "POSTBACK": "postbacks/apple-4.0-fine.json",
    ]
    for (name, fixture) in fixtures { world[name] = try? read(fixture) }
    return world.state.withLock { $0.files }
  }()

  private static func read(_ fixture: String) throws -> String {
    try String(contentsOf: Checkout.fixtures.appending(path: fixture), encoding: .utf8)
  }

  /// - Parameter ofPhone: whether an option may set the phone's own profile, which is sent as it is.
  private func expectNone(_ world: World, _ what: String, ofPhone: Bool = false) {
    var texts: [(name: String, text: String)] = [("stdout", world.output), ("stderr", world.errors)]
    texts += world.texts.filter {
      !["FILE", "skan.json", "key.txt"].contains($0.name) && !(ofPhone && $0.name == Changes.state)
    }
    let key = Self.key.lowercased()
    for (name, text) in texts {
      #expect(!text.lowercased().contains(key), "\(name) of \(what): \(text.prefix(2000))")
    }
  }

  /// The fields with which a file can still be read have the key together, and every command line reads that file. Each of the
  /// others is read alone, by some command lines unless the rounds are many.
  ///
  /// The key comes from the environment, and from a file that no endpoint takes.
  @Test("In each field of each form of input", arguments: forms)
  func fields(form: Form) throws {
    let text = try form.text ?? Self.read(form.fixture)
    func run(_ text: String, _ lines: some Sequence<String>, hasKeyFile: Bool = false, _ what: String) -> [ExitCode] {
      let world = makeWorld(hasKeyFile: hasKeyFile)
      world["FILE"] = text
      return lines.filter { !(hasKeyFile && $0.hasPrefix(CompletionCommand.hiddenName)) }.map { line in
        let code = world.run(line).code
        expectNone(world, "\(line), \(what)")
        return code
      }
    }
    let usual = run(text, form.lines, "no field")
    #expect(!usual.contains(.usage))
    var together = Fields(String(text.prefix(20_000)))
    #expect(together.count >= 5)
    for index in stride(from: 0, to: together.count, by: Rounds.areMany ? 1 : max(1, together.count / 16)) {
      let planted = together.planted(index)
      let code = run(planted.text, form.lines.prefix(1), "field \(index)")[0]
      if code == usual[0] || code == .expectationFailed {
        together = planted
      } else {
        let others = Rounds.areMany ? form.lines[...] : form.lines[(index % form.lines.count)...].prefix(1)
        for hasKeyFile in [false, true] { _ = run(planted.text, others, hasKeyFile: hasKeyFile, "field \(index)") }
      }
    }
    for hasKeyFile in [false, true] { _ = run(together.text, form.lines, hasKeyFile: hasKeyFile, "all fields") }
  }

  @Test("In each field of a project file")
  func project() throws {
    let text = #"{"options":{"model":["MODEL"],"color":"never"},"commands":{"session":{"expect":["outcome=updated"]}}}"#
    let fields = Fields(text)
    for index in 0..<fields.count {
      let world = makeWorld()
      world["skan.json"] = fields.planted(index).text
      world.set { $0.projectFolders = [""] }
      for line in ["config", "config --json", "config -- session", "doctor", "session", "details"] {
        world.run(line)
        expectNone(world, "\(line), field \(index)")
      }
    }
  }

  /// The options that set the profile of a phone.
  private static let profile = Set(CommandName.install.spec.options.filter(\.hasVariable).map(\.name))
    .subtracting(CommandName.details.spec.options.map(\.name))

  /// Commands that listen for requests.
  private static let listening: Set<CommandName> = [.serve, .receiverTest]

  @Test("In each argument of each command", arguments: CommandName.allCases.filter { !listening.contains($0) })
  func arguments(command: CommandName) throws {
    let others: [[String]] = command.spec.arguments.isEmpty ? [[]] : [["MODEL"], [Self.key]]
    for option in [""] + command.spec.options.map(\.flag) {
      for value in [Self.key, "9\(Self.key)", "a=\(Self.key)", "http://h.example/\(Self.key)?a=\(Self.key)"] {
        let world = makeWorld()
        for other in others {
          let arguments = other + (option.isEmpty ? [value] : [option, value])
          world.run(command.rawValue, arguments: arguments)
          expectNone(
            world, "\(command.rawValue) \(arguments.joined(separator: " "))",
            ofPhone: Self.profile.contains(String(option.dropFirst(2))))
        }
      }
      let world = makeWorld(hasKeyFile: true)
      world.run(command.rawValue, arguments: option.isEmpty ? [Self.key] : [option, Self.key])
      expectNone(
        world, "\(command.rawValue) \(option), key in a file",
        ofPhone: Self.profile.contains(String(option.dropFirst(2))))
    }
  }

  @Test(
    "As a currency or the name of an event, also of a step that follows",
    arguments: [false, true])
  func steps(hasKeyFile: Bool) throws {
    let world = makeWorld(hasKeyFile: hasKeyFile)
    for line in [
      "revenue 5 \(Self.key)", "revenue 2 x\(Self.key)", "event \(Self.key) --revenue 1 --currency \(Self.key)",
      "event \(Self.key) --model MODEL", "session -v", "details", "details --table", "history", "timeline",
      "s2s event \(Self.key) --dry-run --endpoint http://h", "postbacks",
    ] {
      #expect(world.run(line).code != .usage, "\(line): \(world.errors)")
      expectNone(world, line)
    }
    #expect(world[Changes.state]?.contains(#""REDACTED": 6"#) == true)
  }

  @Test("Every command that reads a file as its argument is among them")
  func everyCommand() {
    let lines = Self.forms.flatMap(\.lines)
    for command in CommandName.allCases where command.spec.argumentFiles != nil && !Self.listening.contains(command) {
      #expect(lines.contains { $0.hasPrefix("\(command.rawValue) ") }, "\(command.rawValue)")
    }
  }
}
