import Foundation
import TestSupport
import Testing

@testable import SKANCommand

@Suite("A file that a command reads is none that it writes")
struct NamedFileTests {
  /// Commands whose options name files that are written.
  private static let writing = CommandLineTool.commands.filter { !outputs(of: $0).isEmpty }

  private static func outputs(of spec: CommandSpec) -> [OptionRow] {
    spec.options.filter { $0.file.map { $0.kind != .input } ?? false }
  }

  private static func verb(_ output: OptionRow) -> String { output.file?.kind == .addition ? "add to" : "replace" }

  /// The beginning of a command line, with a file that stands for nothing else.
  private static func beginning(_ spec: CommandSpec) -> [String] {
    spec.name.split(separator: " ").map(String.init) + spec.arguments.map { $0 == "URL" ? "http://h" : "argument" }
  }

  @Test("Every command, every file that it writes, every file of an option that it reads")
  func inputs() {
    #expect(Self.writing.count >= 11)
    for spec in Self.writing {
      for output in Self.outputs(of: spec) {
        for input in spec.options where input.file?.kind == .input {
          let value = [.json, .pair].contains(input.kind) ? "@x" : "x"
          let run = World().run("", arguments: Self.beginning(spec) + [output.flag, "x", input.flag, value])
          let words = "\(output.flag) would \(Self.verb(output)) the file of \(input.flag)"
          #expect(run == .usage(words, command: spec.name))
        }
      }
    }
  }

  @Test("Every command, every two files that it writes")
  func outputs() {
    for spec in Self.writing {
      let outputs = Self.outputs(of: spec)
      for (index, output) in outputs.enumerated() {
        for other in outputs[..<index] {
          let run = World().run("", arguments: Self.beginning(spec) + [output.flag, "x", other.flag, "x"])
          let words = "\(output.flag) would \(Self.verb(output)) the file of \(other.flag)"
          #expect(run == .usage(words, command: spec.name))
        }
      }
    }
  }

  @Test("Every command, the files of its arguments")
  func arguments() {
    for spec in Self.writing where !spec.arguments.isEmpty && spec.arguments != ["URL"] {
      for output in Self.outputs(of: spec) where output.file?.kind == .output {
        let run = World().run("", arguments: Self.beginning(spec) + [output.flag, "argument"])
        #expect(run.code == .usage, "\(run)")
        #expect(run.err.hasPrefix("skan: \(output.flag) would replace "), "\(run)")
        #expect(run.err.contains("argument\n"), "\(run)")
      }
    }
  }

  @Test(
    "However the file is named",
    arguments: [
      ("backtest may.csv --model m.json#525463029 --html m.json", "--html would replace the file of --model"),
      ("replay a.jsonl --model com.a=m.json --record m.json", "--record would replace the file of --model"),
      ("replay a.jsonl --model com.a=m.json#1 --record m.json", "--record would replace the file of --model"),
      ("serve --model 1=from=2026-01-01:m.json --journal m.json", "--journal would add to the file of --model"),
      ("replay lists --report-html lists/a.jsonl", "--report-html would replace the list lists/a.jsonl"),
      ("install --force --details dump --state dump", "--state would replace the file of --details"),
      ("install --force --ad @skan-state.json", "--state would replace the file of --ad"),
      ("import may.csv -o r.json", "--output would replace the file of SKAN_RATES"),
      ("model fit --values 3 may.csv -o p/map.json", "--output would replace the file of mapping of p/skan.json"),
      ("import may.csv -o p/skan.json", "--output would replace the project file p/skan.json"),
      ("timeline --svg skan-state.json", "--svg would replace the file of --state"),
      ("receive a.json --campaigns received.jsonl", "--into would add to the file of --campaigns"),
    ])
  func names(line: String, words: String) {
    let world = World {
      $0.projectFolders = ["p/"]
      // A replay without a model refuses it first.
      if line.contains("r.json") { $0.variables["SKAN_RATES"] = "r.json" }
    }
    world["p/skan.json"] = #"{"commands":{"model fit":{"mapping":"map.json"}}}"#
    world["lists/a.jsonl"] = #"{"op":"register"}"# + "\n"
    let run = world.run(line)
    // A list that is read is refused for what it is, if it is read before its folder's lists are known.
    let isList = line.hasSuffix("--report-html lists/a.jsonl")
    #expect(run.code == (isList ? .cannotWrite : .usage), "\(run)")
    let reason = isList ? "cannot write lists/a.jsonl: it is an event list" : "\(words)\n"
    #expect(run.err.hasPrefix("skan: \(reason)"), "\(run)")
    #expect(run.changes.isEmpty)
  }

