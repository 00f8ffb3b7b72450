#if !canImport(CryptoKit)
  import Foundation
  import Testing

  @Suite("verify and the openssl on the PATH")
  struct VerifyExecutableTests {
    private static let postback =
      #"{"version":"2.1","ad-network-id":"com.example","campaign-id":42,"app-id":1,"#
      + #""transaction-id":"c36b2c5a-5a6d-4c3e-9b1f-2f6d0f6a7c11","redownload":false,"#
      + #""attribution-signature":"MAYCAQECAQE="}"#

    @Test("Without it: a clear message and 69")
    func missing() throws {
      let workspace = try Workspace()
      let run = try workspace.run(["verify", "-"], environment: ["PATH": workspace.url.path], input: Self.postback)
      #expect(
        run
          == Workspace.Run(
            code: 69, out: "",
            err: "skan: signatures need the program openssl, and there is none on the PATH; nothing else of skan does\n"
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
        let run = try workspace.run(["verify", "-"], environment: ["PATH": workspace.url.path], input: Self.postback)
        #expect(run == Workspace.Run(code: code, out: "", err: words), "\(script)")
      }
    }
  }
#endif
