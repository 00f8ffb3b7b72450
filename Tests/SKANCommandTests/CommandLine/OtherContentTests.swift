import SKANBase
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// A place of a command line that names a file.
private struct FilePlace: CustomTestStringConvertible {
  let command: String
  /// The option; nil for the command's argument.
  let option: OptionRow?
  /// The kinds of files that belong there.
  let kinds: Set<ContentKind>

  var testDescription: String { "\(command) \(option?.flag ?? "FILE")" }

  /// Every option and every argument that names a file of a kind of use.
  static func all(_ uses: Set<FileUse.Kind>) -> [FilePlace] {
    CommandLineTool.commands.flatMap { spec -> [FilePlace] in
      let options = spec.options.filter { $0.file.map { uses.contains($0.kind) } ?? false }
      let places = options.map { FilePlace(command: spec.name, option: $0, kinds: taken(by: $0, of: spec)) }
      guard uses.contains(.input), let files = arguments[spec.name] else { return places }
      return places + [FilePlace(command: spec.name, option: nil, kinds: files)]
    }
  }

  private static let exports: Set<ContentKind> = [.export, .table, .eventList, .gzip]

  /// The kinds that the arguments of commands may be.
  static let arguments: [String: Set<ContentKind>] = [
    "replay": [.eventList], "timeline": [.eventList], "import": exports, "model fit": exports, "model worth": exports,
    "backtest": exports,
    "check": [.har, .journal, .accessLog, .urls, .gzip], "verify": [.postbacks], "receive": [.postbacks],
    "report": [.receivedFile], "model check": [.model], "model explain": [.model],
    "model diff": [.model], "model convert": [.model, .analyticsSchema, .modelTable, .table],
  ]

  private static func taken(by option: OptionRow, of spec: CommandSpec) -> Set<ContentKind> {
    switch option.name {
    case "state": [.deviceFile]
    case "model", "compare": [.model]
    case "rates": [.rates, .table]
    case "mapping": [.mapping]
    case "campaigns": [.campaigns, .table]
    case "variable", "event-alias": [.pairs]
    case "answer", "answers": [.answers]
    case "details": [.details]
    case "seen", "into", "postbacks": [.receivedFile]
    case "journal": [.journal]
    case "actual", "expected": [.counts]
    case "key", "sign": [.privateKey, .publicKey]
    case "plist": [.plist]
    case "record", "to-list": [.eventList]
    case "redacted": [.har]
    case "output": spec.name == "import" ? [.eventList] : spec.name == "model worth" ? [.worth] : [.model]
    case "worth": [.worth]
    case "spend": [.spend, .table]
    // Reports, keys of apps, ads: files of no known kind.
    default: []
    }
  }

  /// A command line without the file, which would run.
  private var beginning: String {
    switch (command, option?.name) {
    case (_, nil):
      switch command {
      case "import": "import --check"
      case "backtest": "backtest --model m.json"
      case "model worth": "model worth --model m.json"
      case "model fit": "model fit --values 3 --least-devices 1"
      default: command
      }
    case ("replay", "state"?), ("replay", "variable"?), ("replay", "model"?): "replay list.jsonl"
    case ("replay", "sign"?): "replay list.jsonl --send http://h"
    case ("timeline", "state"?), ("timeline", "svg"?), ("timeline", "html"?): "timeline"
    case ("import", "output"?): "import --preset plain e.csv"
    case ("import", "rates"?), ("import", "event-alias"?): "import --check e.csv --model m.json"
    case ("import", _): "import --check e.csv"
    case ("model fit", _): "model fit --values 3 --least-devices 1 e.csv"
    case ("backtest", "model"?), ("model worth", "model"?): "\(command) e.csv"
    case ("model worth", _): "model worth e.csv --model m.json"
    case ("backtest", _): "backtest e.csv --model m.json"
    case ("model convert", "event-alias"?): "model convert analytics.json --currency USD"
    case ("model convert", _): "model convert table.csv --currency USD"
    case ("serve", "key"?), ("serve", "campaigns"?): "serve --port 0 --postbacks received.jsonl"
    case ("receive", _), ("verify", _): "\(command) postback.json"
    case ("report", "spend"?): "report received.jsonl --worth worth.json"
    case ("report", "rates"?): "report received.jsonl --worth worth.json --spend spend.csv"
    case ("report", _): "report received.jsonl"
    case ("receiver-test", _): "receiver-test http://h"
    case ("check", _): "check urls.txt"
    case ("serve", "rates"?), ("serve", "event-alias"?): "serve --port 0 --model m.json"
    case ("serve", _): "serve --port 0"
    case ("event", let name?), ("s2s event", let name?), ("session", let name?), ("s2s session", let name?),
      ("replay", let name?), ("timeline", let name?):
      ["event", "s2s event"].contains(command)
        ? "\(command) x\(Self.more(name))"
        : ["replay", "timeline"].contains(command)
          ? "\(command) list.jsonl\(Self.more(name))" : "\(command)\(Self.more(name))"
    case ("revenue", _): "revenue 1 USD"
    case ("impression", _): "impression click"
    case ("update", _): "update --ios 18.0"
    case ("aak update", _): "aak update 1"
    case ("aak reengage", _): "aak reengage https://example.com/x"
    default: command
    }
  }

