import SKANBacktest
import SKANCommand
import Testing

@Suite("What skan import says of an export")
struct ImportReportTests {
  private static let rows = """
    device,time,name,revenue,currency,transaction
    a,1767225600,install,,,
    a,1767225700,install,,,
    a,1767225702,buy,0,USD,t1
    a,1767225702,buy,0,USD,t1
    a,1767225702,buy,0,USD,t1

    """

  private func world(_ text: String) throws -> World {
    let world = try World.withModels()
    world["a.csv"] = text
    return world
  }

  @Test("Amounts of 0, duplicates and later installs are counted; one is singular")
  func counted() throws {
    let lines = try world(Self.rows).run("import --quiet --check --dedupe tx a.csv").out.split(separator: "\n")
    #expect(lines.contains("amounts of 0  3, which are no revenue"))
    #expect(lines.contains("              2 duplicate rows left out"))
    #expect(lines.contains("              1 install of a device that was there before, left out"))
    let more = try world(Self.rows + "a,1767225703,install,,,\n").run("import --quiet --check a.csv").out
    #expect(more.contains("\n              2 installs of a device that was there before, left out\n"))
    #expect(!more.contains("duplicate"))
  }

  @Test("Names that Singular cannot take, with why; of many names the first twenty")
  func names() throws {
    let long = String(repeating: "n", count: 33)
    let some = try world("device,time,name\na,1767225600,caf\u{E9}\na,1767225600,\(long)\n")
      .run("import --quiet --check a.csv").out
    #expect(
      some.contains("\ncannot be sent  \"caf\u{E9}\": name-not-ascii\n                \"\(long)\": name-too-long\n"))
    let rows = (10..<32).map { "a,1767225600,e\($0)\n" }.joined()
    let many = try world("device,time,name\n\(rows)").run("import --quiet --check a.csv").out
    #expect(many.hasSuffix("            \"e29\": 1\n            and 2 more\n"))
  }

  @Test("A model all of whose events are there lacks none")
  func complete() throws {
    let rows = ["__SESSION__", "purchase", "tutorial_done"].map { "a,1767225600,\($0)\n" }.joined()
    let out = try world("device,time,name\n\(rows)").run("import --quiet --check --model mixed.json a.csv").out
    #expect(out.contains("\nonly in the model  none\n"))
  }

  @Test("Rejected rows by their reasons, each with its first place")
  func places() throws {
    let rows = (0..<5).map { "a,never,\($0)\n" }.joined() + ",1767225600,x\n"
    let out = try world("device,time,name\n\(rows)").run("import --quiet --check a.csv").out
    #expect(out.contains("5: its time cannot be read, or is not between 2000 and 2100 (first at a.csv:2)"))
    #expect(out.contains("1: it names no device (first at a.csv:7)\n"))
  }

  @Test("A list is made anew, and goes into a pipe; a phone and received postbacks are not replaced")
  func replaced() throws {
    let world = try world(Self.rows)
    let list = world.run("import --quiet -o - a.csv").out
    world["out.jsonl"] = list
    #expect(world.run("import --quiet -o out.jsonl a.csv").code == .ok && world["out.jsonl"] == list)
    world.set { $0.streams["pipe"] = ["{\"format\":3}"] }
    #expect(world.run("import --quiet -o pipe a.csv").code == .ok && world["pipe"] == list)
    world.run("register")
    let run = world.run("import --quiet -o skan-state.json a.csv")
    #expect(run.code == .cannotWrite && run.changes.isEmpty)
  }

  @Test("Standard input is named so, and is read by its columns as a file is")
  func standardInput() throws {
    let world = try world("")
    world.set { $0.input = "device,time,name\na,1767225600,install\n" }
    #expect(world.run("import -o - -").err.hasPrefix("skan: standard input: read with preset plain, by its columns\n"))
    world.set { $0.input = "x\n" }
    let run = world.run("import --check -")
    #expect(run.code == .badData && run.err.hasPrefix("standard input:1: no preset has these columns: \"x\"; "))
  }

  @Test("A list that cannot be written whole leaves the file as it was; many steps are written in pieces")
  func written() throws {
    let world = try world(Self.rows)
    world["out.jsonl"] = "before\n"
    world.set { $0.fullFile = "out.jsonl" }
    #expect(
      world.run("import --quiet -o out.jsonl a.csv")
        == Consequences(.cannotWrite, err: "skan: cannot write out.jsonl: Input/output error\n"))
    let devices = (0..<4000).map { "d\($0),1767225600,install\n" }.joined()
    let many = try self.world("device,time,name\n\(devices)").run("import --quiet -o - a.csv")
    #expect(many.code == .ok && many.out.split(separator: "\n").count == 8000)
    #expect(Set(many.out.split(separator: "\n")).count == 8000)
  }
}
