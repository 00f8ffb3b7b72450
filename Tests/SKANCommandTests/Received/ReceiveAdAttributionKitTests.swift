import Foundation
import SKANBase
import SKANCommand
import SKANReceive
import SKANRun
import TestSupport
import Testing

@testable import SKANCommandLine

@Suite("receive and report: AdAttributionKit", .enabled(if: World.canCheckSignatures))
struct ReceiveAdAttributionKitTests {
  private func world() throws -> World {
    let world = try World.withPostbacks()
    world["apple.json"] = try String(
      contentsOf: Checkout.fixtures.appending(path: "postbacks/aak-development.json"), encoding: .utf8)
    let first = try AdAttributionKitSample().body()
    world["install.json"] = first
    world["forged.json"] = first.replacing(":24", with: ":63")
    world["altered.json"] = first.replacing("\"jws-string\":\"ey", with: "\"jws-string\":\"ez")
    world["open.json"] = try AdAttributionKitSample(
      identifier: "1B1C2D3E-4F50-4A6B-8C7D-9E0F1A2B3C4D", type: "re-engagement"
    ).body()
    return world
  }

  private func records(_ world: World) throws -> [ReceivedRecord] {
    var records: [ReceivedRecord] = []
    _ = try ReceivedFile(ByteSource(Array((world["received.jsonl"] ?? "").utf8))) { record, _, _ in
      records.append(record)
    }
    return records
  }

  @Test("Both frameworks in one file and one report: verdicts, copies, and a conflict")
  func both() throws {
    let world = try world()
    let run = world.run(
      "receive 1.json install.json open.json install.json forged.json altered.json apple.json --key \(SigningKey.publicBase64)"
    )
    #expect(run.code == .expectationFailed)
    #expect(
      run.out.hasSuffix(
        "\n7 postbacks kept in received.jsonl: 6 valid, 1 invalid, 0 not checked; 4 first, 2 duplicate, 1 in conflict\n"
      ),
      "\(run.out)")
    let records = try records(world)
    #expect(records.map(\.framework) == [.skAdNetwork] + Array(repeating: .adAttributionKit, count: 6))
    #expect(records.map(\.signature.key) == Array(repeating: .simulated, count: 5) + [nil, .development])
    #expect(records.map(\.conversionType)[..<3] == [nil, "download", "re-engagement"])
    let report = world.run("report received.jsonl").out
    #expect(report.contains("1 development postback of AdAttributionKit not counted; --allow-development counts them"))
    #expect(
      report.contains(
        "\n  aak       re-engagement    example.adattributionkit         0            0               1   1"),
      "\(report)")
    let json = try JSONReader.read(Array(world.run("report received.jsonl --json --allow-development").out.utf8)).value
    let total = json["simulated"]?["total"]
    #expect(total?["installs"] == .integer(2) && total?["re_engagements"] == .integer(1))
    #expect(total?["duplicates"] == .integer(1) && total?["conflicts"] == .integer(1))
    #expect(json["development"]?["total"]?["re_engagements"] == .integer(1) && json["apple"] == .null)
    #expect(
      world.run("report received.jsonl --group protocol,conversion-type").out.contains("\n  aak       re-engagement "))
  }

  @Test("A key of a KID, of both frameworks at once")
  func keys() throws {
    let world = try world()
    world["mine.json"] = try AdAttributionKitSample(kid: "mine").body()
    let run = world.run("receive 1.json mine.json install.json --key public.pem --key mine=\(SigningKey.publicBase64)")
    #expect(run.out.contains(": 3 valid, 0 invalid, 0 not checked; "), "\(run.out)")
    #expect(world.run("verify mine.json --key mine=\(SigningKey.publicBase64)").code == .ok)
  }

  @Test("What is passed on: the first verified copies, and those of a development key where that is allowed")
  func forwarded() throws {
    let world = try world()
    world.takePostbacks(204)
    let line =
      "receive install.json open.json apple.json --key \(SigningKey.publicBase64) --forward bi=http://localhost:9000/"
    #expect(world.run(line).out.hasSuffix("\n2 postbacks passed on to bi (http://localhost:9000/)\n"))
    #expect(
      world.run("\(line.replacing("bi=", with: "all=")) --allow-development").out.hasSuffix(
        "\n3 postbacks passed on to all (http://localhost:9000/)\n"))
  }

  @Test(
    "Wrong uses of the new options",
    arguments: [
      ("receive install.json --allow-development", "--allow-development belongs to --forward"),
      ("receive install.json --forward http://h/ --allow-development=yes", "--allow-development takes no value"),
      ("serve --allow-development", "--allow-development belongs to --postbacks"),
      ("serve --postbacks r.jsonl --allow-development", "--allow-development belongs to --forward"),
      ("report r.jsonl --allow-development=1", "--allow-development takes no value"),
      ("report r.jsonl --allow-developmnet", "--allow-developmnet"),
      ("report r.jsonl --group protocl", "--group: \"protocl\" is none of "),
      ("receiver-test http://h --protocol", "--protocol"),
      ("receiver-test http://h --protocol SKAN", "--protocol must be one of skan, aak"),
      ("receiver-test http://h --protocol skan,aak", "--protocol must be one of skan, aak"),
      ("receive install.json --key =x", "--key must be [KID=]PUBLIC"),
      ("receive install.json --key a=public.pem --key a=public.pem", "--key is given twice for \"a\""),
    ])
  func wrong(line: String, message: String) throws {
    let run = try world().run(line)
    #expect(
      run.code == .usage && run.out.isEmpty && run.err.hasPrefix("skan: ") && run.err.contains(message), "\(run.err)")
  }
}
