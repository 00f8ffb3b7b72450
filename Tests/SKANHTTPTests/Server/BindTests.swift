import TestSupport
import Testing

@testable import SKANHTTP

@Suite(.timeLimit(.minutes(TestTime.minutes))) struct BindTests {
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
    #expect(throws: HTTPBindFailure.addressInUse(host: "127.0.0.1", port: port)) {
      try Self.server("127.0.0.1", port).bind()
    }
    #expect(throws: HTTPBindFailure.addressInUse(host: "127.0.0.1", port: port)) {
      try Self.server("127.0.0.1", port).run()
    }
  }

  @Test func aForeignHostIsSaid() {
    // For documentation (RFC 5737): no machine has it.
    #expect(throws: HTTPBindFailure.foreignHost("192.0.2.1")) { try Self.server("192.0.2.1").bind() }
  }

  @Test(arguments: ["", "no such host", "a\0b", "256.0.0.1.invalid"])
  func aHostThatIsNoneIsSaid(_ host: String) throws {
    let failure = try #require(throws: HTTPBindFailure.self) { try Self.server(host).bind() }
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
    ] as [(HTTPBindFailure, String)])
  func messages(failure: HTTPBindFailure, message: String) { #expect(failure.message == message) }

  @Test(
    "Where a program on this machine finds a server",
    arguments: [
      ("0.0.0.0", "127.0.0.1:80"), ("::", "[::1]:80"), ("127.0.0.1", "127.0.0.1:80"), ("192.0.2.1", "192.0.2.1:80"),
    ])
  func local(host: String, authority: String) {
    #expect(HTTPServerAddress(host: host, port: 80).localAuthority == authority)
  }

  @Test func addressesAreWrittenAsInURLs() {
    let address = HTTPServerAddress(host: "::1", port: 80)
    #expect(address.authority == "[::1]:80" && address.isLoopback)
    #expect(!HTTPServerAddress(host: "0.0.0.0", port: 80).isLoopback)
  }

  @Test(arguments: [("::ffff:10.0.0.1", "10.0.0.1"), ("::ffff:1", "::ffff:1"), ("10.0.0.1", "10.0.0.1")])
  func anIPv4ClientHasOneName(_ host: String, _ name: String) {
    #expect(HTTPSocket.peerName(host) == name)
  }
}
