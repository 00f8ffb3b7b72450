import Foundation
import SKANCommand
import TestSupport
import Testing

@testable import SKANCommandLine

@Suite("verify: signatures", .enabled(if: World.canCheckSignatures))
struct VerifyTests {
  private static let note = "  note: Conversion values are not covered by the signature: "
  private static let id = "17eea21e-778a-49c9-be17-de899dc0cafc"

  @Test("By the key that signed it: simulated, and says so; as PEM and as base64")
  func valid() throws {
    let world = try World.withPostbacks()
    let expected = Consequences(
      out: "valid              Version 4.0, postback 0 of com.example, transaction \(Self.id): the signature is that "
        + "of the given key, not Apple's; the postback is simulated.\n"
        + "\(Self.note)conversion-value 12 could have been altered. [values-not-signed]\n")
    #expect(world.run("verify 1.json --key public.pem") == expected)
    let base64 = (world["public.pem"] ?? "").split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
    #expect(world.run("verify 1.json --key \(base64)") == expected)
    let text = world["1.json"]
    world.set { $0.input = text }
    #expect(world.run("verify - --key public.pem") == expected)
    #expect(world.run("verify 1.json -q --key public.pem") == Consequences())
  }

  @Test("Where there is no postback, nothing is verified", arguments: ["", "--strict", "--json"])
  func none(option: String) throws {
    let world = try World.withPostbacks()
    for text in ["[]", " [ ]\n"] {
      world.set { $0.input = text }
      #expect(world.run("verify - \(option)") == Consequences(.badData, err: "-:1:1: there is no postback in it\n"))
    }
  }

