import Foundation
import SKANBase
import SKANHTTP
import TestSupport
import Testing
import skan_http

@Suite("serve with few descriptors", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ServeDescriptorTests {
  @Test("Connections that say nothing make room for a client that asks")
  func exhausted() throws {
    let workspace = try Workspace()
    let server = try workspace.startShell("ulimit -n 24; exec \"$SKAN\" serve --port 0 --quiet > address")
    defer {
      kill(server.id, SIGTERM)
      #expect(server.end().code == 0)
    }
    TestTime.wait { workspace["address"]?.hasSuffix("\n") ?? false }
    let address = try #require(workspace["address"])
    let url = String(address.dropFirst("listening on ".count).dropLast())
    let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
    let idle = (0..<40).map { _ in socket(AF_INET, TestSocket.streamType, 0) }
    #expect(idle.allSatisfy { TestSocket.connect($0, to: port) })
    defer { for descriptor in idle { close(descriptor) } }
    let exchange = try HTTPTransport().send(.get("\(url)/healthz"), within: HTTPAnswerLimits(seconds: 20)).get()
    #expect(exchange.response.status == 200)
  }
}
