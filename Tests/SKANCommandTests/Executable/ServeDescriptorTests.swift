import Foundation
import SKANHTTP
import Testing

@Suite("serve with few descriptors", .timeLimit(.minutes(5)))
struct ServeDescriptorTests {
  /// A connection that says nothing; negative when there is none.
  private func connect(_ port: UInt16) -> Int32 {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let failed = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return failed == 0 ? descriptor : -1
  }

  @Test("Connections beyond them wait, and are served when others have gone")
  func exhausted() throws {
    let workspace = try Workspace()
    let server = try workspace.startShell("ulimit -n 24; exec \"$SKAN\" serve --port 0 --quiet > address")
    defer {
      kill(server.id, SIGTERM)
      #expect(server.end().code == 0)
    }
    var address = ""
    for _ in 0..<1000 where !address.hasSuffix("\n") {
      Thread.sleep(forTimeInterval: 0.01)
      address = workspace["address"] ?? ""
    }
    let url = String(address.dropFirst("listening on ".count).dropLast())
    let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
    let idle = (0..<40).map { _ in connect(port) }
    #expect(idle.allSatisfy { $0 >= 0 })
    // Some of them were taken, and the rest waits in the system's queue.
    Thread.sleep(forTimeInterval: 0.5)
    for descriptor in idle { close(descriptor) }
    let exchange = try HTTPTransport().send(.get("\(url)/healthz"), within: HTTPAnswerLimits(seconds: 20)).get()
    #expect(exchange.response.status == 200)
  }
}