  @Test("By Apple's key it does not verify, and the hint says how it would")
  func apples() throws {
    #expect(
      try World.withPostbacks().run("verify 1.json")
        == Consequences(
          .expectationFailed,
          out:
            "invalid            Version 4.0, postback 0 of com.example, transaction \(Self.id): the signature does not "
            + "match: a signed field was altered, or another key signed it (checked by Apple's key; --key checks a "
            + "simulated one).\n", err: "Try 'skan explain invalid'.\n"))
  }

  @Test("Several, one a line, each with its line; blank lines are skipped")
  func lines() throws {
    let world = try World.withPostbacks()
    world["more.jsonl"] = "\n" + (world["simulated.jsonl"] ?? "").replacing("\n", with: "\n\r\n")
    for (file, lines) in [("simulated.jsonl", 1...9), ("more.jsonl", 1...9)] {
      let run = world.run("verify \(file) --key public.pem")
      #expect(run.code == .ok && run.err.isEmpty)
      let indices = run.out.split(separator: "\n").filter { $0.hasPrefix("line") }.map { $0.split(separator: " ")[1] }
      #expect(indices == lines.map { file == "more.jsonl" ? "\($0 * 2)" : "\($0)" })
      #expect(run.out.hasSuffix("\n9 postbacks, 9 valid\n"))
    }
    // Version 2.0 had another key of Apple's.
    let run = world.run("verify simulated.jsonl")
    #expect(run.code == .expectationFailed)
    #expect(run.out.hasSuffix("\n9 postbacks, 0 valid\n"))
    #expect(
      run.out.contains(
        "\nline 9    not-checked        Version 2.0, postback of com.example, transaction "
          + "977ee72b-b52a-44be-be7e-4d252ea6a313: Apple signed versions 1.0 and 2.0 with another key (P-192), which is "
          + "not checked here; --key checks a simulated one.\n"))
  }

  @Test("An altered field that is signed; an altered conversion value, and one taken out")
  func altered() throws {
    let world = try World.withPostbacks()
    let original = world["1.json"] ?? ""
    for (old, new) in [
      ("525463029", "525463028"), ("com.example", "com.exampl"), ("\"5239\"", "\"5238\""), ("17eea21e", "17EEA21E"),
      ("\"redownload\":false", "\"redownload\":true"), ("1234567891", "1234567890"),
      ("\"fidelity-type\":1", "\"fidelity-type\":0"), ("\"source-app-id\":1234567891,", ""),
      ("\"attribution-signature\":\"MEYC", "\"attribution-signature\":\"MEYD"),
    ] {
      world["x.json"] = original.replacing(old, with: new)
      let run = world.run("verify x.json --key public.pem")
      #expect(run.code == .expectationFailed && run.out.hasPrefix("invalid "), "\(old)")
    }
    world["x.json"] = original.replacing("\"conversion-value\":12", with: "\"conversion-value\":63")
    let altered = world.run("verify x.json --key public.pem")
    #expect(altered.code == .ok && altered.out.contains("\(Self.note)conversion-value 63 could have been altered."))
    world["x.json"] = original.replacing("\"conversion-value\":12,", with: "")
    let without = world.run("verify x.json --key public.pem")
    #expect(without.code == .ok && without.out.contains("\(Self.note)here there is none, and one could have been"))
  }

  @Test("A signature that is none: with its reason, and no error of a tool")
  func badSignature() throws {
    let world = try World.withPostbacks()
    let original = world["8.json"] ?? ""
    let signature = original.split(separator: "\"").first { $0.hasPrefix("ME") } ?? ""
    for (new, words) in [
      ("AAAA", "the signature is not an ECDSA signature in DER: it does not begin with a sequence"),
      ("MAA=", "the signature is not an ECDSA signature in DER: its number r is missing or cut short"),
    ] {
      world["x.json"] = original.replacing(signature, with: new)
      let run = world.run("verify x.json --key public.pem")
      #expect(run.code == .expectationFailed && run.err == "Try 'skan explain invalid'.\n")
      #expect(run.out.contains(": \(words) (checked by the given key).\n"), "\(run)")
    }
  }

  @Test("As JSON, one object a postback")
  func json() throws {
    let world = try World.withPostbacks()
    #expect(
      world.run("verify 2.json --key public.pem --json")
        == Consequences(
          out:
            #"{"explanation":"Version 4.0, postback 1 of com.example, transaction 34e6008f-05c0-4f49-bd81-50cf41db9310: "#
            + #"the signature is that of the given key, not Apple's; the postback is "#
            + #"simulated.","file":"2.json","findings":[],"line":1,"#
            + #""not_signed":{"coarse-conversion-value":"medium"},"outcome":"valid","problems":[],"repeats_line":null,"#
            + #""simulated":true,"transaction_id":"34e6008f-05c0-4f49-bd81-50cf41db9310","version":"4.0"}"# + "\n"))
    let all = world.run("verify simulated.jsonl --json")
    #expect(all.code == .expectationFailed && all.out.split(separator: "\n").count == 9)
    #expect(all.out.contains(#""outcome":"invalid","problems":[],"repeats_line":null,"simulated":null,"#))
  }

  @Test(
    "A simulated postback of version 2.0 is signed on another curve than Apple's, and that is said once",
    arguments: ["2.0", "2.1"])
  func earlierKey(version: String) throws {
    let world = try World.withPostbacks()
    world["key.pem"] = SigningKey.privatePEM
    world.run("", arguments: ["install", "--at", "\(World.start)", "--ad", "{\"version\":\"\(version)\"}"])
    world.run("register --at \(World.start)")
    let note =
      "skan: postbacks of version 2.0 are signed with your P-256 key here; Apple signs 1.0 and 2.0 with a P-192 key, so a "
      + "receiver that checks them by a P-192 key refuses these\n"
    for option in ["", " --json", " --tier all"] {
      let run = world.run("postbacks --at +60d --sign key.pem\(option)")
      #expect(run.out.contains("attribution-signature") == (option != " --tier all"), "\(run)")
      #expect(run.err == (version == "2.0" && option != " --tier all" ? note : ""), "\(run)")
    }
    #expect(world.run("postbacks --at +60d --sign key.pem -q").err.isEmpty)
    #expect(world.run("postbacks --at +60d").err.isEmpty)
  }

  @Test("Several files and directories: each verdict names its file, and a transaction is known over all of them")
  func files() throws {
    let world = try World.withPostbacks()
    let (first, second) = (world["1.json"] ?? "", world["2.json"] ?? "")
    world["in/a.json"] = first
    world["in/b.jsonl"] = [second, first].map { $0.replacing("\n", with: "") }.joined(separator: "\n")
    world["in/c.txt"] = "no postback"
    let run = world.run("verify in 3.json --key public.pem")
    #expect(run.code == .ok && run.err.isEmpty)
    let lines = run.out.split(separator: "\n").map(String.init)
    let places: [Substring] = lines.filter { $0.hasPrefix("valid") }.map { $0.dropFirst(19).prefix { $0 != " " } }
    #expect(places == ["in/a.json:", "in/b.jsonl:1:", "in/b.jsonl:2:", "3.json:"])
    #expect(lines.last == "4 postbacks in 3 files, 4 valid")
    #expect(lines.contains { $0.hasPrefix("  note: in/a.json:1 has this transaction id already: a receiver drops ") })
    let objects = world.run("verify in 3.json --key public.pem --json").out.split(separator: "\n")
    #expect(
      objects.map { $0.contains(#""repeats_file":"in/a.json","repeats_line":1,"#) } == [false, false, true, false])
    #expect(objects.first?.contains(#""repeats_file":null,"repeats_line":null,"#) == true)
    #expect(!world.run("verify in/b.jsonl --key public.pem --json").out.contains("repeats_file"))
    // One that says something else is a conflict; a forgery is found in its file.
    world["in/b.jsonl"] = first.replacing("\"conversion-value\":12", with: "\"conversion-value\":13")
    #expect(
      world.run("verify in --key public.pem").out.contains(
        "  finding: in/a.json:1 has this transaction id but different content: conversion values are not signed, "))
    #expect(world.run("verify in --key public.pem --strict").code == .expectationFailed)
    for (arguments, code, message) in [
      ("1.json 1.json", ExitCode.usage, "skan: 1.json is named twice"),
      ("in in/a.json", .usage, "skan: in/a.json is named twice"),
      (
        "1.json none.json", .noInput,
        "skan: none.json does not exist; name a file with postbacks, a directory of such files"
      ),
    ] {
      let run = world.run("verify \(arguments) --key public.pem")
      #expect(run.code == code && run.err.hasPrefix(message) && run.out.isEmpty, "\(run)")
    }
    world["empty.json"] = "[]"
    #expect(
      world.run("verify 1.json empty.json")
        == Consequences(.badData, err: "empty.json:1:1: there is no postback in it\n"))
  }

  @Test("A transaction id that a valid postback before it had: reported, and no failure")
  func repeated() throws {
    let world = try World.withPostbacks()
    let first = world["1.json"] ?? ""
    let forged = first.replacing("525463029", with: "525463028")
    world["twice.jsonl"] = [forged, first, world["2.json"] ?? "", first]
      .map { $0.replacing("\n", with: "") }.joined(separator: "\n")
    let run = world.run("verify twice.jsonl --key public.pem")
    #expect(run.code == .expectationFailed)
    #expect(run.out.ranges(of: "[transaction-repeated]").count == 1)
    #expect(
      run.out.hasSuffix(
        "  note: Line 2 has this transaction id already: a receiver drops this postback. [transaction-repeated]\n"
          + "4 postbacks, 3 valid\n"))
    let lines = world.run("verify twice.jsonl --key public.pem --json").out.split(separator: "\n")
    #expect(lines.map { $0.contains(#""repeats_line":2"#) } == [false, false, false, true])
  }

  @Test("A point that is not on the curve")
  func offTheCurve() throws {
    let world = try World.withPostbacks()
    world["off.pem"] = (world["public.pem"] ?? "").replacing("ig==", with: "iw==")
    let off = world.run("verify 1.json --key off.pem")
    #expect(off.code == .badData && off.err.hasPrefix("skan: off.pem: the key is not usable ("), "\(off)")
  }

  @Test("The findings, in words")
  func words() throws {
    let world = try World.withPostbacks()
    let sample = (world["apple.jsonl"] ?? "").split(separator: "\n")[3]
    world["p.json"] = sample.dropLast() + #","source-app-id":0,"ip":"192.0.2.1"}"#
    #expect(
      world.run("verify p.json")
        == Consequences(
          out: """
            valid              Version 3.0, postback of example123.skadnetwork, transaction \
            f9ac267a-a889-44ce-b5f7-0166d11461f0: the signature is Apple's.
              finding: "source-app-id" is not in a postback that did not win. [not-of-non-winner]
              finding: A key was added that Apple's postbacks do not have: "ip". [added-keys]
              finding: "source-app-id" was added on the way: the signature is that of a postback without a source. \
            [source-filled-in]
              note: Conversion values are not covered by the signature: here there is none, and one could have been taken \
            out. [values-not-signed]

            """, err: "Try 'skan explain not-of-non-winner'.\n"))
    #expect(world.run("verify p.json --strict").code == .expectationFailed)
  }

  @Test("A file of Apple's published samples: two of them have one transaction id")
  func samples() throws {
    let world = try World.withPostbacks()
    let run = world.run("verify apple.jsonl")
    #expect(run.code == .ok && run.out.hasSuffix("\n6 postbacks, 6 valid\n"))
    #expect(
      run.out.ranges(of: "[transaction-conflict]").count == 2 && run.out.contains(": the signature is Apple's.\n"))
    #expect(world.run("verify apple.jsonl --strict").code == .expectationFailed)
  }
}

#if !canImport(CryptoKit)
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
      #expect(run.out.contains("the signature does not match"))
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
              + "the PATH; nothing else in skan needs it\n"
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
        try workspace.writeProgram("openssl", "#!/bin/sh\n\(script)\n")
        let run = try verify(workspace, "--key", Self.offTheCurve)
        #expect(run == Workspace.Run(code: code, out: "", err: words), "\(script)")
      }
    }
  }
#endif