  @Test("Standard input is no file, and neither is a key that stands on the command line")
  func noFiles() throws {
    let world = World { $0.streams["-"] = ["device,time,name", "a,2026-01-01T00:00:00Z,x"] }
    #expect(world.run("import --preset plain - -q -o -").code == .ok)
    let key =
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWdp8GPcGqmhgzEFj9Z2nSpQVddayaPe4FMzqM9wib1+aHaaIzoHoLN9zW4K8y4SPykE3YVK3sVqW6Af0lfx3gg=="
    let run = world.run("receive none.json --key \(key) --into \(key)")
    #expect(run.code == .noInput, "\(run)")
  }
}

@Suite("Files that do not exist: the nearest name of the same kind")
struct MissingFileTests {
  @Test(
    arguments: [
      ("check d/captur.har", "d/captur.har", "d/capture.har"),
      ("verify d/postbak.json", "d/postbak.json", "d/postback.json"),
      ("report d/recieved.jsonl", "d/recieved.jsonl", "d/received.jsonl"),
      ("model check d/mixd.json", "d/mixd.json", "d/mixed.json"),
      ("model convert d/mixd.json --to csv", "d/mixd.json", "d/mixed.json"),
      ("backtest --model d/mixed.json d/exprt.csv", "d/exprt.csv", "d/export.csv"),
      ("import d/evnts.csv --check", "d/evnts.csv", nil), ("backtest --merge d/prt.json", "d/prt.json", "d/part.json"),
      ("replay -q d/list.jsonl --model d/mixed.jsn", "d/mixed.jsn", nil),
    ] as [(String, String, String?)])
  func near(line: String, given: String, near: String?) throws {
    let world = World.registered()
    for name in ["d/capture.har", "d/postback.json", "d/received.jsonl", "d/export.csv", "d/part.json", "d/list.jsonl"]
    {
      world[name] = ""
    }
    world["d/mixed.json"] = try String(
      contentsOf: Checkout.fixtures.appending(path: "models/mixed.json"), encoding: .utf8)
    let run = world.run(line)
    #expect(run.code == .noInput)
    if let near {
      #expect(run.err == "skan: \(given) does not exist; did you mean \(near)?\n")
    } else {
      #expect(run.err.hasPrefix("skan: \(given) does not exist; ") && !run.err.contains("did you mean"))
    }
  }
}

@Suite("A file in the place of another")
struct OtherFileTests {
  private func world() -> World {
    let world = World.registered()
    world["list.jsonl"] = "# a life\n{\"op\":\"register\"}\n{\"op\":\"session\"}\n"
    world["model.json"] = "{\n\"postback_mappings\":[]\n}"
    return world
  }

  @Test(
    "It is named as what it is",
    arguments: [
      ("session --model list.jsonl", "list.jsonl:1:1: this is an event list; 'skan replay list.jsonl' runs it\n"),
      ("model explain list.jsonl", "list.jsonl:1:1: this is an event list; 'skan replay list.jsonl' runs it\n"),
      (
        "session --model skan-state.json",
        "skan-state.json:1:1: this is a device file; --state takes it: 'skan timeline --state skan-state.json' draws its "
          + "phone, and 'skan replay --state skan-state.json LIST' continues it\n"
      ),
      (
        "verify model.json",
        "model.json:1:1: this is a conversion model; 'skan model check model.json' checks it, --model takes it\n"
      ),
    ])
  func named(line: String, words: String) {
    #expect(world().run(line) == Consequences(.badData, err: words))
  }

