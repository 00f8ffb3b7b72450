import Foundation
import SKANBase
import SKANHTTP
import SKANSigning
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand

@Suite("receive --forward", .enabled(if: World.canCheckSignatures))
struct ForwardTests {
  private static let url = "http://localhost:9000/hook?token=t"
  private static let offset = "received.jsonl.crm.offset"

  /// The transaction and window of each postback that was sent.
  private func sent(_ world: World) throws -> [String] {
    try world.posts.map { post in
      let body = try JSONReader.read(Array(post.body.utf8)).value
      return
        "\(body["transaction-id"].map { JSONWriter.text($0) } ?? "") \(body["did-win"].map { JSONWriter.text($0) } ?? "")"
    }
  }

  @discardableResult
  private func receive(_ world: World, _ files: String, _ more: String...) -> Consequences {
    world.run("receive \(files) --key public.pem -q", arguments: ["--forward", "crm=\(Self.url)"] + more)
  }

  @Test("Each genuine postback once and in order, across runs; no forged one, and no copy")
  func once() throws {
    let world = try World.withPostbacks()
    world.takePostbacks(204)
    world["forged.json"] = (world["1.json"] ?? "").replacing("\"conversion-value\":12", with: "\"conversion-value\":63")
    world["broken.json"] = (world["3.json"] ?? "").replacing("\"com.example\"", with: "\"com.exampl\"")
    #expect(receive(world, "1.json 1.json broken.json forged.json 2.json").code == .expectationFailed)
    #expect(world.posts.map(\.idempotencyKey).count == 2)
    let first = world[Self.offset]
    #expect(receive(world, "1.json 3.json apple.jsonl").code == .ok && world[Self.offset] != first)
    // Apple's own examples of 2.2 and 2.1 have one transaction id.
    #expect(world.posts.count == 8 && Set(world.posts.map(\.idempotencyKey)).count == 8)
    #expect(
      world.posts.map { $0.body.contains(#""simulated":true"#) } == [true, true, true]
        + Array(repeating: false, count: 5))
    #expect(world.posts.allSatisfy { $0.url == Self.url && $0.recipient == nil })
    #expect(receive(world, "apple.jsonl").code == .ok && world.posts.count == 8)
    // Another receiver has its own place, and gets all of it.
    world.run("receive 1.json -q --key public.pem --forward http://localhost:9001/")
    #expect(world.posts.count == 16 && world["received.jsonl.localhost-9001.offset"] == world[Self.offset])
  }

  @Test("What its value means goes with it, as it stands in the file")
  func decoded() throws {
    let world = try World.withPostbacks()
    world.takePostbacks(200)
    world["model.json"] = try String(
      contentsOf: Checkout.fixtures.appending(path: "models/mixed.json"), encoding: .utf8)
    #expect(receive(world, "1.json --model 525463029=model.json").code == .ok)
    let post = try #require(world.posts.first)
    let forwarded = try JSONReader.read(Array(post.body.utf8)).value
    let file = try #require(world["received.jsonl"])
    let kept = try JSONReader.read(Array(file.prefix { $0 != "\n" }.utf8)).value
    #expect(forwarded["decoded"]?["value"] == .string("fine 12") && forwarded["decoded"] == kept["decoded"])
    #expect(forwarded["received_at"] == kept["received_at"] && forwarded["campaign"] == .null)
  }

  @Test("What is not accepted stays, with all behind it, and comes with the next run; the token is not shown")
  func refused() throws {
    let world = try World.withPostbacks()
    world.takePostbacks(200, 500, 200)
    let run = receive(world, "1.json 2.json 3.json")
    #expect(
      run.code == .badAnswer
        && run.err
          == "skan: forward crm (http://localhost:9000/hook): HTTP 500; what is left comes with the next run\n"
    )
    #expect(world.posts.count == 2)
    let again = world.run("receive 4.json --key public.pem --forward crm=\(Self.url)")
    #expect(again.code == .ok && again.out.hasSuffix("3 postbacks passed on to crm (http://localhost:9000/hook)\n"))
    #expect(world.posts.map(\.idempotencyKey)[1] == world.posts.map(\.idempotencyKey)[2] && world.posts.count == 5)
    world.takeNoPostbacks(.connectionRefused(proxy: nil))
    let gone = world.run("receive apple.jsonl --json --forward crm=\(Self.url)")
    #expect(gone.code == .unavailable && !gone.err.contains("token"))
    #expect(gone.out.hasSuffix("{\"accepted\":0,\"forward\":\"crm\",\"is_complete\":false}\n"))
    world.takeNoPostbacks(.interrupted)
    #expect(receive(world, "apple.jsonl").code == .interrupted)
  }

