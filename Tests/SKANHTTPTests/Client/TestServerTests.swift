import Foundation
import SKANHTTP
import skan_http
import TestSupport
import Testing

extension HTTPTests {
  @Suite("The test server itself")
  struct Server {
    private var descriptors: Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count) ?? 0
    }

    @Test("Starting and stopping leaves no descriptor behind")
    func descriptorsClosed() throws {
      let before = descriptors
      for _ in 0..<200 {
        let server = try TestServer { _ in .closed }
        #expect(OpenSockets.bound(to: server.port).count == 1)
        _ = HTTPTransport().get(server.url(), deadline: 60)
        server.stop()
        server.stop()
        #expect(OpenSockets.bound(to: server.port) == [])
      }
      // The ends of its pipes would be 400; other tests run at the same time and hold some of their own.
      #expect(descriptors < before + 100)
    }

    @Test("Stopping waits for no slow answer and no idle connection")
    func stopsAtOnce() throws {
      let server = try TestServer { request in request.path == "/slow" ? .delayed(30, .status(200)) : .status(200) }
      _ = try HTTPTransport().get(server.url(), deadline: 60).get()
      _ = HTTPTransport().get(server.url("/slow"), deadline: 0.1)
      let began = ContinuousClock.now
      server.stop()
      #expect(began.duration(to: .now) < .seconds(15))
      #expect(server.requests.first?.path == "/")
    }

    @Test("A client that has gone is no SIGPIPE")
    func noSignal() throws {
      let server = try TestServer { _ in .huge(32 << 20) }
      defer { server.stop() }
      #expect(failed(HTTPTransport().get(server.url(), deadline: 5, limit: 10)) == .bodyTooLarge(10))
    }

    @Test func recordsRequests() throws {
      let server = try TestServer { _ in .status(200) }
      defer { server.stop() }
      _ = try HTTPTransport().get(server.url("/p?q=1"), headers: [("X-A", "b")], deadline: 60).get()
      let request = try #require(server.requests.first)
      #expect(request.target == "/p?q=1")
      #expect(String(decoding: request.raw, as: UTF8.self).hasPrefix("GET /p?q=1 HTTP/1.1\r\n"))
      #expect(String(decoding: request.raw, as: UTF8.self).hasSuffix("\r\n\r\n"))
      #expect(request.header("x-a") == "b")
    }
  }
}
