import Foundation
import SKANBase
import SKANSystem
import TestSupport
import Testing
import skan_http

@testable import SKANHTTP

extension HTTPTests {
  @Suite("Requests by a process of their own")
  struct Helpers {
    private static let limits = HTTPAnswerLimits(seconds: 20)
    private let transport = HelperTransport(places: [Self.program])

    /// The built executable, beside the test bundle.
    private static var program: String {
      #if canImport(Darwin)
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
        return bundle.bundleURL.deletingLastPathComponent().appendingPathComponent("skan-http").path
      #else
        return URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
          .appendingPathComponent("skan-http").path
      #endif
    }

    private func get(
      _ url: String, seconds: Double = 20, limit: Int = HTTPAnswerLimits.defaultBytes,
      isInterrupted: () -> Bool = { false }
    ) -> Result<HTTPExchange, TransportFailure> {
      transport.send(
        .get(url), within: HTTPAnswerLimits(seconds: seconds, bytes: limit), isInterrupted: isInterrupted)
    }

    @Test("An exchange is the one that URLSession in this process has")
    func same() throws {
      let server = try TestServer { request in
        request.path == "/a"
          ? .redirect(to: "/b?\(request.query)")
          : .status(200, headers: [("X-Name", "a"), ("X-Empty", "")], bytes: [0, 255, 10])
      }
      defer { server.stop() }
      let request = HTTPRequest.get(server.url("/a?q=%C3%A9"), headers: [HTTPField("User-Agent", "skan/1")])
      var exchanges = try [
        transport.send(request, within: Self.limits).get(), HTTPTransport().send(request, within: Self.limits).get(),
      ]
      for index in exchanges.indices { exchanges[index].seconds = 1 }
      #expect(exchanges[0] == exchanges[1])
      #expect(exchanges[0].response.body == [0, 255, 10])
    }

    @Test("Post") func post() throws {
      let server = try TestServer { request in .status(201, bytes: request.body) }
      defer { server.stop() }
      let exchange = try transport.send(.post(server.url(), body: [1, 2, 0]), within: Self.limits).get()
      #expect(exchange.response.status == 201)
      #expect(exchange.response.body == [1, 2, 0])
      #expect(server.requests.first?.method == "POST")
    }

    @Test("Failures keep what they say")
    func failures() throws {
      let server = try TestServer { request in
        request.path == "/away" ? .redirect(to: "http://other.invalid/") : .raw("HTTP/1.1 200 OK\r\nA\r\n\r\n")
      }
      defer { server.stop() }
      for request in [
        .get("nonsense"), .get(server.url("/away")), .get(server.url("/malformed")),
        .get(server.url(), headers: [HTTPField("A B", "c")]), .get(server.url(), headers: [HTTPField("A", "b\r\nc")]),
      ] as [HTTPRequest] {
        let failure = failed(transport.send(request, within: Self.limits))
        #expect(failure != nil)
        #expect(failure == failed(HTTPTransport().send(request, within: Self.limits)))
      }
    }

    @Test("Two requests, one process: one connection")
    func keepAlive() throws {
      let server = try TestServer { _ in .status(200, body: "x") }
      defer { server.stop() }
      for _ in 0..<2 { _ = try get(server.url()).get() }
      #expect(server.connections == 1)
    }

    @Test("Several at a time")
    func concurrent() async throws {
      let server = try TestServer { request in .delayed(0.02, .status(200, body: request.query)) }
      defer { server.stop() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<6 {
          group.addTask { [url = server.url("/?\(index)")] in
            let exchange = try get(url).get()
            #expect(String(decoding: exchange.response.body, as: UTF8.self) == "\(index)")
          }
        }
        try await group.waitForAll()
      }
    }

    @Test(
      "Answers that never end, and the request after them",
      arguments: [
        .trailers(nil), .trailers(20_000), .endless(chunk: "x"), .endless(chunk: String(repeating: "x", count: 65536)),
        .endlessRedirect(to: "/else"), .drip(String(repeating: "x", count: 1000), every: 0.05),
      ] as [TestServer.Response])
    func attacks(response: TestServer.Response) throws {
      let server = try TestServer { $0.path == "/fine" ? .status(200, body: "fine") : response }
      defer { server.stop() }
      let failure = failed(get(server.url("/attack"), seconds: 1))
      #expect([.timedOut(1), .bodyTooLarge(1 << 20), .tooMuchMemory(1 << 20)].contains(failure), "\(failure as Any)")
      #expect(try get(server.url("/fine")).get().response.body == Array("fine".utf8))
    }

    @Test(
      "An interrupt ends what URLSession itself does not end",
      .disabled(if: Sanitizer.isActive, "what a sanitizer keeps of freed memory is beyond the limit"))
    func interrupt() throws {
      let server = try TestServer { _ in .trailers(nil) }
      defer { server.stop() }
      let began = ContinuousClock.now
      #expect(failed(get(server.url()) { began.duration(to: .now) > .milliseconds(500) }) == .interrupted)
    }

