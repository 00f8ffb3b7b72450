import Foundation
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

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
