import SKANReceive
import SKANRun
import Testing

@testable import SKANCommand
@testable import SKANCommandLine
@testable import SKANServe
@testable import SKANSigning

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
    let arguments = try ParsedArguments(["--postbacks", "r.jsonl"] + options, for: spec, of: .skan) { _ in nil }
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