  @Test("A receiver that gives the SDK key back, in its answer or in what fails: it is in nothing that is written")
  func keyGivenBack() throws {
    let world = try World.withPostbacks()
    for (index, spelling) in KeySpelling.all.enumerated() where index % 3 == 0 || Rounds.areMany {
      let text = spelling.text
      let redirect = HTTPResponse(status: 307, headers: [HTTPField("Location", "/\(text)")])
      let answers: [Result<HTTPExchange, TransportFailure>] = [
        .failure(.other(code: 1, text: "failed at \(text)!")), .failure(.malformedHTTP("what is \(text)?")),
        .failure(.redirectRefused(to: "http://x/\(text)")),
        .success(HTTPExchange(redirect, url: "http://localhost/\(text)")),
        .success(HTTPExchange(HTTPResponse(status: 500, body: Array(text.utf8)), url: Self.url)),
      ]
      for answer in answers {
        world.set {
          $0.variables["SKAN_SDK_KEY"] = spelling.steps[0]
          $0.post = { _ in answer }
        }
        let run = world.run("receive 1.json --key public.pem --json --forward crm=\(Self.url)")
        #expect(run.code != .ok && run.err.hasPrefix("skan: forward crm"))
        #expect(spelling.leak(in: run.out + run.err) == nil, "\(spelling.name): \(run.err)")
      }
      #expect(world.texts.allSatisfy { spelling.leak(in: $0.text) == nil }, "\(spelling.name)")
    }
  }

  @Test("What was accepted and could not be written is sent again, with its key")
  func unwritten() throws {
    let world = try World.withPostbacks()
    world.takePostbacks(200)
    world.set { $0.failures["replace \(Self.offset)"] = .cannotWrite(file: Self.offset, reason: "full") }
    let run = receive(world, "1.json 2.json")
    #expect(run.code == .cannotWrite && world.posts.count == 1)
    #expect(
      run.err
        == "skan: forward crm (http://localhost:9000/hook): cannot write \(Self.offset): full; the postback that was "
        + "accepted last is sent again if this run ends before\n")
    world.set { $0.failures = [:] }
    #expect(receive(world, "3.json").code == .ok && world.posts.count == 4)
    #expect(world.posts[0].idempotencyKey == world.posts[1].idempotencyKey)
  }

  @Test("An offset file of another file, and one that is none: refused with advice before anything is kept")
  func otherFile() throws {
    let world = try World.withPostbacks()
    world.takePostbacks(200)
    receive(world, "1.json 2.json")
    world["received.jsonl"] = nil
    let run = receive(world, "3.json")
    #expect(
      run.code == .badData
        && run.err
          == "skan: \(Self.offset) is not of this received.jsonl: line 2 is not the one that was passed on last. Put the file "
          + "back; or remove \(Self.offset), and all of the file is passed on from its first line\n"
    )
    #expect((world["received.jsonl"] ?? "").isEmpty && world.posts.count == 2)
    world[Self.offset] = "12"
    #expect(receive(world, "3.json").err.hasPrefix("\(Self.offset):1:1: "))
    world[Self.offset] = nil
    #expect(receive(world, "3.json").code == .ok && world.posts.count == 3)
  }

  @Test(
    "Wrong options",
    arguments: [
      ("--forward crm=", "--forward: it must begin with http:// or https://"),
      ("--forward =http://a/", "a name has 1 to 64 letters"),
      ("--forward a.b=http://a/", "a name has 1 to 64 letters"), ("--forward ftp://a/", "http"),
      ("--forward http://u:p@a/", "user"), ("--forward http://a/#x", "fragment"),
      ("--forward http://a/1 --forward http://A/2", "two receivers of --forward have the name \"a\""),
      ("--forward Crm=http://a/ --forward crm=http://b/", "have the name \"crm\": give each its own, as in other=URL"),
    ])
  func usage(options: String, message: String) throws {
    let run = try World.withPostbacks().run("receive 1.json \(options)")
    #expect(run.code == .usage && run.err.contains(message), "\(run.err)")
  }

  @Test("serve: its options belong to --postbacks")
  func serve() {
    for (options, message) in [
      ("--forward http://a/", "--forward belongs to --postbacks"),
      ("--postbacks r --forward a=http://a/ --forward a=http://b/", "have the name \"a\""),
    ] {
      let run = World().run("serve \(options)")
      #expect(run.code == .usage && run.err.contains(message), "\(run.err)")
    }
  }
}

/// A receiver while more may come, as of `serve --postbacks --forward`.
@Suite("Passing postbacks on while a server runs", .enabled(if: World.canCheckSignatures))
struct ForwarderTests {
  private static let offset = "received.jsonl.crm.offset"
  private static let name = "skan: forward crm (http://localhost:9/): "

  /// Two received postbacks, and what passes them on a million times as fast.
  private func forwarder(_ change: (inout FileAccess) -> Void = { _ in }) throws -> (World, Forwarder) {
    let world = try World.withPostbacks()
    let received = world.run("receive -q --key public.pem 1.json 2.json")
    #expect(received.code == .ok && received.err.isEmpty)
    world.set { $0.variables["TEST_FORWARD_SPEED"] = "1000000" }
    var environment = world.environment
    change(&environment.files)
    let target = ForwardTarget(name: "crm", url: try PostbackURL("http://localhost:9/"))
    let size = world["received.jsonl"]?.utf8.count ?? 0
    return (world, try Forwarder("received.jsonl", size: size, to: target, environment))
  }

