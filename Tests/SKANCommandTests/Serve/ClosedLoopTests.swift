import Foundation
import SKANBase
import SKANHTTP
import SKANReceive
import SKANRun
import SKANSigning
import Synchronization
import TestSupport
import Testing
import skan_http

/// The whole loop: phones live against `skan serve`, and their postbacks come back to it.
@Suite("The closed loop", .timeLimit(.minutes(TestTime.minutes)), .waits, .enabled(if: World.canCheckSignatures))
struct ClosedLoopTests {
  private static let phones = (0..<200).map(LoopPhone.init)
  private static let received = "received.jsonl"

  @Test("The report of 200 phones is what their list implies, whatever is lost, doubled, forged and killed")
  func loop() throws {
    let workspace = try workspace()
    let receiver = try TestServer { _ in .status(200) }
    defer { receiver.stop() }
    let options = [
      "--model", "mixed.json", "--postbacks", Self.received, "--key", SigningKey.publicBase64, "--forward",
      "bi=\(receiver.url())",
    ]
    var server = try Served(options, in: workspace)
    let sent = try sent(by: server, workspace)
    let deliveries = sent.enumerated().map { LoopDelivery($0, $1) }
    let courier = Courier(deliveries, address: server.address)
    courier.start()
    let total = deliveries.reduce(0) { $0 + $1.bodies.count }
    for part in 1...2 {
      courier.wait(for: total * part / 3)
      _ = server.end(SIGKILL)
      server = try Served(options, in: workspace)
      courier.address = server.address
    }
    courier.wait(for: total)
    wait(for: Self.expected.count, at: receiver)
    #expect(server.end(SIGTERM).code == 0)
    try check(workspace, deliveries, again: courier.repeated)
    // What is passed on is what counts.
    #expect(Set(receiver.requests.compactMap { $0.header("Idempotency-Key") }).count == Self.expected.count)
    let forwarded = try Set(receiver.requests.map { try Self.transaction(String(decoding: $0.body, as: UTF8.self)) })
    #expect(try forwarded == Set(sent.map { try Self.transaction($0) }))
  }

  /// The postbacks that a replay sends to the ad network, signed. The network loses one of seven, which is sent again.
  private func sent(by server: Served, _ workspace: Workspace) throws -> [String] {
    let lost = Mutex<Set<String>>([])
    let network = try TestServer { request in
      let body = String(decoding: request.body, as: UTF8.self)
      let id = (try? Self.transaction(body)) ?? body
      let isLost = id.utf8.reduce(0) { $0 + Int($1) } % 7 == 0 && lost.withLock { $0.insert(id).inserted }
      return .status(isLost ? 500 : 200)
    }
    defer { network.stop() }
    let run = try workspace.run([
      "replay", "-q", "list.jsonl", "--endpoint", server.address, "--sign", "key.pem", "--send", network.url(),
      "--developer", "none",
    ])
    try #require(run.code == 0, "\(run.err)")
    let bodies = network.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies.count == Self.expected.count + lost.withLock { $0.count } && bodies.count > Self.expected.count + 5)
    // Each is signed once, so what is sent again is the same bytes.
    let sent = try Set(bodies).sorted { try Self.transaction($0) < Self.transaction($1) }
    try #require(sent.count == Self.expected.count)
    return sent
  }

  @Test("replay --send delivers the postbacks of both frameworks to a receiver whose report is what the list implies")
  func send() throws {
    let workspace = try workspace()
    let server = try Served(
      ["--model", "mixed.json", "--postbacks", Self.received, "--key", SigningKey.publicBase64], in: workspace)
    let run = try workspace.run([
      "replay", "-q", "list.jsonl", "--endpoint", server.address, "--send", "\(server.address)/postbacks", "--sign",
      "key.pem",
    ])
    #expect(run.code == 0, "\(run.err)")
    #expect(server.end(SIGTERM).code == 0)
    let report = try LoopReport(
      workspace.run(["report", Self.received, "--json", "--group", "network,campaign,window"]).out)
    #expect(report.groups == LoopReport.groups(of: Self.expected))
    // The developer's copies of winners come again.
    #expect(report.beside == [Self.expected.count { $0.hasWon }, 0, 0, 0])
  }

  private static let expected = phones.flatMap(\.postbacks)

  private func workspace() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write("key.pem", SigningKey.privatePEM)
    try workspace.write("list.jsonl", Self.phones.flatMap(\.steps).map { "\($0)\n" }.joined())
    let model = Checkout.fixtures.appending(path: "models/mixed.json")
    try workspace.write("mixed.json", String(contentsOf: model, encoding: .utf8))
    return workspace
  }

  private static func transaction(_ body: String) throws -> String {
    let claims = LoopJWS(body: body).flatMap { try? JSONReader.read(Array($0.claims.utf8)).value }
    let body = try JSONReader.read(Array(body.utf8)).value
    let id = claims?["postback-identifier"] ?? body["transaction-id"] ?? .null
    return JSONWriter.text(.array([id, body["conversion-value"] ?? .null]))
  }

  private func wait(for count: Int, at receiver: TestServer) {
    TestTime.wait { Set(receiver.requests.compactMap { $0.header("Idempotency-Key") }).count >= count }
  }

  private func check(_ workspace: Workspace, _ deliveries: [LoopDelivery], again: Int) throws {
    let report = try LoopReport(
      workspace.run(["report", Self.received, "--json", "--group", "network,campaign,window"]).out)
    let implied = LoopReport.groups(of: Self.expected)
    #expect(report.groups.keys.sorted() == implied.keys.sorted())
    for (name, figures) in implied { #expect(report.groups[name] == figures, "\(name)") }
    // What was sent again because of a kill may have been kept before.
    let sum = { (count: KeyPath<LoopDelivery, Int>) in deliveries.reduce(0) { $0 + $1[keyPath: count] } }
    let planned = [sum(\.duplicates), sum(\.conflicts), sum(\.invalid), sum(\.notChecked)]
    #expect(planned.allSatisfy { $0 > 5 } && zip(report.beside, planned).allSatisfy { $0 >= $1 })
    #expect(report.beside.reduce(0, +) <= planned.reduce(0, +) + sum(\.lost) + again)
    // The parts of the file, in another order, are the file.
    let lines = (workspace[Self.received] ?? "").split(separator: "\n").map { "\($0)\n" }
    try workspace.write("a.jsonl", lines[(lines.count / 3)...].reversed().joined())
    try workspace.write("b.jsonl", lines[..<(lines.count / 3)].joined())
    for form in [[], ["--csv"], ["--json"]] {
      let whole = try workspace.run(["report", Self.received] + form)
      #expect(whole.code == 0 && !whole.out.isEmpty)
      #expect(try workspace.run(["report", "a.jsonl", "b.jsonl"] + form) == whole)
    }
  }
}
