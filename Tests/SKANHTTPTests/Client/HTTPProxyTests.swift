import Foundation
import SKANHTTP
import skan_http
import TestSupport
import Testing

extension HTTPTests {
  /// In processes of their own, since the environment is all of a process's.
  @Suite("Proxies from the environment")
  struct Proxies {
    #if os(Linux)
      @Test("Loopback goes past a dead proxy, and given exceptions stay")
      func loopback() async {
        await #expect(processExitsWith: .success) {
          for name in ["http_proxy", "all_proxy"] { setenv(name, "http://127.0.0.1:9", 1) }
          setenv("no_proxy", "example.com, localhost", 1)
          let server = try TestServer { _ in .status(200) }
          defer { server.stop() }
          for host in ["127.0.0.1", "localhost", "0.0.0.0", "127.0.0.2"] {
            let result = HTTPTransport().get("http://\(host):\(server.port)/", deadline: 60)
            // The server listens on 127.0.0.1 alone: at 127.0.0.2 the refusal must be the host's, not the proxy's.
            if host == "127.0.0.2" {
              #expect(failed(result) == .connectionRefused(proxy: nil))
            } else {
              #expect(try result.get().response.status == 200)
            }
          }
          #expect(
            getenv("no_proxy").map { String(cString: $0) }
              == "example.com,localhost,127.0.0.1,127.0.0.0/8,0.0.0.0/8,::1,::")
        }
      }

      @Test("Other hosts do go through the proxy, and its refusal is reported from theirs")
      func others() async {
        await #expect(processExitsWith: .success) {
          let server = try TestServer { _ in .status(200, body: "proxy") }
          setenv("http_proxy", "http://127.0.0.1:\(server.port)", 1)
          // The test process, whose environment this is, may have set its own already.
          unsetenv("no_proxy")
          setenv("NO_PROXY", "example.org", 1)
          let exchange = try HTTPTransport().get("http://example.invalid/a", deadline: 60).get()
          #expect(String(decoding: exchange.response.body, as: UTF8.self) == "proxy")
          #expect(server.requests.first?.target == "http://example.invalid/a")
          #expect(
            getenv("no_proxy").map { String(cString: $0) }
              == "example.org,localhost,127.0.0.1,127.0.0.0/8,0.0.0.0/8,::1,::")
          server.stop()
          let result = HTTPTransport().get("http://other.invalid/a", deadline: 60)
          #expect(failed(result) == .connectionRefused(proxy: "127.0.0.1:\(server.port)"))
        }
      }

      @Test("An exception for everything stays one")
      func star() async {
        await #expect(processExitsWith: .success) {
          setenv("no_proxy", "*", 1)
          let server = try TestServer { _ in .status(200) }
          _ = try HTTPTransport().get(server.url(), deadline: 60).get()
          server.stop()
          #expect(getenv("no_proxy").map { String(cString: $0) } == "*")
        }
      }
    #endif
  }
}