  /// Answers with these statuses in turn; after the last nothing more comes.
  private func answer(_ statuses: [Int], _ world: World, _ forwarder: Forwarder) {
    let rest = Mutex(statuses[...])
    world.set {
      $0.post = { post in
        let status = rest.withLock { $0.popFirst() } ?? 200
        if rest.withLock({ $0.isEmpty }) { forwarder.end() }
        return .success(HTTPExchange(HTTPResponse(status: status), url: post.url))
      }
    }
  }

  @Test("What is not accepted is sent again until it is; a problem is said once, and that it is over")
  func again() throws {
    let (world, forwarder) = try forwarder()
    answer([500, 500, 204, 204], world, forwarder)
    let outcome = forwarder.run()
    #expect(outcome.ending == .accepted && outcome.count == 2 && world.posts.count == 4)
    #expect(Set(world.posts.prefix(3).map(\.idempotencyKey)).count == 1)
    #expect(
      world.errors == Self.name
        + "HTTP 500; sent again after 1, 5, 15, 30 and 60 minutes and then every hour, and what comes waits\n"
        + Self.name + "accepts postbacks again\n")
  }

  @Test("Nothing more comes while it waits: what is left comes with the next run")
  func ended() throws {
    let (world, forwarder) = try forwarder()
    answer([503], world, forwarder)
    #expect(forwarder.run().ending == .refused)
    #expect(world.posts.count == 1 && world[Self.offset] == nil)
    #expect(world.errors == Self.name + "HTTP 503; what is left comes with the next run\n")
  }

  @Test("The user stops it, before an attempt and in one")
  func interrupted() throws {
    let (world, forwarder) = try forwarder()
    world.set {
      $0.post = { _ in
        world.set { $0.isInterrupted = true }
        return .failure(.interrupted)
      }
    }
    #expect(forwarder.run().ending == .interrupted && world.posts.count == 1)
    #expect(forwarder.run().ending == .interrupted && world.posts.count == 1)
    world.set { $0.isInterrupted = false }
    world.set {
      $0.post = { _ in
        world.set { $0.isInterrupted = true }
        return .failure(.noSuchHost)
      }
    }
    #expect(forwarder.run().ending == .interrupted && world.posts.count == 2)
  }

  @Test("An offset that cannot be written is written again, and nothing is sent twice in this run")
  func offsetFails() throws {
    let failures = Mutex(3)
    let (world, forwarder) = try forwarder { files in
      files.replace = { [replace = files.replace] (path, bytes) throws(CommandError) in
        if failures.withLock({
          $0 -= 1; return $0 >= 0
        }) {
          throw .cannotWrite(file: path, reason: "full")
        }
        try replace(path, bytes)
      }
    }
    answer([200, 200], world, forwarder)
    #expect(forwarder.run().ending == .accepted && world.posts.count == 2)
    #expect(
      world.errors == Self.name
        + "cannot write \(Self.offset): full; the postback that was accepted last is sent again "
        + "if this run ends before\n" + Self.name + "accepts postbacks again\n")
  }

  @Test("A file that cannot be read, or in which something else stands, ends it")
  func broken() throws {
    for (text, message) in [
      (nil, "cannot read received.jsonl: Input/output error"),
      ("[]\n", "cannot read received.jsonl: line 1 is not of a received postback"),
    ] as [(String?, String)] {
      let (world, forwarder) = try forwarder()
      if let text { world["received.jsonl"] = text + (world["received.jsonl"] ?? "") }
      if text == nil {
        world.set { $0.failures["read received.jsonl"] = .unreadable(file: "", reason: "Input/output error") }
      }
      forwarder.end()
      #expect(forwarder.run().ending == .failed && world.posts.isEmpty)
      #expect(world.errors == Self.name + message + "; nothing more is passed on\n")
    }
  }
}

@Suite("The app's server over the wire", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ForwardExecutableTests {
  @Test("A report arrives by GET and by POST, and the model's value comes back", arguments: [[], ["--post"]])
  func arrives(post: [String]) throws {
    let workspace = try Workspace()
    let model = Checkout.fixtures.appending(path: "models/engagement.json").path
    let served = try Served(["--model", model, "--journal", "journal.ndjson"], in: workspace)
    _ = try workspace.run(["register", "-q", "--at", "2026-01-01T00:00:00Z"])
    let event = try workspace.run(
      ["s2s", "event", "a+b c", "--revenue", "9.99", "--currency", "USD", "--endpoint", served.address] + post)
    #expect(event.code == 0, "\(event)")
    let session = try workspace.run(
      ["session", "--forward", "--after", "1m", "--endpoint", served.address, "--expect", "forwarded.0.outcome=ok"]
        + post)
    #expect(session.code == 0 && session.out.contains("launch is accepted; its conversion_value is 1."), "\(session)")
    _ = served.end(SIGINT)
    let journal = try #require(workspace["journal.ndjson"])
    // Escaped so that a form and a query read back the same.
    #expect(journal.contains(post.isEmpty ? #""n":"a+b c""# : "&n=a%2Bb%20c&"))
  }
}