    /// Up to Swift 6.3 URLSession on Linux ends its process when the connection is closed between the status line and
    /// the empty line (swiftlang/swift-corelibs-foundation#5285).
    @Test("An answer that breaks off in its head fails its own request only")
    func brokenHead() throws {
      // Apart, since URLSession now and then misses an end that comes together with the bytes before it.
      let broken = TestServer.Response([.send(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8)), .pause(0.1), .close])
      let server = try TestServer { $0.path == "/fine" ? .status(200, body: "fine") : broken }
      defer { server.stop() }
      for _ in 0..<2 {
        let failure = failed(get(server.url("/broken")))
        #expect(failure == .crashed || failure == .truncated, "\(failure as Any)")
        #expect(try get(server.url("/fine")).get().response.status == 200)
      }
    }

    @Test("Memory is bounded where the limit of the answer is not reached")
    func memory() throws {
      let server = try TestServer { _ in .endless(chunk: "x") }
      defer { server.stop() }
      #expect(failed(get(server.url(), seconds: 60)) == .tooMuchMemory(1 << 20))
    }

    @Test("Heads are bounded, those of redirects together")
    func heads() throws {
      let long = [("X-Long", String(repeating: "x", count: 60_000))]
      let server = try TestServer { .status(302, headers: long + [("Location", "\($0.path)a")], body: "") }
      defer { server.stop() }
      #expect(failed(get(server.url("/"))) == .headTooLarge(1 << 18))
    }

    @Test("No program at any place, one that cannot be started, and the second place")
    func places() throws {
      for (places, reason) in [
        (
          ["/nonexistent/a", "/nonexistent/b"], "there is none at /nonexistent/a or /nonexistent/b; install skan again"
        ),
        (["/dev"], "/dev: Permission denied"),
      ] {
        let transport = HelperTransport(places: places)
        #expect(throws: HelperTransport.StartFailure(reason: reason)) { try transport.prepare() }
        #expect(failed(transport.send(.get("http://127.0.0.1:9/"), within: Self.limits)) == .noHelper(reason))
      }
      let server = try TestServer { _ in .status(200, body: "x") }
      defer { server.stop() }
      let transport = HelperTransport(places: ["/nonexistent/a", Self.program])
      #expect(try transport.send(.get(server.url()), within: Self.limits).get().response.status == 200)
    }

    @Test("A program that is none of ours, and one of another version, with and without a start before the request")
    func otherPrograms() throws {
      // The greeting of another version ends skan-http; to this program every greeting is one.
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("other-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let program = folder.appendingPathComponent("skan-http")
      func reason(_ what: String) -> String { "\(program.path) does not work: \(what); install skan again" }
      let version = "\(program.path) is of another version than skan \(ProgramVersion.text); install both again"
      for (script, expected) in [
        ("exit 4", version), ("exit 0", reason("it ended at once with code 0")),
        ("exit 3", reason("it ended at once with code 3")), ("kill -9 $$", reason("it ended at once")),
        ("exec cat /dev/zero >&0", reason("it is another program")),
        ("exec sleep 60 <&-", reason("it ended at once")),
      ] {
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let transport = HelperTransport(places: [program.path])
        #expect(throws: HelperTransport.StartFailure(reason: expected), "\(script)") { try transport.prepare() }
        for _ in 0..<2 {
          let failure = failed(transport.send(.get("http://127.0.0.1:9/"), within: Self.limits))
          #expect(failure == .noHelper(expected), "\(script)")
        }
      }
    }

    @Test("A program that fails at its first request: its fault unless a signal ends it, as an answer may do")
    func failsLater() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("later-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (program, greeting) = (folder.appendingPathComponent("skan-http"), folder.appendingPathComponent("greeting"))
      try Data(Frame.of(HelperProtocol.answerToGreeting)).write(to: greeting)
      func fault(_ what: String) -> TransportFailure {
        .noHelper("\(program.path) does not work: \(what); install skan again")
      }
      let size = Frame.of(HelperProtocol.greeting).count
      for (script, expected) in [
        ("exit 0", fault("it ended with code 0 during a request")), ("kill -9 $$", .crashed),
        ("exec cat /dev/zero >&0", fault("it returned what is no answer")),
      ] as [(String, TransportFailure)] {
        let text = """
          #!/bin/sh
          cat '\(greeting.path)' >&0
          dd bs=1 count=\(size + 1) of=/dev/null 2>/dev/null
          \(script)
          """
        try Data(text.utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let transport = HelperTransport(places: [program.path])
        try transport.prepare()
        #expect(failed(transport.send(.get("http://127.0.0.1:9/"), within: Self.limits)) == expected, "\(script)")
      }
    }

    @Test("skan-http ends with 4 at a greeting of another version, and serves after its own")
    func greeting() throws {
      for (greeting, code) in [
        (HelperProtocol.greeting(version: "0.0.9"), Int32(4)), ([], 4), (HelperProtocol.greeting, 0),
      ] {
        var start = ProgramStart(Self.program, arguments: ["skan-http"], environment: [])
        start.streams = [.socket, .dropped, .dropped]
        let (child, ends) = try start.run()
        let frame = Frame.of(greeting)
        #expect(frame.withUnsafeBytes { Socket.transmit(ends[0], $0) } == .bytes(frame.count))
        Socket.endOutput(ends[0])
        #expect(child.wait() == .code(code), "\(greeting)")
        Socket.closeDescriptor(ends[0])
      }
    }
  }
}
