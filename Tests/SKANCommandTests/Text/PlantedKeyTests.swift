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
    "backtest FILE --model MODEL --json",
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

  /// Texts of a file with the key in one field: once for each kind of field, which is what stands before it.
  private func planted(_ text: String) -> [String] {
    var known: Set<String> = []
    var texts: [String] = []
    var previous = ""
    for match in text.matches(of: /"(?:[^"\\\n]|\\.)*"|[^\s,;"&=?{}\[\]:]+/) {
      let field = String(match.output)
      let isQuoted = field.hasPrefix("\"")
      if known.insert("\(previous) \(isQuoted)").inserted {
        let content = isQuoted ? String(field.dropFirst().dropLast()) : field
        let new = texts.count % 2 == 0 ? Self.key : content + Self.key
        texts.append(text.replacingCharacters(in: match.range, with: isQuoted ? "\"\(new)\"" : new))
      }
      previous = field
    }
    return texts
  }

  /// A registered phone, and the files that command lines name beside `FILE`.
  ///
  /// - Parameter hasKeyFile: whether the key is in the file of `--sdk-key-file`, and not in the environment.
  private func makeWorld(hasKeyFile: Bool = false) throws -> World {
    let world = World.registered()
    if hasKeyFile { world["key.txt"] = "\(Self.key)\n" }
    world.set {
      $0.variables[hasKeyFile ? "SKAN_SDK_KEY_FILE" : "SKAN_SDK_KEY"] = hasKeyFile ? "key.txt" : Self.key
      $0.network = { _, _ in .failure(.noSuchHost) }
      $0.post = { _ in .failure(.noSuchHost) }
    }
    let fixtures = [
      "MODEL": "models/mixed.json", "MODEL2": "models/engagement.json", "EXPORT": "exports/singular.csv",
      "MONTH": "backtest/may.csv", "POSTBACK": "postbacks/apple-4.0-fine.json",
    ]
    for (name, fixture) in fixtures { world[name] = try read(fixture) }
    return world
  }

  private func read(_ fixture: String) throws -> String {
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

  @Test("In each field of each form of input", arguments: forms)
  func fields(form: Form) throws {
    let text = try form.text ?? read(form.fixture)
    let world = try makeWorld()
    world["FILE"] = text
    for line in form.lines {
      let run = world.run(line)
      #expect(run.code != .usage, "\(line): \(run.err)")
    }
    let texts = planted(String(text.prefix(20_000)))
    #expect(texts.count >= 5)
    let step = max(1, texts.count / 16)
    for index in stride(from: 0, to: texts.count, by: step) {
      let world = try makeWorld()
      world["FILE"] = texts[index]
      for line in form.lines {
        world.run(line)
        expectNone(world, "\(line), field \(index)")
      }
    }
  }

  @Test(
    "In some fields of each form of input, where only a file has the key and no endpoint takes it", arguments: forms)
  func keyFile(form: Form) throws {
    let texts = planted(String(try (form.text ?? read(form.fixture)).prefix(20_000)))
    for index in stride(from: 0, to: texts.count, by: max(1, texts.count / 3)) {
      let world = try makeWorld(hasKeyFile: true)
      world["FILE"] = texts[index]
      for line in form.lines where !line.hasPrefix(CompletionCommand.hiddenName) {
        world.run(line)
        expectNone(world, "\(line), field \(index)")
      }
    }
  }

  @Test("In each field of a project file")
  func project() throws {
    let text = #"{"options":{"model":["MODEL"],"color":"never"},"commands":{"session":{"expect":["outcome=updated"]}}}"#
    for (index, planted) in planted(text).enumerated() {
      let world = try makeWorld()
      world["skan.json"] = planted
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
        let world = try makeWorld()
        for other in others {
          let arguments = other + (option.isEmpty ? [value] : [option, value])
          world.run(command.rawValue, arguments: arguments)
          expectNone(
            world, "\(command.rawValue) \(arguments.joined(separator: " "))",
            ofPhone: Self.profile.contains(String(option.dropFirst(2))))
        }
      }
      let world = try makeWorld(hasKeyFile: true)
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
    let world = try makeWorld(hasKeyFile: hasKeyFile)
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
