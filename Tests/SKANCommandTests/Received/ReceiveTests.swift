import SKANReceive
import SKANRun
import Testing

@testable import SKANCommand
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
    #expect(try records(world).last?.signature.why?.contains("does not fit") == true)
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

@Suite("What serve does with postbacks")
struct PostbackReceiverTests {
  private static let body = Array(
    """
    {"version":"2.1","ad-network-id":"com.example","campaign-id":4,"app-id":5,"redownload":true,\
    "transaction-id":"0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d","attribution-signature":"\(signature)"}
    """.utf8)
  /// Of the form of one, and of no key.
  private static let signature = "MAYCAQECAQE="

  private func inbox(_ world: World, _ options: String...) throws -> PostbackReceiver {
    let spec = ServeCommand.spec
    let arguments = try ParsedArguments(["--postbacks", "r.jsonl"] + options, for: spec) { _ in nil }
    let invocation = Invocation(spec, arguments, world.environment)
    let serve = try ServeCommand.Options(OptionReader(invocation))
    return try #require(try PostbackReceiver(serve.postbacks, models: [], invocation))
  }

  private func receipts(_ inbox: PostbackReceiver, _ bodies: [UInt8]...) -> [PostbackReceipt] {
    let keeper = inbox.keeper
    let receipts = bodies.map { keeper.receive($0, "192.0.2.1") }
    keeper.commit()
    return receipts.map { $0() }
  }

  @Test("What is no postback is refused, and not kept")
  func refused() throws {
    let world = World()
    let long = [UInt8](repeating: 0x20, count: 65_537)
    #expect(
      try receipts(inbox(world), long, Array("[1]".utf8), Array("{".utf8)) == [
        .refused(413, reason: "a postback has at most 64 KiB"), .refused(400, reason: "the body is not a JSON object"),
        .refused(400, reason: "the body: not JSON: the text ends too early"),
      ])
    #expect(world["r.jsonl"] == "" && world.errors.isEmpty)
  }

  @Test("Where no signature can be checked it is kept all the same, and that is said once")
  func unchecked() throws {
    let world = World()
    let inbox = try inbox(world)
    #expect(receipts(inbox, Self.body) == [.kept(verdict: "not-checked, first")])
    #expect(receipts(inbox, Self.body) == [.kept(verdict: "not-checked, duplicate")])
    #expect(world["r.jsonl"]?.split(separator: "\n").count == 2)
    #expect(world.errors == "skan: signatures are not checked: \(SigningError.toolMissing.message)\n")
  }

  @Test("While the server is about to stop it is not kept: its sender sends it again")
  func interrupted() throws {
    let world = World {
      $0.signatures = SignatureTool(
        signMessage: { (_, _) throws(SigningError) in throw .interrupted },
        verifyMessage: { (_, _, _) throws(SigningError) in throw .interrupted })
    }
    #expect(try receipts(inbox(world), Self.body) == [.notKept(cause: "interrupted")])
    #expect(world["r.jsonl"] == "" && world.errors.isEmpty)
  }

  @Test("A disk that takes nothing: none of a commit is kept, and the next is")
  func full() throws {
    let world = World { $0.failures["append r.jsonl"] = .cannotWrite(file: "r.jsonl", reason: "full") }
    let inbox = try inbox(world)
    world.set { $0.signatures = .missing }
    #expect(
      receipts(inbox, Self.body, Array("[1]".utf8)) == [
        .notKept(cause: "cannot write r.jsonl: full"), .refused(400, reason: "the body is not a JSON object"),
      ])
    #expect(world.errors.hasSuffix("skan: a postback is not kept, and answered with 503: cannot write r.jsonl: full\n"))
    world.set { $0.failures = [:] }
    #expect(receipts(inbox, Self.body) == [.kept(verdict: "not-checked, first")])
  }

  @Test("A lock that is lost keeps nothing more")
  func lockLost() throws {
    let world = World()
    let inbox = try inbox(world)
    world.set { $0.losesLocks = true }
    guard case .notKept(let cause)? = receipts(inbox, Self.body).first else {
      Issue.record("it is kept")
      return
    }
    #expect(cause.hasPrefix("r.jsonl.lock was removed or replaced while this run held it"))
  }

  @Test("An offset of another file is refused, and the file is let go")
  func otherFile() throws {
    let world = World()
    world["r.jsonl.crm.offset"] = #"{"line":1,"bytes":9,"hash":"0000000000000000"}"#
    let error = #expect(throws: CommandError.self) { try inbox(world, "--forward", "crm=http://localhost:9/") }
    #expect(
      error?.message?.hasPrefix("skan: r.jsonl.crm.offset is not of this r.jsonl: line 1 is not the one") ?? false)
    #expect(world.takeLog().last == "unlock r.jsonl")
  }
}