  private static let har = #"{"log":{"version":"1.2","entries":[]}}"#
  private static let journal =
    #"{"answer":"{}","explanation":"","path":"/api/v2/conversion_value","query":"a=b","status":200}"#

  @Test(
    "In the place of a list",
    arguments: [
      (
        "skan-state.json",
        "a device file; --state takes it: 'skan timeline --state skan-state.json' draws its phone, "
          + "and 'skan replay --state skan-state.json LIST' continues it"
      ),
      ("model.json", "a conversion model; 'skan model check model.json' checks it, --model takes it"),
      ("short.json", "a conversion model; 'skan model check short.json' checks it, --model takes it"),
      ("life.har", "a capture (HAR); 'skan check life.har' checks it, and its --to-list makes a list from it"),
      ("long.har", "a capture (HAR); 'skan check long.har' checks it, and its --to-list makes a list from it"),
      ("journal", "a journal of 'skan serve'; 'skan check journal' checks it, and its --to-list makes a list from it"),
      ("received.jsonl", "a file of received postbacks; 'skan report received.jsonl' counts them"),
    ])
  func list(file: String, words: String) {
    let world = world()
    world["short.json"] = #"{"postback_mappings":[]}"#
    world["life.har"] = Self.har
    world["long.har"] = Self.har.replacing("{", with: "{\n")
    world["journal"] = Self.journal + "\n" + Self.journal
    world["received.jsonl"] = #"{"received_at":1,"body":"{}"}"#
    let expected = Consequences(.badData, err: "\(file):1:1: this is \(words)\n")
    #expect(world.run("replay \(file)") == expected)
    #expect(world.run("replay --test \(file)").err == expected.err)
    #expect(world.run("timeline \(file)") == expected)
    world["main.jsonl"] = #"{"op":"include","file":"\#(file)"}"#
    #expect(world.run("replay main.jsonl").err.hasPrefix("\(file):1:1: this is \(words) (included from main.jsonl:1)"))
  }

  @Test("A list with a mistake in its first line stays a list, and so does a pipe")
  func lists() {
    let world = world()
    world["list.jsonl"] = "{\"op\":\"sesion\"}\n"
    #expect(world.run("replay list.jsonl").err.contains("there is no op \"sesion\"; did you mean \"session\"?"))
    world["list.jsonl"] = "{\n\"op\":\"session\"}\n"
    #expect(world.run("replay list.jsonl").err.contains("this is a step over several lines"))
    world.set { $0.streams["-"] = [Self.journal] }
    #expect(world.run("replay -").err.hasPrefix("-:1:1: this is a journal of 'skan serve'; 'skan check -'"))
  }

  @Test(
    "A list that is not there: the nearest name beside it",
    arguments: [
      ("d/lits.jsonl", "did you mean d/list.jsonl?"), ("d/list", "did you mean d/list.jsonl?"),
      ("d/none.jsonl", "name an event list, or - for standard input"),
      ("d/other", "name an event list, or - for standard input"),
      ("none/list.jsonl", "name an event list, or - for standard input"),
    ])
  func missing(file: String, words: String) {
    let world = world()
    world["d/list.jsonl"] = #"{"op":"register"}"#
    let expected = Consequences(.noInput, err: "skan: \(file) does not exist; \(words)\n")
    #expect(world.run("replay \(file)") == expected)
    #expect(world.run("timeline \(file)") == expected)
  }

  @Test("A device file that breaks off", arguments: [0, 1, 100, -3])
  func truncated(length: Int) {
    let world = world()
    let text = world[Changes.state] ?? ""
    world[Changes.state] = String(length < 0 ? text.dropLast(-length) : text.prefix(length))
    let result = world.run("session")
    #expect(result.code == .badData)
    #expect(result.err.contains(": not JSON: the text ends too early; 'skan install --force' starts anew\n"))
    #expect(world.run("install --force").code == .ok)
  }
}

