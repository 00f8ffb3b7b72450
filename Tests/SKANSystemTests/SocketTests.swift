import Foundation
import SKANBase
import TestSupport
import Testing

@testable import SKANSystem

@Suite("Sockets", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct SocketTests {
  /// Both ends of a connection on this machine.
  private final class Pair {
    let listener, client, server: Int32
    let address: SocketAddress

    init() throws {
      let (listener, address) = try Socket.openListener(host: "127.0.0.1", port: 0)
      #expect(Socket.acceptConnection(listener) == .noConnection)
      let client = try Socket.openConnection(host: "127.0.0.1", port: Int(address.port))
      #expect(Socket.wait(for: .input, on: listener, seconds: TestTime.patience)?.canRead == true)
      guard case .connection(let server, let peer) = Socket.acceptConnection(listener) else { throw Errno.inputOutput }
      #expect(peer == "127.0.0.1")
      (self.listener, self.address, self.client, self.server) = (listener, address, client, server)
    }

    deinit { for end in [listener, client, server] { Socket.closeDescriptor(end) } }
  }

  private static func send(_ descriptor: Int32, _ text: String) -> Socket.Transfer {
    Array(text.utf8).withUnsafeBytes { Socket.transmit(descriptor, $0) }
  }

  /// What comes next, waited for.
  private static func receive(_ descriptor: Int32) -> (Socket.Transfer, String) {
    _ = Socket.wait(for: .input, on: descriptor, seconds: TestTime.patience)
    var bytes = [UInt8](repeating: 0, count: 16)
    let transfer = bytes.withUnsafeMutableBytes { Socket.receive(descriptor, into: $0) }
    return (transfer, String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
  }

  @Test("Both ends talk, neither blocks, and one that has ended its output still listens")
  func talk() throws {
    let pair = try Pair()
    for end in [pair.listener, pair.client, pair.server] {
      #expect(fcntl(end, F_GETFD) & FD_CLOEXEC != 0 && fcntl(end, F_GETFL) & O_NONBLOCK != 0)
    }
    var bytes = [UInt8](repeating: 0, count: 4)
    #expect(bytes.withUnsafeMutableBytes { Socket.receive(pair.server, into: $0) } == .wouldBlock)
    #expect(Self.send(pair.client, "abc") == .bytes(3))
    #expect(Self.receive(pair.server) == (.bytes(3), "abc"))
    Socket.endOutput(pair.client)
    #expect(Self.receive(pair.server).0 == .ended)
    #expect(Self.send(pair.server, "de") == .bytes(2))
    #expect(Self.receive(pair.client) == (.bytes(2), "de"))
    #expect(Self.send(-1, "x") == .failed && bytes.withUnsafeMutableBytes { Socket.receive(-1, into: $0) } == .failed)
  }

  @Test("A connection that is reset has failed")
  func reset() throws {
    let (listener, address) = try Socket.openListener(host: "127.0.0.1", port: 0)
    defer { Socket.closeDescriptor(listener) }
    let client = try Socket.openConnection(host: "127.0.0.1", port: Int(address.port))
    defer { Socket.closeDescriptor(client) }
    #expect(Socket.wait(for: .input, on: listener, seconds: TestTime.patience) != nil)
    guard case .connection(let server, _) = Socket.acceptConnection(listener) else {
      Issue.record("no connection")
      return
    }
    Socket.resetOnClose(server)
    Socket.closeDescriptor(server)
    #expect(TestTime.wait { Socket.wait(for: .output, on: client, seconds: 1)?.hasFailed ?? false })
    #expect(Socket.error(of: client).code == ECONNRESET)
    #expect(Socket.error(of: client).code == 0)
  }

  @Test("Why a server cannot listen and a client cannot connect")
  func failures() throws {
    let (listener, address) = try Socket.openListener(host: "localhost", port: 0)
    #expect(address.host == "127.0.0.1" && address.port > 0)
    #expect(throws: BindFailure.addressInUse(host: "127.0.0.1", port: address.port)) {
      try Socket.openListener(host: "127.0.0.1", port: address.port)
    }
    #expect(throws: BindFailure.foreignHost("192.0.2.1")) { try Socket.openListener(host: "192.0.2.1", port: 0) }
    for host in ["", "a\0b"] {
      #expect(throws: BindFailure.unknownHost(host, reason: "it is empty or has a NUL")) {
        try Socket.openListener(host: host, port: 0)
      }
    }
    Socket.closeDescriptor(listener)
    #expect(Socket.acceptConnection(-1) == .noConnection)
    var code: Int32 = 0
    do throws(Socket.ConnectFailure) {
      let client = try Socket.openConnection(host: "127.0.0.1", port: Int(address.port))
      _ = Socket.wait(for: .output, on: client, seconds: TestTime.patience)
      code = Socket.error(of: client).code
      Socket.closeDescriptor(client)
    } catch {
      if case .refused(let error) = error { code = error.code }
    }
    #expect(code == ECONNREFUSED)
  }

  @Test("A set reports each socket for what it is watched for, and forgets what is removed")
  func pollSet() throws {
    let pair = try Pair()
    var set = PollSet()
    #expect(set.count == 1 && set.wait(seconds: 0) == 0)
    set.append(pair.client, .output)
    set.append(pair.server, .input)
    #expect(set.count == 3 && set.wait(seconds: 1) == 1)
    #expect(set.readiness(at: 1)?.canWrite == true && set.readiness(at: 1)?.canRead == false)
    #expect(set.readiness(at: 2) == nil && set.readiness(at: 0) == nil)
    set.set(.nothing, at: 1)
    #expect(set.wait(seconds: 0) == 0)
    set.set(.nothing, at: 1)
    set.set(.inputOrOutput, at: 1)
    #expect(set.wait(seconds: 1) == 1 && set.readiness(at: 1)?.canWrite == true)
    set.set(.input, at: 1)
    let start = SystemClock.seconds
    #expect(set.wait(seconds: 0.0301) == 0 && SystemClock.seconds - start >= 0.03)
    _ = Self.send(pair.client, "a")
    #expect(
      set.wait(seconds: 1) == 1 && set.readiness(at: 2)?.canRead == true && set.readiness(at: 2)?.canWrite == false)
    set.remove(at: 1)
    #expect(set.count == 2 && set.wait(seconds: 1) == 1 && set.readiness(at: 1)?.canRead == true)
    set.remove(at: 1)
    #expect(set.count == 1 && set.wait(seconds: 0) == 0)
    set.replace(pair.server, at: 0)
    #expect(set.wait(seconds: 1) == 1 && set.readiness(at: 0)?.canRead == true)
    set.replace(-1, at: 0)
    #expect(set.wait(seconds: 0) == 0)
  }

  @Test(
    "Addresses in words",
    arguments: [
      ("127.0.0.1", "127.0.0.1:80", "127.0.0.1:80", true), ("127.9.9.9", "127.9.9.9:80", "127.9.9.9:80", true),
      ("::1", "[::1]:80", "[::1]:80", true), ("0.0.0.0", "0.0.0.0:80", "127.0.0.1:80", false),
      ("::", "[::]:80", "[::1]:80", false), ("1.127.0.0", "1.127.0.0:80", "1.127.0.0:80", false),
      ("192.0.2.1", "192.0.2.1:80", "192.0.2.1:80", false), ("10.0.0.1", "10.0.0.1:80", "10.0.0.1:80", false),
      ("::11", "[::11]:80", "[::11]:80", false), ("128.0.0.1", "128.0.0.1:80", "128.0.0.1:80", false),
      ("12.7.0.0", "12.7.0.0:80", "12.7.0.0:80", false),
    ])
  func addresses(host: String, authority: String, local: String, isLoopback: Bool) {
    let address = SocketAddress(host: host, port: 80)
    #expect(address.authority == authority && address.localAuthority == local && address.isLoopback == isLoopback)
    for (name, shown) in [
      ("::ffff:\(host)", host.contains(".") ? host : "::ffff:\(host)"), (host, host), ("::ffff:1", "::ffff:1"),
    ] { #expect(Socket.peerName(name) == shown) }
  }
}
