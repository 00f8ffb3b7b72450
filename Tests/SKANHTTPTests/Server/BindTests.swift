import SKANSystem
import TestSupport
import Testing

@testable import SKANHTTP

@Suite(.timeLimit(.minutes(TestTime.minutes)), .waits) struct BindTests {
  static func server(_ host: String, _ port: UInt16 = 0) -> HTTPServer {
    HTTPServer(host: host, port: port) { _, _ in HTTPReply.bytes() }
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func givesTheAddressThatWasChosen(_ host: String) throws {
    let server = Self.server(host)
    let address = try server.bind()
    #expect(address.host == "127.0.0.1" && address.port > 0 && address.isLoopback)
    #expect(address.authority == "127.0.0.1:\(address.port)")
  }

  @Test func aPortThatIsTakenIsSaid() throws {
    let first = Self.server("127.0.0.1")
    let port = try first.bind().port
    #expect(throws: BindFailure.addressInUse(host: "127.0.0.1", port: port)) {
      try Self.server("127.0.0.1", port).bind()
    }
    #expect(throws: BindFailure.addressInUse(host: "127.0.0.1", port: port)) {
      try Self.server("127.0.0.1", port).run()
    }
  }

  @Test func aForeignHostIsSaid() {
    // For documentation (RFC 5737): no machine has it.
    #expect(throws: BindFailure.foreignHost("192.0.2.1")) { try Self.server("192.0.2.1").bind() }
  }

  @Test(arguments: ["", "no such host", "a\0b", "256.0.0.1.invalid"])
  func aHostThatIsNoneIsSaid(_ host: String) throws {
    let failure = try #require(throws: BindFailure.self) { try Self.server(host).bind() }
    guard case .unknownHost(host, _) = failure else {
      Issue.record("\(failure)")
      return
    }
  }

  @Test(
    "What is said of each",
    arguments: [
      (.addressInUse(host: "h", port: 80), "h:80 is in use already; --port 0 picks a free port"),
      (.noPermission(host: "h", port: 80), "no permission to listen on h:80"),
      (.unknownHost("h", reason: "no such name"), "--host h cannot be used: no such name"),
      (.foreignHost("h"), "--host h is not an address of this machine"),
      (.system(call: "listen", code: 24, reason: "Too many open files"), "cannot listen: listen: Too many open files"),
    ] as [(BindFailure, String)])
  func messages(failure: BindFailure, message: String) { #expect(failure.message == message) }
}
