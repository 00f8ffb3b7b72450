import SKANCommand
import SKANReceive
import Testing

@testable import SKANCommandLine

@Suite("report", .enabled(if: World.canCheckSignatures))
struct ReportTests {
  /// A world with 15 postbacks that were received, a forged value and an altered field.
  private func received() throws -> World {
    let world = try World.withPostbacks()
    let original = world["1.json"] ?? ""
    world["forged.json"] = original.replacing("\"conversion-value\":12", with: "\"conversion-value\":63")
    world["broken.json"] = original.replacing("\"5239\"", with: "\"5238\"")
    world.run("receive apple.jsonl simulated.jsonl forged.json broken.json 1.json --key public.pem")
    return world
  }

  @Test("Keys are apart, and what does not count stands beside")
  func text() throws {
    let world = try received()
    let run = world.run("report received.jsonl")
    #expect(run.code == .ok && run.err.isEmpty && run.changes.isEmpty)
    let parts = run.out.components(separatedBy: "\n\n")
    #expect(parts[0] == "18 postbacks received at 2026-06-01T12:00:00Z")
    #expect(parts[1].hasPrefix("Apple's postbacks\n  app 525463029\n"))
    #expect(run.out.contains("\n  total                                    2            2   5   0   0     0.0 %\n"))
    #expect(run.out.contains("\n  not counted: 1 duplicate, 1 in conflict with the first copy\n"))
    #expect(run.out.contains("\n  fine value  postbacks\n          12          5  ########"))
    #expect(!run.out.contains("\n          63          1  ####################\n          63"))
    #expect(
      run.out.hasSuffix(
        "\n  network com.example, campaign 5238, app 525463029\n  invalid  not checked\n        1            0\n"))
    #expect(run.out.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("Two files are one report, in any order, and a torn last line does not count")
  func files() throws {
    let world = try received()
    let whole = world["received.jsonl"] ?? ""
    let lines = whole.split(separator: "\n").map { "\($0)\n" }
    world["a.jsonl"] = lines[..<7].joined() + "{\"received_at\":\"20"
    world["b.jsonl"] = lines[7...].reversed().joined()
    for form in ["", "--json", "--csv"] {
      let expected = world.run("report received.jsonl \(form)").out
      let run = world.run("report b.jsonl a.jsonl \(form)")
      #expect(run.out == expected && run.code == .ok)
      #expect(run.err == "skan: a.jsonl: the last line broke off and does not count (18 bytes)\n")
    }
    world.set { $0.input = whole }
    #expect(world.run("report - --csv").out == world.run("report received.jsonl --csv").out)
    world["empty.jsonl"] = ""
    #expect(world.run("report empty.jsonl").out == "0 postbacks received\n")
    #expect(world.run("report empty.jsonl --csv").out.split(separator: "\n").count == 1)
  }

  @Test("Of many groups that nothing vouches for, twenty are shown")
  func unverified() throws {
    let world = try received()
    let line = (world["received.jsonl"] ?? "").split(separator: "\n").first { $0.contains("\"invalid\"") } ?? ""
    world["forged.jsonl"] = (10..<35).map { "\(line.replacing("com.example", with: "n\($0).example"))\n" }.joined()
    let run = world.run("report forged.jsonl")
    #expect(run.out.contains("\n  n29.example        1            0\n  total             25            0\n"))
    #expect(!run.out.contains("n30.example") && run.out.hasSuffix("\n  and 5 more groups\n"))
    #expect(world.run("report forged.jsonl --csv").out.contains("n34.example"))
  }

  @Test("The page goes to a file or to standard output, alone or beside another form")
  func page() throws {
    let world = try received()
    let run = world.run("report received.jsonl --html out.html")
    let page = world["out.html"] ?? ""
    #expect(run.code == .ok && run.out.isEmpty && page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n"))
    #expect(world.run("report received.jsonl --html -").out == page)
    #expect(world.run("report received.jsonl --html out.html --json").out.hasPrefix("{\"apple\":{"))
    #expect(!page.contains("<script") && !page.contains("http") && page.contains("prefers-color-scheme:dark"))
  }

  @Test(
    "What is wrong with the command line",
    arguments: [
      ("report", "'skan report' needs FILE"),
      ("report received.jsonl received.jsonl", "received.jsonl is named twice"),
      ("report received.jsonl --group network,capaign", "\"capaign\" is none of network,"),
      ("report received.jsonl --group network,capaign", "; did you mean campaign?"),
      ("report received.jsonl --group app,app", "--group names app twice"),
      ("report received.jsonl --by install-date", "must be one of postback-date, estimated-install-date"),
      ("report received.jsonl --by postback-date --group app", "--by is about days: add day to --group"),
      ("report received.jsonl --json --csv", "--json and --csv exclude each other"),
      ("report received.jsonl --csv --html -", "--html - and --csv both go to standard output"),
      ("report received.jsonl --html received.jsonl", "--html would replace received.jsonl"),
    ])
  func usage(line: String, says: String) throws {
    let run = try received().run(line)
    #expect(run.code == .usage && run.err.contains(says) && run.out.isEmpty && run.changes.isEmpty, "\(run.err)")
  }

  @Test(
    "A file of something else is refused with one message, which says what it is",
    arguments: [
      ("", "x:1:1: this is not a file of received postbacks, which 'skan receive'"),
      (
        "notes",
        "x:1:1: this is not a file of received postbacks, which 'skan receive' and 'skan serve --postbacks' make\n"
      ),
      (#"{"op":"session"}"#, "x:1:1: this is an event list; 'skan replay x' runs it; what is needed is a file of"),
      ("{\n \"postbackMappings\":[]\n}", "x:1:1: this is a conversion model; 'skan model check x' checks it, "),
      (#"{"transaction-id":"1"}"#, "x:1:1: these are postbacks as they are sent; 'skan receive x' verifies and keeps"),
      (#"{"explanation":"","path":"/","status":200}"#, "this is a journal of 'skan serve'; 'skan check x' checks it; "),
    ])
  func otherFiles(text: String, says: String) throws {
    let world = try World.withPostbacks()
    world["x"] = String(repeating: "\(text)\n", count: text.contains("\n") ? 1 : 3)
    for line in ["report x", "receive 1.json --into x", "verify 1.json --seen x", "serve --port 0 --postbacks x"] {
      let run = world.run(line)
      #expect(run.code == .badData && run.err.contains(says) && run.err.split(separator: "\n").count == 1, "\(run.err)")
      #expect(run.changes.isEmpty)
    }
    #expect(
      world.run("report none").err == "skan: none does not exist; 'skan receive' and 'skan serve --postbacks' make it\n"
    )
  }
}
