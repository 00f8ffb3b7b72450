import SKANHTTP
import skan_http
import TestSupport
import Testing

extension HTTPTests {
  @Suite("Deadlines and interrupts")
  struct Deadlines {
    private let transport = HTTPTransport()

    /// The failure, and after how many seconds it came.
    private func timed(
      _ response: TestServer.Response, deadline: Double, isInterrupted: () -> Bool = { false }
    ) throws -> (TransportFailure?, Double) {
      let server = try TestServer { _ in response }
      defer { server.stop() }
      let began = ContinuousClock.now
      let result = transport.get(server.url(), deadline: deadline, isInterrupted: isInterrupted)
      return (failed(result), began.duration(to: .now) / .seconds(1))
    }

    @Test("A slow answer is waited for no longer than allowed", arguments: [0.05, 0.25, 0.33])
    func slow(deadline: Double) throws {
      let (failure, seconds) = try timed(.delayed(60, .status(200)), deadline: deadline)
      #expect(failure == .timedOut(deadline))
      #expect((deadline..<30).contains(seconds))
    }

    @Test("Bytes that keep coming do not prolong it")
    func drip() throws {
      let (failure, seconds) = try timed(.drip(String(repeating: "0", count: 600), every: 0.1), deadline: 0.4)
      #expect(failure == .timedOut(0.4))
      #expect((0.4..<30).contains(seconds))
    }

    @Test func slowButInTime() throws {
      #expect(try timed(.delayed(0.2, .drip("abc", every: 0.05)), deadline: 60).0 == nil)
    }

    @Test("No time at all", arguments: [0, -1, -Double.infinity])
    func none(deadline: Double) throws {
      let (failure, seconds) = try timed(.delayed(60, .status(200)), deadline: deadline)
      #expect(failure == .timedOut(deadline))
      #expect(seconds < 30)
    }

    @Test("All the time there is", arguments: [Double.infinity, Double.greatestFiniteMagnitude, 1e10])
    func endless(deadline: Double) throws {
      #expect(try timed(.delayed(0.05, .status(200)), deadline: deadline).0 == nil)
    }

    @Test func redirectsShareOne() throws {
      let server = try TestServer { _ in .delayed(0.1, .redirect(to: "/again")) }
      defer { server.stop() }
      #expect(failed(transport.get(server.url(), deadline: 0.35)) == .timedOut(0.35))
    }

    @Test("An interrupt ends the wait within a slice or two")
    func interrupt() throws {
      let began = ContinuousClock.now
      let (failure, seconds) = try timed(.delayed(60, .status(200)), deadline: 60) {
        began.duration(to: .now) > .milliseconds(200)
      }
      #expect(failure == .interrupted)
      #expect((0.2..<30).contains(seconds))
    }

    @Test func interruptedBefore() throws {
      let (failure, seconds) = try timed(.status(200), deadline: 60) { true }
      #expect(failure == .interrupted)
      #expect(seconds < 30)
    }

    @Test("After a deadline the next request is a fresh one")
    func recovers() throws {
      let server = try TestServer { request in
        request.path == "/slow" ? .delayed(0.3, .status(200, body: "slow")) : .status(200, body: "fast")
      }
      defer { server.stop() }
      #expect(failed(transport.get(server.url("/slow"), deadline: 0.1)) == .timedOut(0.1))
      let exchange = try transport.get(server.url("/fast"), deadline: 60).get()
      #expect(String(decoding: exchange.response.body, as: UTF8.self) == "fast")
    }
  }
}
