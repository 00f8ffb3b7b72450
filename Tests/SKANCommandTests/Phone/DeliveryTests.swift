import Foundation
import SKANDevice
import SKANHTTP
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("postbacks --send: attempts")
struct DeliveryTests {
  private static let send = "--send http://localhost:8080/postback"
  private static let network = "http://localhost:8080/postback"
  private static let developer = "http://localhost:8080/.well-known/skadnetwork/report-attribution/"

  @Test("What has left by now goes to the ad network, and a copy to the developer; never again after 200")
  func arrives() {
    let world = World.measured()
    world.takePostbacks(200)
    #expect(world.run("postbacks --at +3d1h \(Self.send)").code == .ok)
    #expect(world.posts == [] && world.deliveries == [])
    #expect(world.run("postbacks --at +4d \(Self.send)").code == .ok)
    #expect(world.posts.map(\.url) == [Self.network, Self.developer])
    #expect(world.posts.map(\.recipient) == ["network", "developer"])
    #expect(world.posts[0].body == world.posts[1].body)
    #expect(world.run("postbacks --at +60d \(Self.send)").code == .ok)
    #expect(world.run("postbacks --at +90d \(Self.send)").code == .ok)
    #expect(world.deliveries == ["0 network 89 200", "0 developer 89 200", "1 network 203 200", "1 developer 203 200"])
    #expect(world.posts.count == 4)
  }

  @Test("With -v what went over the wire is shown, without the key and with no more of a body than fits")
  func verboseAnswer() {
    let world = World.measured()
    world.set {
      $0.variables["SKAN_SDK_KEY"] = "sekret-key"
      $0.post = { post in
        .success(
          HTTPExchange(
            HTTPResponse(status: 200, headers: [HTTPField("X-A", "sekret-key")], body: Array("ok\nthen".utf8)),
            url: post.url))
      }
    }
    let run = world.run("postbacks -v --at +4d \(Self.send) --developer none")
    #expect(run.code == .ok)
    #expect(run.err.hasPrefix("> POST /postback\n> Host: localhost:8080\n"), "\(run.err)")
    #expect(run.err.contains("\n< HTTP 200\n< X-A: REDACTED\n<\n< ok\\nthen\n"), "\(run.err)")
    #expect(!run.err.contains("sekret"))
  }

  @Test(
    "Anything but 200 is tried again a day later, and is exit code 76", arguments: [201, 204, 301, 404, 500])
  func refused(status: Int) {
    let world = World.measured()
    world.takePostbacks(status)
    #expect(world.run("postbacks --at +4d \(Self.send) --developer none").code == .badAnswer)
    #expect(world.run("postbacks --at +4d \(Self.send) --developer none").code == .badAnswer)
    #expect(world.deliveries == ["0 network 89 \(status)"], "not before a day has gone by")
    #expect(world.run("postbacks --at +6d \(Self.send) --developer none").code == .badAnswer)
    #expect(world.deliveries.count == 3)
    world.takePostbacks(200)
    #expect(world.run("postbacks --at +7d \(Self.send) --developer none").code == .ok)
    let statuses = [status, status, status, 200]
    #expect(world.deliveries == statuses.enumerated().map { "0 network \(89 + 24 * $0) \($1)" })
    #expect(world.run("postbacks --at +8d \(Self.send) --developer none").code == .ok)
    #expect(world.deliveries.count == 4)
  }

  @Test("No answer at all is exit code 69, and reported with the address")
  func unreachable() {
    let world = World.measured()
    world.takeNoPostbacks(.connectionRefused(proxy: nil))
    let run = world.run("postbacks --at +4d \(Self.send) --developer none")
    #expect(run.code == .unavailable)
    #expect(run.out.contains("  2026-01-04T17:09:26Z  to the ad network at \(Self.network): "))
    // The one that answered wrongly counts less than the one that did not answer.
    world.takePostbacks(500)
    #expect(world.run("postbacks --at +4d \(Self.send)").code == .unavailable)
    #expect(world.run("postbacks --at +5d \(Self.send)").code == .badAnswer)
  }

