import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SKANHTTP
@testable import skan_http

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPTests {
  @Suite("Redirects")
  struct Redirects {
    private let transport = HTTPTransport()

    @Test("Followed on the same host", arguments: [301, 302, 303, 307, 308], ["/b?x=1", "b?x=1", "?x=1", "absolute"])
    func followed(status: Int, location: String) throws {
      let server = try TestServer { request in
        guard request.query == "key=SECRET" else { return .status(200, body: request.target) }
        return .redirect(
          status, to: location == "absolute" ? "http://\(request.header("Host") ?? "")/b?x=1" : location)
      }
      defer { server.stop() }
      let exchange = try transport.get(server.url("/a?key=SECRET"), headers: [("X-A", "b")], deadline: 60).get()
      let path = location == "?x=1" ? "/a?x=1" : "/b?x=1"
      #expect(exchange.response.status == 200)
      #expect(exchange.url == server.url(path))
      #expect(String(decoding: exchange.response.body, as: UTF8.self) == path)
      #expect(exchange.hops.map(\.response?.status) == [status, 200])
      #expect(exchange.hops.map(\.request.target.text) == [server.url("/a?key=SECRET"), server.url(path)])
      #expect(server.requests.map { $0.header("X-A") } == ["b", "b"])
      #expect(server.connections == 1)
    }

    @Test(
      "Not followed to other indices",
      arguments: [
        ("http://localhost:PORT/b?x=1", "http://localhost:PORT/b"), ("https://127.0.0.1:PORT/b", nil),
        ("https://127.0.0.1/b", nil), ("http://127.0.0.1/b", nil), ("//other.invalid/b?q", "http://other.invalid/b"),
        ("https://other.invalid/", nil), ("ftp://127.0.0.1:PORT/b?q=1", "ftp://127.0.0.1:PORT/b"),
        ("http://user@127.0.0.1:PORT/b", nil), ("javascript:alert(1)", nil),
      ] as [(String, String?)])
    func refused(location: String, named: String?) throws {
      let server = try TestServer { request in
        let port = request.header("Host")?.split(separator: ":").last ?? ""
        return request.path == "/a"
          ? .redirect(to: location.replacing("PORT", with: port))
          : .status(200)
      }
      defer { server.stop() }
      let result = transport.get(server.url("/a?key=SECRET"), deadline: 60)
      let text = (named ?? location).replacing("PORT", with: "\(server.port)")
      #expect(failed(result) == .redirectRefused(to: text))
      #expect(server.requests.count == 1)
    }

    @Test("Other port") func otherPort() throws {
      let other = try TestServer { _ in .status(200) }
      let server = try TestServer { [url = other.url("/b?x=1")] _ in .redirect(to: url) }
      defer {
        server.stop()
        other.stop()
      }
      #expect(failed(transport.get(server.url("/a"), deadline: 60)) == .redirectRefused(to: other.url("/b")))
      #expect(other.connections == 0)
    }

    @Test("A loop ends after the limit")
    func loop() throws {
      let server = try TestServer { _ in .redirect(to: "/a") }
      defer { server.stop() }
      #expect(failed(transport.get(server.url("/a"), deadline: 60)) == .tooManyRedirects(20))
      #expect(server.requests.count == 21)
    }

    @Test("As many as the limit are followed")
    func many() throws {
      let server = try TestServer { request in
        let count = Int(request.query) ?? 0
        return count == 20 ? .status(200) : .redirect(to: "/?\(count + 1)")
      }
      defer { server.stop() }
      #expect(try transport.get(server.url("/?0"), deadline: 60).get().hops.count == 21)
    }

    @Test("Empty location") func emptyLocation() throws {
      let server = try TestServer { _ in .redirect(to: "") }
      defer { server.stop() }
      #expect(try transport.get(server.url(), deadline: 60).get().response.status == 302)
    }

    @Test("A 3xx that points nowhere is an answer", arguments: [300, 302, 304])
    func pointless(status: Int) throws {
      let server = try TestServer { _ in .status(status) }
      defer { server.stop() }
      #expect(try transport.get(server.url(), deadline: 60).get().response.status == status)
    }
  }

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

@Suite("What the delegate replies to a redirect", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct HTTPSessionDelegateTests {
  private final class Replies: Sendable {
    let list = Mutex<[URLRequest?]>([])
  }

  private let delegate = HTTPSessionDelegate()
  private let call: HTTPCall
  private let url: URL
  private let task: URLSessionTask

  init() throws {
    let text = "http://127.0.0.1/a"
    call = HTTPCall(address: try URLParts(text).address, bodyLimit: 0)
    url = try #require(URL(string: text))
    task = URLSession.shared.dataTask(with: url)
  }

  private func replies() throws -> [URLRequest?] {
    let response = try #require(
      HTTPURLResponse(url: url, statusCode: 302, httpVersion: "HTTP/1.1", headerFields: ["Location": "/b"]))
    let replies = Replies()
    delegate.urlSession(
      URLSession.shared, task: task, willPerformHTTPRedirection: response, newRequest: URLRequest(url: url)
    ) { request in replies.list.withLock { $0.append(request) } }
    return replies.list.withLock { $0 }
  }

  @Test("That it is not followed")
  func notFollowed() throws {
    delegate.add(call, for: task)
    #expect(try replies() == [nil])
  }

  @Test("Nothing when the call is over: a reply to a task that has been cancelled would end the process on Linux")
  func over() throws {
    delegate.add(call, for: task)
    delegate.removeCall(for: task)
    #expect(try replies().isEmpty)
  }
}
