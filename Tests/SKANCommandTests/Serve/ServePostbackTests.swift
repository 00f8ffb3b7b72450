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

@Suite(
  "serve --forward as an executable", .timeLimit(.minutes(TestTime.minutes)), .waits,
  .enabled(if: World.canCheckSignatures)
)
struct ServeForwardTests {
  private static let options = ["--postbacks", "r.jsonl", "--key", "public.pem"]
  /// Waits of a tenth of a second in the place of a minute.
  private static let speed = ["TEST_FORWARD_SPEED": "600"]

  private static func workspace() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write(
      "public.pem", String(contentsOf: folder.appending(path: "simulated-public.pem"), encoding: .utf8))
    return workspace
  }

  private static let folder = Checkout.fixtures.appending(path: "postbacks")

  private static func bodies() throws -> [String] {
    try ["4.0-first", "4.0-second", "4.0-third", "4.0-not-won", "3.0", "3.0-not-won"].map {
      try String(contentsOf: folder.appending(path: "simulated-\($0).json"), encoding: .utf8)
    }
  }

  private static func keys(_ server: TestServer) -> [String] {
    server.requests.compactMap { $0.header("Idempotency-Key") }
  }

  /// Waits until a receiver has had so many requests.
  private static func wait(_ server: TestServer, for count: Int) {
    TestTime.wait { server.requests.count >= count }
  }

  @Test("In order, again until it is accepted, and after a kill from where it was; the server answers meanwhile")
  func order() throws {
    let workspace = try Self.workspace()
    let isDown = Mutex(true)
    let receiver = try TestServer { _ in .status(isDown.withLock { $0 } ? 503 : 202) }
    defer { receiver.stop() }
    let bodies = try Self.bodies()
    let first = try Served(
      Self.options + ["--forward", "bi=\(receiver.url("/in?key=s"))"], in: workspace, environment: Self.speed)
    for body in bodies[..<3] { #expect(try first.post("/postbacks", body) == 200) }
    // One is sent again, and none behind it.
    Self.wait(receiver, for: 3)
    #expect(Set(Self.keys(receiver)).count == 1 && workspace["r.jsonl.bi.offset"] == nil)
    let refused = first.end(SIGKILL)
    #expect(refused.err.components(separatedBy: "HTTP 503").count == 2 && !refused.err.contains("key=s"))
    let before = receiver.requests.count
    isDown.withLock { $0 = false }
    let second = try Served(
      Self.options + ["--forward", "bi=\(receiver.url("/in?key=s"))"], in: workspace, environment: Self.speed)
    for body in bodies { #expect(try second.post("/postbacks", body) == 200) }
    // A signal before the last answer is noted would end that request, and the next run would send it again.
    #expect(TestTime.wait { workspace["r.jsonl.bi.offset"]?.hasPrefix(#"{"line":9,"#) ?? false })
    #expect(second.end(SIGTERM).code == 0)
    let keys = Array(Self.keys(receiver)[before...])
    #expect(keys.count == bodies.count && Set(keys).count == keys.count && keys[0] == Self.keys(receiver)[0])
    #expect(receiver.requests.last?.header("Content-Type") == "application/json")
  }

  @Test("A receiver that is slow holds up neither the server nor another; the end waits for what is accepted at once")
  func slow() throws {
    let workspace = try Self.workspace()
    let slow = try TestServer { _ in .delayed(0.3, .status(200)) }
    defer { slow.stop() }
    let quick = try TestServer { _ in .status(200) }
    defer { quick.stop() }
    let server = try Served(
      Self.options + ["--forward", "a=\(slow.url())", "--forward", "b=\(quick.url())", "--once", "6"], in: workspace,
      environment: Self.speed)
    let start = ContinuousClock.now
    for body in try Self.bodies() { #expect(try server.post("/postbacks", body) == 200) }
    #expect(start.duration(to: .now) < .seconds(1.5))
    let end = server.end()
    #expect(end.code == 0 && slow.requests.count == 6 && quick.requests.count == 6)
    #expect(Self.keys(slow) == Self.keys(quick))
  }

  @Test("An end while nothing is accepted is quick")
  func stopped() throws {
    let workspace = try Self.workspace()
    let receiver = try TestServer { _ in .status(500) }
    defer { receiver.stop() }
    // A minute between attempts.
    let server = try Served(
      ["--postbacks", "r.jsonl", "--key", "public.pem", "--forward", receiver.url()], in: workspace)
    #expect(try server.post("/postbacks", Self.bodies()[0]) == 200)
    Self.wait(receiver, for: 1)
    let start = ContinuousClock.now
    #expect(server.end(SIGINT).code == 0)
    #expect(start.duration(to: .now) < .seconds(30))
  }

  @Test("An address that is taken: nothing is passed on")
  func taken() throws {
    let workspace = try Self.workspace()
    let receiver = try TestServer { _ in .status(200) }
    defer { receiver.stop() }
    try workspace.write("1.json", Self.bodies()[0])
    #expect(try workspace.run(["receive", "1.json", "--into", "r.jsonl", "--key", "public.pem"]).code == 0)
    let run = try workspace.run(
      ["serve", "--port", "\(receiver.port)", "--forward", receiver.url()] + Self.options)
    #expect(run.code == 69 && receiver.requests.isEmpty)
  }
}
