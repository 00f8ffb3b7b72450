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

@Suite("Programs, terminals and clocks", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ProcessEdgeTests {
  @Test("Where a shell looks for a program")
  func candidates() {
    for (program, path, found) in [
      ("a/b", "/bin", ["a/b"]), ("", "/bin", [""]), ("x", "/bin:/usr/bin", ["/bin/x", "/usr/bin/x"]),
      ("x", ":/bin::", ["x", "/bin/x", "x", "x"]), ("x", "", ["x"]),
    ] { #expect(ProgramPath.candidates(program, in: path) == found) }
    #expect(ProgramPath.candidates("x", in: nil) == ["/bin/x", "/usr/bin/x"])
  }

  @Test("How a child ended is known once, and one that should ends with its starter")
  func children() throws {
    unblockSignals()
    for endsWithParent in [false, true] {
      var start = ProgramStart("/bin/sh", arguments: ["sh", "-c", "exit 3"], environment: [])
      start.endsWithParent = endsWithParent
      let child = try start.run().child
      #expect(child.wait() == .code(3) && child.end == .unknown && child.wait() == .unknown)
      start.program = "/nowhere/sh"
      #expect(throws: Errno.notFound) { try start.run() }
      start.program = "/bin/sh"
      start.arguments = ["sh", "-c", "kill -15 $$; exec sleep 60"]
      #expect(try start.run().child.wait() == .signal(15))
      start.arguments = ["sh", "-c", "exec sleep 60"]
      start.hasOwnGroup = !endsWithParent
      let sleeping = try start.run().child
      #expect(getpgid(sleeping.number) == (start.hasOwnGroup ? sleeping.number : getpgrp()))
      #expect(sleeping.end == nil && sleeping.kill() == .signal(9))
    }
    #if !canImport(Darwin)
      let child = Monitor<ChildProcess?>(nil)
      _ = WorkerThread.start {
        unblockSignals()
        var start = ProgramStart("/bin/sh", arguments: ["sh", "-c", "exec sleep 60"], environment: [])
        start.endsWithParent = true
        let started = try? start.run().child
        child.change { $0 = started }
      }
      _ = child.wait(seconds: TestTime.patience) { $0 != nil }
      #expect(child.withLock { $0 }?.wait() == .signal(15))
    #endif
  }

  @Test("Ctrl-C is noticed soon while a program says nothing")
  func interruption() {
    let start = SystemClock.seconds
    var asked = 0
    #expect(throws: ProgramRun.Failure.interrupted) {
      try ProgramRun("sleep", ["20"], environment: [], input: [], files: []) {
        asked += 1
        return asked > 2
      }
    }
    #expect(SystemClock.seconds - start < 15)
  }

  @Test(
    "A terminal has the width that it says, or 80; anything else has none",
    .enabled(if: access("/dev/ptmx", R_OK | W_OK) == 0 && access("/proc/self/exe", F_OK) == 0))
  func columns() throws {
    let other = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    try #require(other >= 0)
    defer { close(other) }
    var isLocked: Int32 = 0
    // TIOCSPTLCK and TIOCGPTPEER of Linux, macros that Swift does not import.
    try #require(ioctl(other, 0x4004_5431, &isLocked) == 0)
    let terminal = ioctl(other, 0x5441, O_RDWR | O_NOCTTY)
    try #require(terminal >= 0)
    defer { close(terminal) }
    for (width, columns) in [(0, 80), (1, 1), (79, 79), (200, 200)] as [(UInt16, Int)] {
      var size = winsize(ws_row: 24, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
      #expect(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
      #expect(StandardStream.columns(of: terminal) == columns)
    }
    #expect(StandardStream.isReady(terminal) && !StandardStream.isPipe(terminal))
    let null = open("/dev/null", O_WRONLY)
    defer { close(null) }
    #expect(StandardStream.columns(of: null) == nil && StandardStream.columns(of: -1) == nil)
  }

  @Test("Clocks go forward, and a sleep takes as long as it is asked for")
  func clocks() {
    for (seconds, whole, nanoseconds) in [(0, 0, 0), (1.25, 1, 250_000_000), (3600, 3600, 0), (0.5, 0, 500_000_000)]
      as [(Double, Int, Int)]
    {
      let interval = SystemClock.interval(seconds)
      #expect(Int(interval.tv_sec) == whole && Int(interval.tv_nsec) == nanoseconds)
    }
    let wall = Double(SystemClock.microsecondsSince1970) / 1e6
    #expect(abs(wall - Date().timeIntervalSince1970) < 5)
    let start = SystemClock.seconds
    SystemClock.sleep(-1)
    SystemClock.sleep(0.02)
    let middle = SystemClock.seconds
    #expect(middle - start >= 0.02)
    SystemClock.sleep(0.12) { false }
    #expect(SystemClock.seconds - middle >= 0.12)
    SystemClock.sleep(3000) { true }
    #expect(SystemClock.seconds - middle < 1000)
  }
}
