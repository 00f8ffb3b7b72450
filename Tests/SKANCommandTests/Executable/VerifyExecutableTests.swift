#if !canImport(CryptoKit)
  import Foundation
  import TestSupport
  import Testing

  @Suite(
    "verify and the openssl on the PATH", .timeLimit(.minutes(TestTime.minutes)), .waits,
    .enabled(if: World.canCheckSignatures))
  struct VerifyExecutableTests {
    private static let postback =
      #"{"version":"2.1","ad-network-id":"com.example","campaign-id":42,"app-id":1,"#
      + #""transaction-id":"c36b2c5a-5a6d-4c3e-9b1f-2f6d0f6a7c11","redownload":false,"#
      + #""attribution-signature":"MAYCAQECAQE="}"#

    /// The form of a P-256 key with a point that is not on the curve: the library refuses it, and the program is asked why.
    private static let offTheCurve =
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdOy2n60bRHQQYbt5OT8HwRpSKhATHdFvsxVpp2Y4XfpZ3/M4UQSxI3yYPG0MrZ8TYDvfJPukw+T1"
      + "ag2P+Q46iw=="

    private func verify(_ workspace: Workspace, _ arguments: String...) throws -> Workspace.Run {
      try workspace.run(
        ["verify", "-"] + arguments, environment: ["PATH": workspace.url.path], input: Self.postback)
    }

    @Test("Where the library is, it is not needed")
    func library() throws {
      let run = try verify(try Workspace())
      #expect(run.code == 1 && run.err == "Try 'skan explain invalid'.\n")
      #expect(run.out.contains("the signature does not fit"))
    }

    @Test("Without it: a clear message and 69")
    func missing() throws {
      let run = try verify(try Workspace(), "--key", Self.offTheCurve)
      #expect(
        run
          == Workspace.Run(
            code: 69, out: "",
            err:
              "skan: signatures need OpenSSL 3, and there is neither its library (libcrypto.so.3) nor the program openssl on "
              + "the PATH; nothing else of skan does\n"
          ))
    }

    @Test("One that does something else: reported in its words, and never taken for a verdict")
    func strange() throws {
      let workspace = try Workspace()
      for (script, code, words) in [
        ("exit 0", Int32(69), "skan: openssl failed: exit code 0\n"),
        ("echo 'Verified OK'; exit 1", 69, "skan: openssl failed: exit code 1\n"),
        ("kill -9 $$", 69, "skan: openssl failed: ended by signal 9\n"),
        ("echo 'out of order' >&2; exit 7", 69, "skan: openssl failed: out of order\n"),
      ] {
        try workspace.write("openssl", "#!/bin/sh\n\(script)\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: workspace("openssl").path)
        let run = try verify(workspace, "--key", Self.offTheCurve)
        #expect(run == Workspace.Run(code: code, out: "", err: words), "\(script)")
      }
    }
  }
#endif
