import SKANCommand
import Testing

/// No command writes a file in the place of another one that its command line names.
@Suite("The files of a command line")
struct NamedFilesTests {
  @Test(
    "An output does not replace what is read, and no other output",
    arguments: [
      ("backtest --model mixed.json --mapping mapping.json --html mapping.json may.csv", "--html", "--mapping"),
      ("backtest --model mixed.json --rates rates.json --html rates.json may.csv", "--html", "--rates"),
      ("import --mapping mapping.json -o mapping.json may.csv", "--output", "--mapping"),
      ("model fit --values 4 --mapping mapping.json -o mapping.json may.csv", "--output", "--mapping"),
      ("model fit --values 4 --rates rates.json -o rates.json may.csv", "--output", "--rates"),
      ("replay --model mixed.json --record mixed.json list.jsonl", "--record", "--model"),
      ("replay --model com.example.app=mixed.json --record mixed.json list.jsonl", "--record", "--model"),
      ("replay --model mixed.json#1 --record mixed.json list.jsonl", "--record", "--model"),
      ("replay --model mixed.json --rates rates.json --record rates.json list.jsonl", "--record", "--rates"),
      ("replay --endpoint http://n --variables-file v --record v list.jsonl", "--record", "--variables-file"),
      ("replay --endpoint http://n --sdk-key-file k --record k list.jsonl", "--record", "--sdk-key-file"),
      ("replay --sign k --send http://n --report-junit k list.jsonl", "--report-junit", "--sign"),
      ("receiver-test http://n --sign k --expected k", "--expected", "--sign"),
      ("receiver-test http://n --expected x --report-junit x", "--report-junit", "--expected"),
      ("serve --model mixed.json --journal mixed.json", "--journal", "--model"),
      ("serve --postbacks r.jsonl --journal r.jsonl", "--journal", "--postbacks"),
    ])
  func replaced(line: String, output: String, other: String) throws {
    let world = try World.withBacktest()
    world["list.jsonl"] = "{\"op\":\"register\"}\n"
    world["rates.json"] = "{\"EUR\":0.92}"
    world["k"] = "key"
    world["v"] = "a=b\n"
    let run = world.run(line)
    #expect(run.code == .usage && run.out.isEmpty && run.changes.isEmpty)
    #expect(run.err.hasPrefix("skan: \(output) would replace the file of \(other)\n"), "\(run.err)")
  }

  @Test("Nor does a recording replace its list")
  func recording() throws {
    let world = try World.withBacktest()
    world["list.jsonl"] = "{\"op\":\"register\"}\n"
    let run = world.run("replay --model mixed.json --record list.jsonl list.jsonl")
    #expect(run.code == .usage && run.changes.isEmpty)
    #expect(run.err.hasPrefix("skan: --record would replace the list list.jsonl\n"), "\(run.err)")
  }

  @Test("A journal goes on in a journal alone", arguments: ["{\"profile\":{}}", "-----BEGIN", "a,b\n"])
  func journal(text: String) throws {
    let world = World()
    world["j"] = text
    let run = world.run("serve --journal j")
    #expect(run.code == .cannotWrite && run.changes.isEmpty)
    #expect(
      run.err == "skan: cannot write j: it is not a journal, to which lines could be added; name another file\n")
  }

  @Test("A capture that is named twice would be counted twice", arguments: ["check a.har a.har", "check - -"])
  func twice(line: String) throws {
    let run = World().run(line)
    #expect(run.code == .usage && run.err.contains(" is named twice\n"), "\(run.err)")
  }
}
