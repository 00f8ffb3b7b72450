import SKANCommand
import Testing

@testable import SKANCommandLine

@Suite("verify: fields, files and keys")
struct VerifyFieldTests {
  @Test("All that is odd about the fields at once, beside the verdict on the signature")
  func fields() {
    let world = World()
    world["p.json"] = #"""
      {
        "version": "2.1", "ad-network-id": "com.example", "campaign-id": 101, "app-id": "5",
        "transaction-id": "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d", "redownload": 1,
        "conversion_value": 5, "attribution-signature": "AAAA"
      }
      """#
    #expect(
      world.run("verify p.json")
        == Consequences(
          .expectationFailed,
          out: """
            invalid            Version 2.1, postback of com.example, transaction 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d: the \
            signature is not an ECDSA signature in DER: it does not begin with a sequence (checked by Apple's key; --key \
            checks a simulated one).
              finding: "campaign-id" must be a whole number from 1 to 100, this is 101. [field-form]
              finding: "app-id" must be a whole number from 0 to 9223372036854775807, this is "5". [field-form]
              finding: "redownload" must be true or false, this is 1. [field-form]
              finding: No key is called "conversion_value"; did you mean "conversion-value"? [mistyped-key]

            """, err: "Try 'skan explain invalid'.\n"))
    let json = world.run("verify p.json --json")
    #expect(json.code == .expectationFailed && json.err == ExitCode.expectationFailed.line)
    #expect(
      json.out.contains(
        #""file":"p.json","findings":[{"code":"field-form","column":68,"line":2,"message":"\"campaign-id\" must be a "#),
      "\(json)")
    #expect(
      json.out.hasSuffix(
        #","not_signed":{},"outcome":"invalid","problems":[],"repeats_line":null,"simulated":null,"#
          + #""transaction_id":"0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d","version":"2.1"}"# + "\n"))
    #expect(world.run("verify p.json -q").out.isEmpty)
  }

  @Test("Without a signature, or without a field that is signed, nothing can fit: a verdict all the same")
  func incomplete() {
    let world = World()
    let whole =
      #"{"version":"2.1","ad-network-id":"com.example","campaign-id":4,"app-id":5,"redownload":true,"#
      + #""transaction-id":"0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d","attribution-signature":"AAAA"}"#
    world["p.json"] = whole.replacing("attribution-signature", with: "ip")
    let unsigned = world.run("verify p.json")
    #expect(unsigned.code == .expectationFailed && unsigned.err == "Try 'skan explain not-checked'.\n")
    #expect(unsigned.out.hasPrefix("not-checked        Version 2.1, postback of com.example, transaction 0b1c2d3e-"))
    #expect(unsigned.out.contains(": it has no signature (\"attribution-signature\").\n  finding: A key was added"))
    world["p.json"] = whole.replacing(#""redownload":true,"#, with: "")
    #expect(
      world.run("verify p.json").out.contains(
        ": no signature can match: the signed field \"redownload\" is missing (checked by Apple's key; --key checks a "
          + "simulated one).\n  finding: A postback of version 2.1 needs the key \"redownload\". [field-missing]\n"))
  }

  private static let jws =
    "eyJhbGciOiJFUzI1NiIsImtpZCI6ImFwcGxlLWNhcy1pZGVudGlmaWVyXC8wIn0"
    + ".eyJhZC1uZXR3b3JrLWlkZW50aWZpZXIiOiJjb20uZXhhbXBsZSIsInBvc3RiYWNrLWlkZW50aWZpZXIiOiJpZC0xIn0.c2ln"

  @Test("A postback of AdAttributionKit: named, and not taken for a broken one of SKAdNetwork")
  func adAttributionKit() {
    let world = World()
    let line =
      "invalid            AdAttributionKit postback of com.example, identifier id-1, key apple-cas-identifier/0: its "
      + "signature has 3 bytes, and one of ES256 has 64.\n"
    for text in [
      #"{"jws-string":"\#(Self.jws)","ad-interaction-type":"click","conversion-value":5}"#, "\(Self.jws)\n",
      "\"\(Self.jws)\"",
    ] {
      world["p.json"] = text
      let run = world.run("verify p.json")
      #expect(run.out.hasPrefix(line) && run.err == "Try 'skan explain invalid'.\n" && run.code == .expectationFailed)
    }
    world["p.json"] = #"{"jws-string":"no.thing"}"#
    #expect(
      world.run("verify p.json").out.hasPrefix("invalid            AdAttributionKit postback: a compact JWS has three ")
    )
    world["p.jsonl"] = "\(Self.jws)\n{}\n\n\(Self.jws)\n"
    let lines = world.run("verify p.jsonl").out.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(
      lines.map { $0.prefix(21) } == [
        "line 1    invalid    ", "line 2    malformed  ", "line 4    invalid    ", "3 postbacks, 0 valid",
      ])
    for text in ["eyJhIjox", "hello.a.b", "eyJ a.b.c"] {
      world["p.json"] = text
      #expect(world.run("verify p.json").code == .badData)
    }
  }

  @Test("Problems in the third of several lines")
  func fieldsInLines() {
    let world = World()
    world["p.jsonl"] = "{}\n\n[1]\n"
    let run = world.run("verify p.jsonl")
    #expect(run.code == .expectationFailed)
    #expect(
      run.out == """
        line 1    malformed          Nothing tells which fields are signed; the signature was not checked.
        line 3    malformed          Nothing tells which fields are signed; the signature was not checked.
        2 postbacks, 0 valid

        """)
    #expect(run.err.contains("p.jsonl:1:1: a postback needs the key \"version\"; those of version 1.0 have none"))
    #expect(run.err.contains("p.jsonl:3:1: a postback must be an object, this is an array\n  [1]\n  ^^^\n"))
  }

  @Test("Ten thousand problems: a hundred are reported, and how many more there are")
  func manyProblems() {
    let world = World()
    for (line, code) in [("{}", ExitCode.expectationFailed), ("{,}", .badData)] {
      world["p.jsonl"] = "{}\n" + String(repeating: "\(line)\n", count: 10_000)
      let run = world.run("verify p.jsonl")
      #expect(run.code == code)
      #expect(run.err.split(separator: "\n").count { $0.hasPrefix("p.jsonl:") } == 100)
      let hint = line == "{}" ? "Try 'skan explain malformed'.\n" : ""
      #expect(
        run.err.hasSuffix("skan: and \(line == "{}" ? 9901 : 9900) more problems\n\(hint)"), "\(run.err.suffix(200))")
    }
  }

  @Test(
    "What is not JSON",
    arguments: [
      ("", "p.json:1:1: not JSON: the text ends too early"), ("{", "p.json:1:2: not JSON: the text ends too early"),
      ("{\n  \"version\": 4.0,\n}", "p.json:2:17: not JSON: a comma before the closing bracket"),
      (
        "{}\n{,}\nx", "p.json:2:2: not JSON: expected a quoted key\n  {,}\n   ^\np.json:3:1: not JSON: expected a value"
      ),
      ("\u{FEFF}{}", "p.json:1:1: not JSON: a byte order mark does not belong here"),
      ("{\"a\":1,\"a\":2}", "p.json:1:8: not JSON: the key \"a\" is given twice"),
    ])
  func notJSON(text: String, message: String) {
    let world = World()
    world["p.json"] = text
    let run = world.run("verify p.json")
    #expect(run.code == .badData && run.out.isEmpty && run.err.hasPrefix(message), "\(run)")
  }

  @Test("Files that are not there")
  func missing() {
    let world = World()
    world["p.json"] = "{}"
    #expect(
      world.run("verify p.json --key none.pem")
        == Consequences(.noInput, err: "skan: none.pem does not exist; it should hold a public key (--key)\n"))
    #expect(world.run("verify") == .usage("'skan verify' needs FILE", command: "verify"))
  }

  @Test("Keys that are none; of a private key nothing is shown")
  func keys() {
    let world = World()
    world["p.json"] = "{}"
    world["private.pem"] = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n"
    world["text.pem"] = "hello"
    #expect(
      world.run("verify p.json --key private.pem")
        == Consequences(
          .badData,
          err:
            "skan: private.pem: this is a private key, but the public one is needed: openssl ec -in key.pem -pubout "
            + "-out public.pem\n"))
    #expect(
      world.run("verify p.json --key text.pem")
        == Consequences(
          .badData,
          err: "skan: text.pem: there is no key in it; it should be PEM (-----BEGIN …) or the base64 of one\n"))
    let otherCurve =
      "MEkwEwYHKoZIzj0CAQYIKoZIzj0DAQEDMgAEMyHD625uvsmGq4C43cQ9BnfN2xslVT5V1nOmAMP6qaRRUll3PB1JYmgSm+62sosG"
    #expect(
      world.run("verify p.json --key \(otherCurve)")
        == .usage(
          "--key: this is a key on another elliptic curve, and postbacks are signed by ECDSA on P-256",
          command: "verify"))
  }

  @Test("Ctrl-C")
  func interrupted() throws {
    let world = try World.withPostbacks()
    world.set { $0.isInterrupted = true }
    #expect(world.run("verify simulated.jsonl") == Consequences(.interrupted, err: "skan: interrupted\n"))
  }

  @Test("Without anything that checks signatures: a clear message and 69, but fields are checked all the same")
  func noTool() throws {
    let world = try World.withPostbacks()
    world.set { $0.signatures = .missing }
    #expect(
      world.run("verify 1.json")
        == Consequences(
          .unavailable,
          err:
            "skan: signatures need OpenSSL 3, and there is neither its library (libcrypto.so.3) nor the program openssl on "
            + "the PATH; nothing else in skan needs it\n"))
    world["1.json"] = "{}"
    #expect(world.run("verify 1.json").code == .expectationFailed)
  }
}
