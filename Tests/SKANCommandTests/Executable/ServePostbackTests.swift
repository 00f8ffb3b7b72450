import Foundation
import SKANHTTP
import skan_http
import SKANReceive
import SKANRun
import Synchronization
import TestSupport
import Testing

@Suite("serve --postbacks as an executable", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ServePostbackTests {
  private static let path = "/.well-known/skadnetwork/report-attribution/"

  /// Unsigned, so that nothing is asked of openssl.
  private static func body(_ id: String, value: Int = 1) -> String {
    #"{"version":"4.0","ad-network-id":"com.example","transaction-id":"\#(id)","conversion-value":\#(value)}"#
  }

  private func records(_ workspace: Workspace) throws -> (records: [ReceivedRecord], file: ReceivedFile) {
    var records: [ReceivedRecord] = []
    let file = try ReceivedFile(ByteSource(Array(try #require(workspace["r.jsonl"]).utf8))) { record, _, _ in
      records.append(record)
    }
    return (records, file)
  }

  @Test("What is acknowledged is in the file, and known again after a kill and a restart")
  func restart() throws {
    let workspace = try Workspace()
    let first = try Served(["--postbacks", "r.jsonl"], in: workspace)
    #expect(try first.get(Self.path).text == #"{"status":"ready"}"#)
    #expect(try first.post(Self.path, Self.body("a")) == 200)
    #expect(try first.post("/postbacks", Self.body("b")) == 200)
    #expect(try first.post("/postbacks", "[]") == 400)
    #expect(try first.post("/postbacks", "{") == 400)
    #expect(try first.post("/postbacks", #"{"a":"\#(String(repeating: "b", count: 70_000))"}"#) == 413)
    // One at a time writes.
    #expect(
      try workspace.start(["serve", "--port", "0", "--postbacks", "r.jsonl", "--lock-timeout", "0s"]).end().code == 75)
    _ = first.end(SIGKILL)
    try workspace.write("r.jsonl", (workspace["r.jsonl"] ?? "") + #"{"received_at":"2026-"#)
    let second = try Served(["--postbacks", "r.jsonl"], in: workspace)
    #expect(try second.post(Self.path, Self.body("a")) == 200)
    #expect(try second.post(Self.path, Self.body("b", value: 63)) == 200)
    let end = second.end(SIGTERM)
    #expect(end.code == 0 && end.err.contains("r.jsonl: the last line broke off and is cut (21 bytes)"))
    let (records, file) = try records(workspace)
    #expect(records.map(\.repetition) == [.first, .first, .duplicate, .conflict] && file.tornBytes == 0)
    #expect(records.allSatisfy { $0.sourceAddress == "127.0.0.1" && $0.signature.verdict == .notChecked })
    #expect(records.first?.body == Self.body("a"))
  }

  @Test("A file that is moved away: 503, and the cause once on stderr")
  func moved() throws {
    let workspace = try Workspace()
    let server = try Served(["--postbacks", "r.jsonl", "--once", "4"], in: workspace)
    #expect(try server.post("/postbacks", Self.body("a")) == 200)
    try FileManager.default.moveItem(at: workspace("r.jsonl"), to: workspace("old.jsonl"))
    #expect(try server.post("/postbacks", Self.body("b")) == 503)
    #expect(try server.post("/postbacks", Self.body("b")) == 503)
    try FileManager.default.moveItem(at: workspace("old.jsonl"), to: workspace("r.jsonl"))
    #expect(try server.post("/postbacks", Self.body("b")) == 200)
    let end = server.end()
    #expect(end.err.components(separatedBy: "cannot write r.jsonl: it was moved or removed").count == 2)
    // What was not kept is not known either.
    #expect(try records(workspace).records.map(\.repetition) == [.first, .first])
  }

  @Test("By Apple's key, and by the tester's", .enabled(if: World.canCheckSignatures))
  func keys() throws {
    let workspace = try Workspace()
    let folder = Checkout.fixtures.appending(path: "postbacks")
    let text = { (name: String) in try String(contentsOf: folder.appending(path: name), encoding: .utf8) }
    try workspace.write("public.pem", try text("simulated-public.pem"))
    let server = try Served(["--postbacks", "r.jsonl", "--key", "public.pem"], in: workspace)
    for name in ["apple-4.0-fine.json", "simulated-4.0-first.json", "simulated-3.0.json"] {
      #expect(try server.post(Self.path, try text(name)) == 200)
    }
    #expect(
      try server.post(Self.path, try text("simulated-3.0.json").replacing("com.example", with: "b.example")) == 200)
    #expect(server.end(SIGTERM).code == 0)
    let signatures = try records(workspace).records.map(\.signature)
    #expect(signatures.map(\.key) == [.apple, .simulated, .simulated, nil])
    #expect(signatures.map(\.verdict) == [.valid, .valid, .valid, .invalid])
  }

  @Test("--model decodes them, by the model of the day; SIGHUP lets it read the models again")
  func models() throws {
    let workspace = try Workspace()
    func write(_ file: String, _ event: String) throws {
      try workspace.write(
        file,
        #"{"app_id":"5","fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":1,"#
          + #""conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"\#(event)"}]}}]}"#)
    }
    for name in ["old", "new", "later"] { try write("\(name).json", name) }
    try workspace.write("c.csv", "network,identifier,campaign_id\ncom.example,42,c-9\n")
    let server = try Served(
      [
        "--postbacks", "r.jsonl", "--model", "old.json", "--model", "from=2026-01-01:new.json", "--model",
        "from=2999-01-01:later.json", "--campaigns", "c.csv",
      ], in: workspace)
    /// POSTs postbacks until one is decoded with this event.
    func decodes(_ event: String) throws -> Bool {
      try TestTime.wait {
        let body = #"{"version":"3.0","app-id":5,"transaction-id":"\#(UUID())","conversion-value":1}"#
        #expect(try server.post(Self.path, body) == 200)
        return try records(workspace).records.last?.decoded?.meaning?.events.first?.name == event
      }
    }
    #expect(try decodes("new"))
    #expect(
      try server.post("/postbacks", #"{"version":"3.0","ad-network-id":"com.example","campaign-id":42}"#) == 200)
    #expect(try records(workspace).records.last?.campaign?.id == "c-9")
    // The same one answers phones.
    let answer = try server.get(
      "/api/v2/conversion_value?a=KEY&v=17.4&i=com.a&app_v=1.0&n=new&p=iOS&idfv=A&skan_current_conversion_value=0"
        + "&skan_last_call_to_skadnetwork_timestamp=1767225600&skan_first_call_to_skadnetwork_timestamp=1767225600",
      headers: [("X-SKAN-Device-Time", "1767225600")])
    #expect(answer.text.hasPrefix(#"{"conversion_value":1,"#), "\(answer.text)")
    try write("new.json", "newer")
    server.send(SIGHUP)
    #expect(try decodes("newer"))
    try workspace.write("new.json", "{")
    server.send(SIGHUP)
    Thread.sleep(forTimeInterval: 0.5)
    #expect(try decodes("newer"))
    let end = server.end(SIGTERM)
    #expect(end.code == 0 && end.err.contains("skan: the models from before go on answering\n"), "\(end.err)")
  }

  @Test("Kills under load: no line is torn for good, nothing acknowledged is lost, nothing counts twice")
  func kills() throws {
    let workspace = try Workspace()
    var acknowledged: Set<String> = []
    for round in 0..<8 {
      let server = try Served(["--postbacks", "r.jsonl"], in: workspace)
      let hasEnded = DispatchSemaphore(value: 0)
      let taken = Mutex<[String]>([])
      let address = server.address
      Thread.detachNewThread {
        for number in 0..<10_000 {
          let id = "\(round)-\(number)"
          guard (try? Served.post(to: "\(address)/postbacks", Self.body(id))) == 200 else { break }
          taken.withLock { $0.append(id) }
        }
        hasEnded.signal()
      }
      Thread.sleep(forTimeInterval: 0.05 + Double(round) * 0.017)
      _ = server.end(SIGKILL)
      hasEnded.wait()
      acknowledged.formUnion(taken.withLock { $0 })
    }
    #expect(acknowledged.count > 8)
    let (records, _) = try records(workspace)
    let kept = records.map(\.body)
    #expect(Set(kept).count == kept.count)
    #expect(acknowledged.allSatisfy { kept.contains(Self.body($0)) })
    // At most the one under way when it was killed.
    #expect(kept.count <= acknowledged.count + 8)
  }
}

extension Served {
  /// POSTs a body; gives the status.
  func post(_ path: String, _ body: String) throws -> Int { try Self.post(to: "\(address)\(path)", body) }

  fileprivate static func post(to url: String, _ body: String) throws -> Int {
    let request = HTTPRequest.post(
      url, headers: [HTTPField("Content-Type", "application/json")], body: Array(body.utf8))
    return try HTTPTransport().send(request, within: HTTPAnswerLimits(seconds: 10)).get().response.status
  }
}
