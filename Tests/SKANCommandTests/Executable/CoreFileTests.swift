#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @Suite("Core files", .timeLimit(.minutes(TestTime.minutes)))
  struct CoreFileTests {
    /// Whether a crash leaves one in the folder where it happens, as this machine is set up.
    private static let areLeft =
      (try? Workspace()).map { (try? cores(of: "sh -c 'kill -SEGV $$'", in: $0)) == 1 } ?? false

    /// How many there are when a line of the shell has run, their size unlimited.
    private static func cores(of line: String, in workspace: Workspace) throws -> Int {
      _ = try workspace.shell("ulimit -c unlimited; \(line)")
      return try workspace.names().count { $0.hasPrefix("core") }
    }

    @Test(
      "A program that holds the key leaves none", .enabled(if: areLeft),
      arguments: ["session --endpoint", "session --sdk-key-file key --endpoint", "serve --port 0 --allow-origin"])
    func secret(command: String) throws {
      let workspace = try Workspace.registered()
      try workspace.write("key", "secret_k3y")
      // It takes connections, and answers none.
      let (descriptor, port) = try TestSocket.listen()
      defer { close(descriptor) }
      let key = command == "session --endpoint" ? "SKAN_SDK_KEY=secret_k3y" : ""
      let start = "\(key) \"$SKAN\" \(command) http://127.0.0.1:\(port)"
      #expect(try Self.cores(of: "\(start) & sleep 2; kill -SEGV $!; wait $!", in: workspace) == 0)
    }

    @Test("A command behind serve leaves one as ever", .enabled(if: areLeft))
    func child() throws {
      let workspace = try Workspace()
      #expect(try Self.cores(of: "\"$SKAN\" serve -q -- sh -c 'kill -SEGV $$'", in: workspace) == 1)
    }
  }
#endif