  @Test("Nine times again over nine days, and then no more")
  func givenUp() {
    let world = World.measured()
    world.takePostbacks(500)
    let run = world.run("postbacks --at +60d \(Self.send)")
    #expect(run.code == .badAnswer)
    #expect(world.posts.count == 40)
    for (index, first) in [(0, 89), (1, 203)] {
      for recipient in ["network", "developer"] {
        let own = world.deliveries.filter { $0.hasPrefix("\(index) \(recipient)") }
        #expect(own == (0...9).map { "\(index) \(recipient) \(first + 24 * $0) 500" })
      }
    }
    #expect(run.out.contains("    given up: no attempt to the ad network arrived\n"))
    #expect(run.out.contains("    given up: no attempt to the developer arrived\n"))
    world.takePostbacks(200)
    #expect(world.run("postbacks --at +90d \(Self.send)").code == .badAnswer)
    #expect(world.posts.count == 40)
  }

  @Test("Attempts are made in the order of the phone's time")
  func order() {
    let world = World.measured()
    world.takePostbacks(500)
    world.run("postbacks --at +60d \(Self.send)")
    let hours = world.deliveries.compactMap { Int($0.split(separator: " ")[2]) }
    #expect(hours.count == 40 && hours == hours.sorted())
  }

  @Test("The file is saved before and after each attempt, under its lock")
  func saved() {
    let world = World.measured()
    world.takePostbacks(500, 200)
    world.run("postbacks --at +5d \(Self.send)")
    let write = "replace skan-state.json"
    #expect(
      world.takeLog() == [
        "read skan-state.json", "lock skan-state.json 30.0", "read skan-state.json", write, "post", write, write,
        "post", write, write, "post",
        write, write, "unlock skan-state.json",
      ])
    world.takePostbacks(200)
    world.set { $0.failures[write] = .cannotWrite(file: "skan-state.json", reason: "disk full") }
    #expect(world.run("postbacks --at +60d \(Self.send)").code == .cannotWrite)
    #expect(world.posts.count == 3, "nothing is sent that could not be kept")
  }

  @Test("One in the midst of which the program is ended is an attempt, made again a day later")
  func killed() {
    let world = World.measured()
    let left = Mutex("")
    world.set { state in
      state.post = { post in
        left.withLock { $0 = world["skan-state.json"] ?? "" }
        return .success(HTTPExchange(HTTPResponse(), url: post.url))
      }
    }
    #expect(world.run("postbacks --at +4d --developer none \(Self.send)").code == .ok)
    #expect(world.deliveries == ["0 network 89 200"])
    // As a kill leaves it.
    world["skan-state.json"] = left.withLock { $0 }
    let unknown = "broken off before it was known whether it arrived"
    #expect(world.deliveries == ["0 network 89 \(unknown)"])
    let again = world.run("postbacks --at +4d --developer none \(Self.send)")
    #expect(again.code == .unavailable && again.out.contains(": \(unknown)\n") && world.posts.count == 1)
    #expect(world.run("postbacks --at +5d --developer none \(Self.send)").code == .ok)
    #expect(world.deliveries == ["0 network 89 \(unknown)", "0 network 113 200"])
  }

  @Test("With --verbose: what went over the wire")
  func verbose() {
    let world = World.measured()
    world.set {
      $0.post = { _ in .success(HTTPExchange(HTTPResponse(status: 500, body: Array("no\n".utf8)), url: "")) }
    }
    let run = world.run("postbacks --at +4d --developer none -v -q \(Self.send)?id=1")
    let body = world.posts.first?.body ?? ""
    #expect(
      run.err
        == "> POST /postback?id=1\n> Host: localhost:8080\n> X-SKAN-Simulated: network\n>\n> \(body)\n< HTTP 500\n<\n< no\\n\n"
        + "skan: 1 of 1 delivery did not arrive, the first 2026-01-04T17:09:26Z  to the ad network at "
        + "http://localhost:8080/postback: HTTP 500\n"
    )
    world.takeNoPostbacks(.connectionRefused(proxy: nil))
    #expect(world.run("postbacks --at +5d --developer none -v -q \(Self.send)").err.contains("\n* "))
  }

  @Test("One that is interrupted may have arrived: it is an attempt, and the next is made a day later")
  func interrupted() {
    let world = World.measured()
    world.takeNoPostbacks(.interrupted)
    let run = world.run("postbacks --at +60d \(Self.send)")
    #expect(
      run.code == .interrupted && run.err == "skan: interrupted; what was done before is saved in skan-state.json\n")
    #expect(world.deliveries == ["0 network 89 interrupted before an answer came"])
    world.takePostbacks(200)
    #expect(world.run("postbacks --at +4d \(Self.send) --developer none").code == .unavailable)
    #expect(world.posts.count == 1)
    #expect(world.run("postbacks --at +5d \(Self.send) --developer none").code == .ok)
    #expect(world.deliveries.last == "0 network 113 200")
  }
}

