import Testing

@testable import SKANSystem

@Suite("Addresses of sockets")
struct SocketAddressTests {
  @Test(
    "Where a program on this machine finds a server",
    arguments: [
      ("0.0.0.0", "127.0.0.1:80"), ("::", "[::1]:80"), ("127.0.0.1", "127.0.0.1:80"), ("192.0.2.1", "192.0.2.1:80"),
    ])
  func local(host: String, authority: String) {
    #expect(SocketAddress(host: host, port: 80).localAuthority == authority)
  }

  @Test func addressesAreWrittenAsInURLs() {
    let address = SocketAddress(host: "::1", port: 80)
    #expect(address.authority == "[::1]:80" && address.isLoopback)
    #expect(!SocketAddress(host: "0.0.0.0", port: 80).isLoopback)
  }

  @Test(arguments: [("::ffff:10.0.0.1", "10.0.0.1"), ("::ffff:1", "::ffff:1"), ("10.0.0.1", "10.0.0.1")])
  func anIPv4ClientHasOneName(_ host: String, _ name: String) {
    #expect(Socket.peerName(host) == name)
  }
}
