import Foundation
import SKANBase
import SKANHTTP
import SKANSigning
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

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
