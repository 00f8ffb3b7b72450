#if !canImport(Darwin)
  import Testing

  @testable import SKANSigning

  @Suite("Child processes")
  struct ChildProcessTests {
    private func sh(_ script: String, input: [UInt8] = [], files: [[UInt8]] = []) throws -> ChildProcess.Run {
      try ChildProcess.run("sh", ["-c", script], input: input, files: files)
    }

    @Test("Input, files, output, errors and code")
    func all() throws {
      let run = try sh("cat; cat /dev/fd/4 /dev/fd/3; echo bad >&2; exit 3", input: [0x61], files: [[0x62], [0x63]])
      #expect(run.output == Array("acb".utf8) && run.errors == "bad\n" && run.status == 3)
      #expect(ChildProcess.path(ofFile: 0) == "/dev/fd/3")
    }

    @Test("A signal that ends it, and input that it does not read")
    func ends() throws {
      #expect(try sh("kill -9 $$").status == -9)
      #expect(try sh("exit 0", input: [UInt8](repeating: 0, count: 5_000_000)).status == 0)
    }

    @Test("A program that is not there, and a file that is too long")
    func missing() {
      #expect(throws: SigningError.toolMissing) {
        _ = try ChildProcess.run("skan-no-such-program", [], input: [], files: [])
      }
      #expect(throws: SigningError.toolFailed("a key or signature is too long")) {
        _ = try self.sh("true", files: [[UInt8](repeating: 0, count: 4097)])
      }
    }
  }
#endif