@Suite("An output does not take the place of what cannot be made again")
struct OutputProtectionTests {
  private static let received =
    #"{"received_at":1767225600,"source_address":null,"signature":"valid","body":"{}"}"# + "\n"

  private static func world() -> World {
    let world = World.registered()
    world["received.jsonl"] = received
    world["list.jsonl"] = #"{"op":"session"}"# + "\n"
    world["events.csv"] = "device,time,name\na,2026-01-01T00:00:00Z,x\n"
    world["plan.csv"] = "window,value,coarse,event,min_revenue\n0,1,,__SESSION__,\n"
    return world
  }

  @Test(
    "A device file, and received postbacks",
    arguments: [
      "import --preset plain events.csv -o", "model convert plan.csv --currency USD -o",
      "replay list.jsonl --report-tap",
      "replay list.jsonl --report-json", "report received.jsonl --html",
    ])
  func refused(line: String) {
    for file in ["skan-state.json", "received.jsonl"] where !line.contains(file) {
      let world = Self.world()
      let before = world[file]
      let run = world.run("\(line) \(file)")
      #expect(run.code == .cannotWrite, "\(run)")
      #expect(run.err.contains("which would be lost; name another file"), "\(run)")
      #expect(world[file] == before)
    }
  }

  @Test("Any other file is replaced, an earlier output among them")
  func replaced() {
    let world = Self.world()
    for text in ["", "x", "{}", "{\n}", #"{"op":"session"}"#, #"{"profile":1}"#] {
      world["out"] = text
      #expect(world.run("import --preset plain events.csv -o out --quiet").code == .ok)
      #expect(world["out"]?.hasPrefix(#"{"op":"device""#) == true)
    }
  }
}

@Suite("serve --journal adds to a journal, and to nothing else")
struct JournalFileTests {
  @Test(
    "A file of something else is refused before the server starts, and stays as it is",
    arguments: [
      (
        "{\n \"profile\":{},\n \"kept\":{}\n}\n",
        "this is a device file; --state takes it: 'skan timeline --state j' draws its phone, and 'skan replay --state j "
          + "LIST' continues it"
      ),
      ("{\"postbackMappings\":[]}\n", "this is a conversion model; 'skan model check j' checks it, --model takes it"),
      (
        #"{"received_at":1767225600,"body":"{}"}"# + "\n",
        "this is a file of received postbacks; 'skan report j' counts them"
      ),
      (#"{"answer":{"json":{}},"op":"session"}"# + "\n", "this is an event list; 'skan replay j' runs it"),
      ("-----BEGIN PRIVATE KEY-----\nMIG\n", "this is a private key; 'skan postbacks --sign j' signs with it"),
      ("before\n", "this is no journal of 'skan serve'"), ("{", "this is no journal of 'skan serve'"),
    ])
  func refused(text: String, what: String) {
    let world = World()
    world["j"] = text
    let run = world.run("serve --port 0 --journal j")
    #expect(
      run
        == Consequences(
          .badData,
          err: "j:1:1: \(what); requests would be added to it: name another file for the journal\n"))
  }

  @Test(
    "A file that is empty or a journal is added to, also one whose first line broke off",
    arguments: [
      "", "\n", "{\"answer\":\"torn", "{\"ans", "{\"answer\":\"torn\n{}\n",
      #"{"answer":"","at":0,"explanation":"","method":"GET","path":"/","query":{},"status":200}"# + "\n",
      #"{"answer":""# + String(repeating: "x", count: 1 << 17),
    ])
  func taken(text: String) {
    let world = World()
    world["j"] = text
    // As far as this world goes.
    let end = Consequences(.cannotWrite, err: "skan: cannot write j: files cannot be added to here\n")
    #expect(world.run("serve --port 0 --journal j") == end)
  }

  @Test("A pipe is not looked into")
  func pipe() {
    let world = World { $0.streams["j"] = ["anything"] }
    #expect(world.run("serve --port 0 --journal j").code == .cannotWrite)
  }
}
