import SKANReceive
import SKANRun
import Testing

@testable import SKANCommand
@testable import SKANCommandLine
@testable import SKANServe
@testable import SKANSigning

@Suite("receive", .enabled(if: World.canCheckSignatures))
struct ReceiveTests {
  /// The records of a file.
  private func records(_ world: World, _ file: String = "received.jsonl") throws -> [ReceivedRecord] {
    var records: [ReceivedRecord] = []
    _ = try ReceivedFile(ByteSource(Array((world[file] ?? "").utf8))) { record, _, _ in records.append(record) }
    return records
  }

  @Test("Apple's and simulated ones, each by its key, with their bodies as they came")
  func verdicts() throws {
    let world = try World.withPostbacks()
    let run = world.run("receive apple.jsonl simulated.jsonl --key public.pem")
    #expect(run.code == .ok && run.err == "Try 'skan explain conflict'.\n")
    #expect(
      run.out.hasSuffix(
        "\n15 postbacks kept in received.jsonl: 15 valid, 0 invalid, 0 not checked; 14 first, 0 duplicate, 1 in "
          + "conflict\n"))
    let records = try records(world)
    #expect(
      records.map { $0.signature.key } == Array(repeating: .apple, count: 6) + Array(repeating: .simulated, count: 9))
    // Apple's own examples of 2.2 and 2.1 have one transaction id.
    #expect(records.indices.filter { records[$0].repetition != .first } == [5])
    #expect(
      records.allSatisfy {
        $0.sourceAddress == nil && "\($0.receivedAt)" == "2026-06-01T12:00:00Z"
      })
    #expect(
      records.map(\.body).joined(separator: "\n") + "\n" == (world["apple.jsonl"] ?? "")
        + (world["simulated.jsonl"] ?? ""))
  }

  @Test("An output that fails: what is kept is said, also where it is passed on")
  func output() throws {
    for options in [[], ["--forward", "crm=http://localhost:9000/"]] {
      let world = try World.withPostbacks()
      world.takePostbacks(204)
      world.set { $0.outputFailure = .outputFailed(reason: "full") }
      let run = world.run("receive 1.json 2.json --key public.pem", arguments: options)
      #expect(
        run.err
          == "skan: cannot write the output: full; 2 of 2 postbacks kept in received.jsonl: they would be duplicates if "
          + "they were received again\n")
      #expect(run.code == .cannotWrite, "\(run)")
      #expect(try records(world).count == 2)
    }
  }

  @Test("Across runs: the same again, a forged value that verifies, and a signed field that was altered")
  func repetitions() throws {
    let world = try World.withPostbacks()
    let original = world["1.json"] ?? ""
    world["forged.json"] = original.replacing("\"conversion-value\":12", with: "\"conversion-value\":63")
    world["broken.json"] = original.replacing("\"5239\"", with: "\"5238\"")
    world["early.json"] = (world["2.json"] ?? "").replacing("com.example", with: "com.exampl")
    #expect(world.run("receive 1.json --key public.pem -q").code == .ok)
    #expect(world.run("receive 1.json forged.json --key public.pem -q").code == .ok)
    #expect(world.run("receive forged.json --key public.pem -q --strict").code == .expectationFailed)
    #expect(world.run("receive broken.json --key public.pem -q").code == .expectationFailed)
    let kept = try records(world).map { "\($0.signature.verdict) \($0.repetition)" }
    #expect(kept == ["valid first", "valid duplicate", "valid conflict", "valid conflict", "invalid conflict"])
    #expect(try records(world).last?.signature.why?.contains("does not match") == true)
  }

  @Test("Arrays, directories and standard input; nothing is kept when one file has a mistake")
  func sources() throws {
    let world = try World.withPostbacks()
    world["in/a.json"] = "[\(world["1.json"] ?? ""),\n\(world["2.json"] ?? "")]"
    world["in/more/b.jsonl"] = world["apple.jsonl"]
    world["in/c.txt"] = "not read"
    world["in/.hidden.json"] = "not read"
    let text = world["3.json"]
    world.set { $0.input = text }
    #expect(world.run("receive in - --key public.pem -q").code == .ok)
    #expect(try records(world).count == 9)
    let before = world["received.jsonl"]
    for (name, content, message) in [
      ("x.json", "[{},[]]", "x.json:1:5: a postback must be an object, this is an array\n"),
      ("x.json", "{\"a\":1", "x.json:1:7: "),
      ("x.json", before ?? "", "x.json:1:1: this is a file of received postbacks"),
      ("x.json", "{\"a\":\"\(String(repeating: "b", count: 70_000))\"}", "must have at most 64 KiB"),
    ] {
      world[name] = content
      let run = world.run("receive in x.json --key public.pem")
      #expect(run.code == .badData && run.err.contains(message), "\(run.err.prefix(300))")
    }
    #expect(world.run("receive received.jsonl").code == .usage)
    #expect(world.run("receive none.json").code == .noInput)
    #expect(world["received.jsonl"] == before)
  }

  @Test("A torn last line is cut with a note and does not count; a file of something else is left alone")
  func torn() throws {
    let world = try World.withPostbacks()
    world.run("receive 1.json --key public.pem")
    let whole = world["received.jsonl"] ?? ""
    world["received.jsonl"] = whole + whole.dropLast(10)
    let run = world.run("receive 1.json --key public.pem -q")
    #expect(
      run.err
        == "skan: received.jsonl: the last line broke off and is cut (\(whole.utf8.count - 10) bytes): no sender was told "
        + "that it is kept\n")
    #expect(try records(world).map(\.repetition) == [.first, .duplicate])
    world["received.jsonl"] = String(whole.dropLast())
    #expect(world.run("receive 1.json --key public.pem -q").err.isEmpty)
    #expect(try records(world).map(\.repetition) == [.first, .duplicate])
    world["notes.txt"] = "mine"
    #expect(world.run("receive 1.json --into notes.txt").code == .badData)
    #expect(world["notes.txt"] == "mine")
  }

  @Test("What cannot be locked, written or checked: the code, and nothing kept")
  func failures() throws {
    let world = try World.withPostbacks()
    world.set { $0.failures["append received.jsonl"] = .cannotWrite(file: "received.jsonl", reason: "full") }
    #expect(world.run("receive 1.json").code == .cannotWrite)
    world.set { $0.failures = ["lock received.jsonl 2.0": .lockHeld(file: "received.jsonl", by: 7, seconds: 2)] }
    #expect(world.run("receive 1.json --lock-timeout 2s").code == .locked)
    world.set {
      $0.failures = [:]
      $0.signatures = .missing
    }
    #expect(world.run("receive 1.json").code == .unavailable)
    #expect((world["received.jsonl"] ?? "").isEmpty)
  }

  @Test("verify --seen compares with what was received, and counts a conflict as a finding")
  func seen() throws {
    let world = try World.withPostbacks()
    world["forged.json"] = (world["1.json"] ?? "").replacing("\"conversion-value\":12", with: "\"conversion-value\":63")
    #expect(world.run("verify 1.json --seen received.jsonl").code == .noInput)
    world.run("receive 2.json 1.json --key public.pem")
    let again = world.run("verify 1.json --key public.pem --seen received.jsonl")
    #expect(again.code == .ok)
    #expect(again.out.contains("\n  note: received.jsonl:2 is this postback: a receiver drops it. [received-before]\n"))
    let forged = world.run("verify forged.json --key public.pem --seen received.jsonl --strict")
    #expect(forged.code == .expectationFailed)
    #expect(
      forged.out.contains(
        "\n  finding: received.jsonl:2 is this postback with different content: the first counts. "
          + "[transaction-conflict]\n"))
    let json = world.run("verify 3.json --key public.pem --seen received.jsonl --json")
    #expect(json.out.contains(#""repetition":"first","seen_line":null,"#))
    #expect(!world.run("verify 3.json --key public.pem --json").out.contains("seen_line"))
  }

  @Test(
    "A file that is something else is refused before a lock is left beside it",
    arguments: [
      ("hello\n", true), (#"{"transaction-id":"a"}"#, true), (#"{"received_at":""#, false), (#"{"rec"#, false),
      ("", false),
    ])
  func otherFile(content: String, isOther: Bool) throws {
    let world = try World.withPostbacks()
    world["into.jsonl"] = content
    _ = world.takeLog()
    let run = world.run("receive 1.json --key public.pem --into into.jsonl -q")
    #expect(world.takeLog().contains { $0.hasPrefix("lock into.jsonl") } == !isOther)
    #expect(run.code == (isOther ? .badData : .ok), "\(run.err)")
  }
}
