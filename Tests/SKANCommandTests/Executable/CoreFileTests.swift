#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @Suite("Core files", .timeLimit(.minutes(TestTime.minutes)), .waits)
  struct CoreFileTests {
    /// Whether a crash leaves one in the folder where it happens, as this machine is set up.
    private static let areLeft =
      (try? Workspace()).map { (try? cores(of: "sh -c 'kill -SEGV $$'", in: $0)) == 1 } ?? false

    /// How many there are when a line of the shell has run that ends with a crash; nil where it ended otherwise.
    private static func cores(
      of line: String, in workspace: Workspace, meanwhile body: () throws -> Void = {}
    ) throws -> Int? {
      // The runtime's own handler would go on after a signal from elsewhere.
      let shell = try workspace.startShell(
        "export SWIFT_BACKTRACE=enable=no; ulimit -c unlimited; \(line); echo $? > status")
      try body()
      _ = shell.end()
      return workspace["status"] == "139\n" ? try workspace.names().count { $0.hasPrefix("core") } : nil
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
      let start = "\(key) \"$SKAN\" \(command) http://127.0.0.1:\(port) > out"
      let line = "\(start) & until [ -e go ]; do sleep 0.1; done; kill -SEGV $!; wait $!"
      let cores = try Self.cores(of: line, in: workspace) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // It asks, or it listens.
        #expect(
          TestTime.wait { poll(&waiting, 1, 0) > 0 || workspace["out"]?.contains("listening") == true })
        try workspace.write("go", "")
      }
      #expect(cores == 0)
    }

    @Test("A command behind serve leaves one as ever", .enabled(if: areLeft))
    func child() throws {
      #expect(try Self.cores(of: "\"$SKAN\" serve -q -- sh -c 'kill -SEGV $$'", in: Workspace()) == 1)
    }
  }
#endif
