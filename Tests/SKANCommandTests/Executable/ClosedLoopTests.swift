import Foundation
import SKANBase
import SKANSigning
import Synchronization
import TestSupport
import Testing

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
    let run = try workspace.run(["replay", "list.jsonl", "--json", "--endpoint", server.address])
    try #require(run.code == 0, "\(run.err)")
    let deliveries = try deliveries(run.out, workspace)
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
    let forwarded = try Set(receiver.requests.map { try transaction(String(decoding: $0.body, as: UTF8.self)) })
    #expect(try forwarded == Set(postbacks(run.out).map { try transaction($0) }))
  }

  private static let expected = phones.flatMap(\.postbacks)

  private func workspace() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write("list.jsonl", Self.phones.flatMap(\.steps).map { "\($0)\n" }.joined())
    let model = Checkout.fixtures.appending(path: "models/mixed.json")
    try workspace.write("mixed.json", String(contentsOf: model, encoding: .utf8))
    return workspace
  }

  /// The bodies of all postbacks that left, in the order of the phones.
  private func postbacks(_ results: String) throws -> [String] {
    try results.split(separator: "\n").flatMap { line -> [String] in
      guard case .array(let items)? = try JSONReader.read(Array(line.utf8)).value["postbacks"] else { return [] }
      return items.filter { $0["state"] == .string("sent") }.compactMap { $0["body"].map { JSONWriter.text($0) } }
    }
  }

  private func deliveries(_ results: String, _ workspace: Workspace) throws -> [LoopDelivery] {
    let bodies = try postbacks(results)
    try #require(bodies.count == Self.expected.count)
    let key = try PrivateKey(pem: SigningKey.privatePEM)
    return try bodies.enumerated().map { try LoopDelivery($0, $1, signedWith: key, .platform()) }
  }

  private func transaction(_ body: String) throws -> String {
    let body = try JSONReader.read(Array(body.utf8)).value
    return JSONWriter.text(.array([body["transaction-id"] ?? .null, body["conversion-value"] ?? .null]))
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