@Suite("postbacks --send: who gets what")
struct DeliveryAddressTests {
  private static let send = "--send http://localhost:8080/postback?x=1"

  @Test(
    "The developer's copy",
    arguments: [
      (
        "", ["http://localhost:8080/postback?x=1", "http://localhost:8080/.well-known/skadnetwork/report-attribution/"]
      ),
      ("--developer none", ["http://localhost:8080/postback?x=1"]),
      ("--developer https://example.com/copy", ["http://localhost:8080/postback?x=1", "https://example.com/copy"]),
    ])
  func developer(options: String, urls: [String]) {
    let world = World.measured()
    world.takePostbacks(200)
    #expect(world.run("postbacks --at +4d \(Self.send) \(options)").code == .ok)
    #expect(world.posts.map(\.url) == urls)
    #expect(!(world["skan-state.json"] ?? "").contains("x=1"), "a query may hold a secret")
  }

  @Test(
    "By version and winner: which postbacks, and whether the developer gets a copy",
    arguments: [
      ("{}", ["network 0", "developer 0", "network 1", "developer 1"]),
      (#"{"won":false}"#, ["network 0"]), (#"{"tier":0}"#, ["network 0", "developer 0"]),
      (#"{"version":"3.0"}"#, ["network -", "developer -"]), (#"{"version":"3.0","won":false}"#, ["network -"]),
      (#"{"version":"2.2"}"#, ["network -", "developer -"]), (#"{"version":"2.1","won":false}"#, []),
      (#"{"version":"2.0"}"#, ["network -", "developer -"]),
    ])
  func versions(ad: String, sent: [String]) {
    let world = World.measured("--ad", ad)
    world.takePostbacks(200)
    #expect(world.run("postbacks --at +60d \(Self.send)").code == .ok)
    let posts = world.posts.map { post in
      let index = post.body.firstRange(of: "\"postback-sequence-index\":").map { post.body[$0.upperBound] } ?? "-"
      return "\(post.recipient ?? "") \(index)"
    }
    #expect(posts == sent)
  }

  @Test(
    "Organic installs and development builds send nothing", arguments: [["--organic"], ["--build", "development"]])
  func nothing(options: [String]) {
    let world = World()
    world.run("install --at \(World.start)", arguments: options)
    world.run("register")
    #expect(world.run("postbacks --at +60d \(Self.send)").code == .ok)
    #expect(world.posts == [] && world.deliveries == [])
  }

  @Test("Postbacks of one transaction id are all delivered")
  func sameIDs() {
    let world = World.measured("--setting", "transaction-ids=same")
    world.takePostbacks(200)
    let run = world.run("postbacks --at +60d \(Self.send)")
    #expect(world.deliveries == ["0 network 89 200", "0 developer 89 200", "1 network 203 200", "1 developer 203 200"])
    // Each is listed under its own postback.
    #expect(run.out.components(separatedBy: ": HTTP 200\n").count == 5)
  }

  @Test("Installed anew, the phone has other postbacks, and the old attempts are gone")
  func reset() {
    let world = World.measured()
    world.takePostbacks(200)
    world.run("postbacks --at +60d \(Self.send)")
    world.run("reset")
    #expect(world.deliveries == [])
    world.run("register")
    world.run("postbacks --after 60d \(Self.send)")
    #expect(world.posts.count == 6 && Set(world.posts.map(\.body)).count == 3)
  }

  @Test("What is sent is what is shown", .enabled(if: World.canCheckSignatures))
  func signed() throws {
    let world = World.measured()
    world["key.pem"] = SigningKey.privatePEM
    world["public.pem"] = """
      -----BEGIN PUBLIC KEY-----
      MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdOy2n60bRHQQYbt5OT8HwRpSKhAT
      HdFvsxVpp2Y4XfpZ3/M4UQSxI3yYPG0MrZ8TYDvfJPukw+T1ag2P+Q46ig==
      -----END PUBLIC KEY-----

      """
    world.set { $0.signatures = .platform() }
    world.takePostbacks(200)
    let run = world.run("postbacks --at +60d \(Self.send) --sign key.pem")
    #expect(world.posts.count == 4)
    for post in world.posts {
      #expect(run.out.contains("    simulated, signed with your key, not Apple's: \(post.body)\n"))
    }
    world["received.jsonl"] = world.posts.map { "\($0.body)\n" }.joined()
    #expect(world.run("verify received.jsonl --key public.pem").out.hasSuffix("\n4 postbacks, 4 valid\n"))
    #expect(!(world["skan-state.json"] ?? "").contains("signature"), "neither key nor signature is kept")
  }
}

@Suite("The executable and a receiver of postbacks", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct DeliveryExecutableTests {
  /// A phone whose first postback left on 2026-01-04.
  private static func phone() throws -> Workspace { try Workspace.registered() }

  private static func send(_ workspace: Workspace, _ url: String, _ options: String...) throws -> Workspace.Run {
    try workspace.run(["postbacks", "--at", "+4d", "--send", url] + options)
  }

  private static let body =
    #"{"ad-network-id":"com.example","app-id":525463029,"conversion-value":0,"did-win":true,"fidelity-type":1,"#
    + #""postback-sequence-index":0,"redownload":false,"source-app-id":1234567891,"source-identifier":"5239","#
    + #""transaction-id":"52edafaf-74e6-4d8b-b44f-c447f6d49c36","version":"4.0"}"#

  @Test("A POST of the JSON that is shown, and a header that says that it is simulated")
  func request() throws {
    let server = try TestServer { _ in .status(200) }
    defer { server.stop() }
    let run = try Self.send(Self.phone(), server.url("/postback?id=7"))
    #expect(run.code == 0 && run.err.isEmpty)
    #expect(run.out.contains("    simulated, unsigned: \(Self.body)\n"))
    #expect(run.out.contains("  to the ad network at \(server.url("/postback")): HTTP 200\n"))
    let requests = server.requests
    #expect(requests.map(\.method) == ["POST", "POST"])
    #expect(requests.map(\.target) == ["/postback?id=7", "/.well-known/skadnetwork/report-attribution/"])
    #expect(requests.map { $0.header("X-SKAN-Simulated") } == ["network", "developer"])
    for request in requests {
      #expect(String(decoding: request.body, as: UTF8.self) == Self.body)
      #expect(request.header("Content-Type") == "application/json")
      #expect(request.header("Content-Length") == "\(Self.body.utf8.count)")
    }
  }

  @Test("Other answers than 200: 76; a redirect is not followed", arguments: [204, 301, 307, 404, 500])
  func status(status: Int) throws {
    let server = try TestServer { _ in
      status / 100 == 3 ? .redirect(status, to: "/elsewhere") : .status(status)
    }
    defer { server.stop() }
    let run = try Self.send(Self.phone(), server.url("/postback"), "--developer", "none")
    #expect(run.code == 76)
    #expect(run.out.contains(": HTTP \(status)\n"))
    #expect(server.requests.map(\.path) == ["/postback"])
  }

  @Test("Nothing listens, or nothing that speaks HTTP: 69, and the attempt is kept")
  func nobody() throws {
    let gone = try TestServer { _ in .status(200) }
    gone.stop()
    let closing = try TestServer { _ in .closed }
    defer { closing.stop() }
    let slow = try TestServer { _ in .delayed(30, .status(200)) }
    defer { slow.stop() }
    for (server, options) in [(gone, []), (closing, []), (slow, ["--max-time", "200ms"])] {
      let workspace = try Self.phone()
      let run = try workspace.run(
        ["postbacks", "--at", "+4d", "--send", server.url(), "--developer", "none"] + options)
      #expect(run.code == 69)
      #expect(run.out.contains("\n    2026-01-04T17:09:26Z  to the ad network at \(server.url())"))
      #expect(workspace.state?.contains(#""recipient": "network""#) ?? false)
      let again = try workspace.run(["postbacks", "--at", "+4d", "--send", server.url(), "--developer", "none"])
      #expect(again.code == 69, "no second attempt before its day, and the first did not arrive")
    }
  }

  @Test("Signed bodies verify as they came", .enabled(if: World.canCheckSignatures))
  func signed() throws {
    let server = try TestServer { _ in .status(200) }
    defer { server.stop() }
    let workspace = try Self.phone()
    let path = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
    try workspace.write("key.pem", SigningKey.privatePEM)
    let run = try workspace.run(
      ["postbacks", "--at", "+4d", "--sign", "key.pem", "--send", server.url()], environment: path)
    #expect(run.code == 0)
    let bodies = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies.count == 2 && bodies[0] == bodies[1] && run.out.contains(bodies[0]))
    for (name, key, code) in [("its own", SigningKey.publicBase64, Int32(0)), ("Apple's", nil, 1)] {
      let verdict = try workspace.run(
        ["verify", "-"] + (key.map { ["--key", $0] } ?? []), environment: path, input: "\(bodies[0])\n")
      #expect(verdict.code == code, "\(name)")
    }
    let altered = bodies[0].replacing("\"app-id\":525463029", with: "\"app-id\":525463028")
    #expect(
      try workspace.run(["verify", "-", "--key", SigningKey.publicBase64], environment: path, input: altered).code == 1)
  }

  @Test("Several at once: each postback arrives once")
  func atOnce() throws {
    let server = try TestServer { _ in .delayed(0.2, .status(200)) }
    defer { server.stop() }
    let workspace = try Self.phone()
    let all = try (0..<3).map { _ in try workspace.start(["postbacks", "--at", "+4d", "--send", server.url(), "-q"]) }
    for running in all { #expect(running.end() == Workspace.Run(code: 0, out: "", err: "")) }
    #expect(server.requests.count == 2)
  }

  @Test("An interrupt while the answer is awaited: 130, and an attempt all the same")
  func interrupt() throws {
    let server = try TestServer { _ in .delayed(30, .status(200)) }
    defer { server.stop() }
    let workspace = try Self.phone()
    let running = try workspace.start(["postbacks", "--at", "+4d", "--send", server.url(), "--max-time", "20s"])
    TestTime.wait { !server.requests.isEmpty }
    running.interrupt()
    let words = "skan: interrupted; what was done before is saved in skan-state.json\n"
    let end = running.end()
    #expect(end.code == 130 && end.out.isEmpty && end.err.hasSuffix("\n\(words)"), "\(end)")
    #expect(workspace.state?.contains(#""error": "interrupted before an answer came""#) ?? false)
    #expect(try workspace.names() == ["skan-state.json"])
  }
}

@Suite("Postbacks on their way")
struct PendingDeliveryQueueTests {
  /// A delivery whose postback leaves at this hour of 2026.
  private func pending(hour: Int64, _ attempts: Int = 0) throws -> PendingDelivery {
    var framework = AppleFramework()
    var profile = DeviceProfile(idfv: nil)
    profile.seed = 5
    _ = framework.apply(
      .updatePostbackCoarse(fine: 9, coarse: .low, lock: false), at: .listStart, on: InstallTraits(profile))
    var postback = framework.postbacks(on: profile, phone: "", at: .listStart)[0]
    postback.sendsAt = Instant.listStart.advanced(by: TimeSpan(seconds: hour * 3600))
    let content = try #require(postback.content)
    let url = try PostbackURL("http://localhost/")
    let pending = PendingDelivery(postback: postback, content: content, recipient: .network, url: url, attempts: [])
    return attempts == 0
      ? pending
      : PendingDelivery(
        postback: postback, content: content, recipient: .network, url: url,
        attempts: Array(repeating: pending.attempt(at: .listStart), count: attempts))
  }

  /// The hours and indices of the attempts, each ending as `result` says.
  private func run(
    _ queue: inout PendingDeliveryQueue, by hour: Int64? = nil,
    _ result: (_ index: Int, _ count: Int) -> Delivery.Result
  ) -> [String] {
    var log: [String] = []
    let end = hour.flatMap { Instant.listStart.advanced(by: TimeSpan(seconds: $0 * 3600)) }
    while let (index, at) = queue.next(by: end) {
      log.append("\(Int64(at.since(.listStart).seconds) / 3600):\(index)")
      var attempt = queue.pending[index].attempt(at: at)
      attempt.result = result(index, queue.pending[index].attempts.count)
      queue.add(attempt, to: index)
    }
    return log
  }

  @Test("In the order of the phones' time, at one time in their own; a second attempt falls in between")
  func order() throws {
    var queue = PendingDeliveryQueue([
      try pending(hour: 30), try pending(hour: 5), try pending(hour: 29), try pending(hour: 5),
    ])
    let log = run(&queue) { index, count in
      index == 1 && count < 2 ? (count == 0 ? .answered(status: 503) : .failed("")) : .answered(status: 200)
    }
    #expect(log == ["5:1", "5:3", "29:1", "29:2", "30:0", "53:1"])
    #expect(queue.ending.code == .ok)
  }

  @Test("An attempt is due at its very second, and not a microsecond before")
  func veryMoment() throws {
    var queue = PendingDeliveryQueue([try pending(hour: 5)])
    let due = Instant.listStart.later(by: TimeSpan(seconds: 5 * 3600))
    let before = queue.next(by: due.later(by: TimeSpan(microseconds: -1)))
    let then = queue.next(by: due)
    let after = queue.next(by: nil)
    #expect(before == nil && then?.at == due && after == nil)
  }

  @Test("Ten attempts, and no more; those of before count; the worst ending is the whole's")
  func attempts() throws {
    var queue = PendingDeliveryQueue([try pending(hour: 0), try pending(hour: 0, 7), try pending(hour: 0, 10)])
    let log = run(&queue) { index, _ in index == 0 ? .answered(status: 404) : .failed("") }
    #expect(log.count { $0.hasSuffix(":0") } == 10 && log.count { $0.hasSuffix(":1") } == 3 && log.count == 13)
    #expect(log.last == "216:1" || log.last == "216:0")
    #expect(queue.ending.code == .unavailable)
    var refused = PendingDeliveryQueue([try pending(hour: 0)])
    #expect(
      run(&refused, by: 47) { _, _ in .answered(status: 404) } == ["0:0", "24:0"] && refused.ending.code == .badAnswer)
    #expect(run(&refused, by: 48) { _, _ in .answered(status: 200) } == ["48:0"] && refused.ending.code == .ok)
  }
}