  /// What a step needs for its option to have an effect.
  private static func more(_ option: String) -> String {
    switch option {
    case "rates", "event-alias", "record": " --model m.json"
    case "sdk-key-file": " --endpoint production"
    default: ""
    }
  }

  func run(_ file: String, in world: World) -> Consequences {
    guard let option else { return world.run("\(beginning) \(file)\(command == "model diff" ? " m.json" : "")") }
    return world.run("\(beginning) \(option.flag) \([.json, .pair].contains(option.kind) ? "@" : "")\(file)")
  }
}

@Suite("A file of another kind is never taken for the one that was asked for")
struct OtherContentTests {
  private static let world: @Sendable () -> World = {
    let world = World.registered()
    world["list.jsonl"] = "{\"op\":\"session\"}\n"
    world["e.csv"] = "device,time,name\na,2026-01-01T00:00:00Z,x\n"
    world["table.csv"] = "window,value,coarse,event,min_revenue\n0,1,,__SESSION__,\n"
    world["analytics.json"] = #"{"postbackWindowOne":{"conversionValues":[]}}"#
    world["urls.txt"] = "https://sdk-api-v1.singular.net/api/v2/conversion_value?a=KEY\n"
    world["received.jsonl"] = ""
    world["spend.csv"] = "network,campaign,day,cost,currency\nn,c,2026-05-01,1,USD\n"
    world["worth.json"] = ContentSamples.worth
    world.set {
      $0.post = { _ in .failure(.noSuchHost) }
      $0.files["m.json"] = World.fixtures["fixtures/models/mixed.json"]
      $0.files["postback.json"] = World.fixtures["fixtures/postbacks/apple-4.0-fine.json"]
    }
    return world
  }

  /// The kinds that no command takes as they are; some readers advise to unpack them in words of their own.
  private static let packed: Set<ContentKind> = [.utf16, .gzip, .zip]

  /// The words that name a kind: the beginning of its text.
  private static func name(_ kind: ContentKind) -> String {
    switch kind {
    // Readers that unpack such a file, or advise to, have words of their own.
    case .utf16: "UTF-16"
    case .gzip: "gzip"
    case .zip: "ZIP"
    default: String(kind.text("").prefix { $0 != ";" && $0 != ":" })
    }
  }

  @Test("Every kind of file in the place of every other: nothing is overwritten, and the kind and a command are named")
  func readers() {
    let places = FilePlace.all([.input, .addition])
    #expect(places.count > 60)
    for place in places {
      for sample in ContentSamples.one where !place.kinds.contains(sample.kind) {
        let world = Self.world()
        world.set { $0.files["x"] = sample.bytes }
        let run = place.run("x", in: world)
        let code: ExitCode = place.command == "doctor" && place.option?.name == "state" ? .expectationFailed : .badData
        #expect(run.code == code && run.changes.isEmpty, "\(place.testDescription), \(sample.kind): \(run)")
        let text = run.err + run.out
        #expect(
          text.contains(Self.name(sample.kind)) && (text.contains("'") || Self.packed.contains(sample.kind)),
          "\(place.testDescription), \(sample.kind): \(run)")
      }
    }
  }

  @Test(
    "A log of every form in the place of every other file",
    arguments: ContentSamples.all.filter { $0.kind == .accessLog })
  func logs(sample: ContentSamples.Sample) {
    for place in FilePlace.all([.input]) where !place.kinds.contains(.accessLog) {
      let world = Self.world()
      world.set { $0.files["x"] = sample.bytes }
      let run = place.run("x", in: world)
      let code: ExitCode = place.command == "doctor" && place.option?.name == "state" ? .expectationFailed : .badData
      #expect(run.code == code && run.changes.isEmpty, "\(place.testDescription): \(run)")
      #expect((run.err + run.out).contains("this is an access log"), "\(place.testDescription): \(run)")
    }
  }

  @Test("What belongs there is taken, and at least read")
  func taken() {
    // A server would start.
    for place in FilePlace.all([.input, .addition]) where place.command != "serve" {
      for sample in ContentSamples.all where place.kinds.contains(sample.kind) && sample.kind != .gzip {
        // It says that there is nothing to convert.
        if place.command == "model convert", sample.kind == .model { continue }
        let world = Self.world()
        world.answer(#"{"status":"ok"}"#)
        world.set { $0.files["x"] = sample.bytes }
        let run = place.run("x", in: world)
        let isKeyOfOtherHalf = [.privateKey, .publicKey].contains(sample.kind)
        let isListOfImport = sample.kind == .eventList && place.command == "import"
        #expect(
          !run.err.contains(Self.name(sample.kind)) || isKeyOfOtherHalf || isListOfImport,
          "\(place.testDescription), \(sample.name): \(run)")
      }
    }
  }

  @Test("An output replaces its own kind, and no file of another known kind")
  func outputs() {
    for place in FilePlace.all([.output]) {
      for sample in ContentSamples.one {
        let world = Self.world()
        world.set { $0.files["x"] = sample.bytes }
        let run = place.run("x", in: world)
        if place.kinds.contains(sample.kind) {
          #expect(!run.err.contains("which would be lost"), "\(place.testDescription), \(sample.kind): \(run)")
        } else {
          #expect(run.code == .cannotWrite && run.changes.isEmpty, "\(place.testDescription), \(sample.kind): \(run)")
          #expect(run.err.contains("which would be lost; name another file"), "\(run)")
        }
      }
    }
  }

  @Test(
    "An output takes the place of its earlier self",
    arguments: [
      "import --preset plain e.csv -q -o out", "model convert table.csv --currency USD -o out",
      "model convert m.json --to csv --partial -o out", "timeline --svg out", "timeline --html out",
      "replay list.jsonl -q --model m.json --record out", "replay list.jsonl -q --report-junit out",
      "replay list.jsonl -q --report-tap out", "replay list.jsonl -q --report-json out",
      "replay list.jsonl -q --report-html out", "replay list.jsonl -q --report-markdown out",
      "backtest --model m.json --start-at-first-row --until 2027-01-01T00:00:00Z e.csv --html out",
      "backtest --model m.json --start-at-first-row --until 2027-01-01T00:00:00Z e.csv --devices out",
      "report received.jsonl --html out",
      "check urls.txt -q --report-junit out",
    ])
  func again(line: String) {
    let world = Self.world()
    let first = world.run(line)
    #expect(world["out"]?.isEmpty == false, "\(first)")
    #expect(world.run(line).code == first.code)
  }

  @Test("A project file of another kind")
  func projects() {
    for sample in ContentSamples.one where sample.kind != .projectFile {
      let world = Self.world()
      world.set {
        $0.files["x"] = sample.bytes
        $0.variables["SKAN_PROJECT"] = "x"
      }
      let run = world.run("details")
      #expect(run.code == .badData && run.err.contains(Self.name(sample.kind)), "\(sample.kind): \(run)")
    }
  }

  @Test("install --force replaces a phone or a damaged one, and nothing else")
  func force() {
    for sample in ContentSamples.all {
      let world = Self.world()
      world.set { $0.files["x"] = sample.bytes }
      let plain = world.run("install --state x")
      #expect(plain.changes.isEmpty)
      let run = world.run("install --force --state x")
      if sample.kind == .deviceFile {
        #expect(plain.code == .cannotWrite && run.code == .ok, "\(run)")
      } else {
        #expect(plain.code == .badData && run.code == .badData && run.changes.isEmpty, "\(sample.name): \(run)")
        #expect(run == plain && run.err.contains(Self.name(sample.kind)), "\(sample.name): \(run)")
        #expect(!world.takeLog().contains { $0.hasPrefix("lock x") })
      }
    }
    for text in ["", "\n", "{", "{\n  \"form"] {
      let world = Self.world()
      world["x"] = text
      #expect(world.run("install --force --state x").code == .ok, "\(text)")
    }
    for text in ["notes\n", "{}", "[1]", "{\"a\":1}"] {
      let world = Self.world()
      world["x"] = text
      let run = world.run("install --force --state x")
      #expect(run == Consequences(.badData, err: "x:1:1: this is no device file; name another one with --state\n"))
      #expect(world["x"] == text)
    }
  }
}
