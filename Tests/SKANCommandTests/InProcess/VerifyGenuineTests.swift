import SKANCommand
import SKANJSON
import Testing

@Suite("verify: Apple's own signatures", .enabled(if: World.canCheckSignatures))
struct VerifyGenuineTests {
  /// Apple's published samples: 4.0 with a fine value, 4.0 with a coarse one, 3.0, 3.0 that did not win, 2.2, 2.1.
  private static func world() throws -> (world: World, samples: [String]) {
    let world = try World.withPostbacks()
    return (world, (world["apple.jsonl"] ?? "").split(separator: "\n").map(String.init))
  }

  private static func with(_ members: String, in sample: String) -> String { sample.dropLast() + ",\(members)}" }

  /// What becomes of a postback: outcome, codes of the findings, and the exit codes without and with `--strict`.
  private static func verdict(_ text: String, in world: World) throws -> (String, [String], ExitCode, ExitCode) {
    world["p.json"] = text
    let run = world.run("verify p.json --json")
    let json = try JSONReader.read(Array(run.out.utf8)).value
    guard case .string(let outcome)? = json["outcome"], case .array(let findings)? = json["findings"] else {
      return ("\(run)", [], run.code, run.code)
    }
    let codes = findings.map { if case .string(let code)? = $0["code"] { code } else { "?" } }
    return (outcome, codes, run.code, world.run("verify p.json --strict").code)
  }

  @Test("As Apple publishes them")
  func samples() throws {
    let (world, samples) = try Self.world()
    #expect(samples.count == 6)
    for (number, sample) in samples.enumerated() {
      #expect(try Self.verdict(sample, in: world) == ("valid", [], .ok, .ok), "\(number)")
    }
    let run = world.run("verify apple.jsonl")
    #expect(run.code == .ok && run.out.hasSuffix("\n6 postbacks, 6 valid\n"))
    // The samples of 3.0 and 2.2 have one transaction id and say different things.
    #expect(
      run.out.ranges(of: "[transaction-conflict]").count == 2 && run.out.contains(": the signature is Apple's.\n"))
    #expect(world.run("verify apple.jsonl --strict").code == .expectationFailed)
  }

  @Test("As networks forward them: genuine, whatever was added")
  func forwarded() throws {
    let (world, samples) = try Self.world()
    for sample in samples {
      let added = Self.with(
        #""ip":"192.0.2.1","timestamp":"1790000000","ad-network-campaign-id":"7","adjust-campaign":{"id":[1]},"test":null"#,
        in: sample)
      #expect(try Self.verdict(added, in: world) == ("valid", ["added-keys"], .ok, .expectationFailed))
    }
    let nulls = Self.with(#""source-app-id":null,"conversion-value":null"#, in: samples[3])
    #expect(try Self.verdict(nulls, in: world) == ("valid", ["null-field", "null-field"], .ok, .expectationFailed))
    let texts = samples[4].replacing("525463029", with: "\"525463029\"").replacing(":true", with: ":1")
    #expect(try Self.verdict(texts, in: world) == ("valid", ["field-form", "field-form"], .ok, .expectationFailed))
    let upper = samples[1].replacing("\"high\"", with: "\"HIGH\"")
    #expect(try Self.verdict(upper, in: world) == ("valid", ["field-form"], .ok, .expectationFailed))
    for zeros in ["0", "\"0000000000\"", "\"\""] {
      let filled = Self.with("\"source-app-id\":\(zeros)", in: samples[3])
      let (outcome, codes, code, strict) = try Self.verdict(filled, in: world)
      #expect(outcome == "valid" && codes.contains("source-filled-in") && code == .ok && strict == .expectationFailed)
    }
  }

  @Test("What contradicts Apple's tables and is not signed is a finding; what is signed and altered does not verify")
  func contradictions() throws {
    let (world, samples) = try Self.world()
    for (text, codes) in [
      (Self.with(#""coarse-conversion-value":"low""#, in: samples[0]), ["digits-beside-coarse-value", "both-values"]),
      (Self.with(#""conversion-value":5"#, in: samples[3]), ["not-of-non-winner"]),
      (
        samples[0].replacing(#""conversion-value":63"#, with: #""coarse-conversion-value":"low""#),
        ["digits-beside-coarse-value"]
      ),
    ] {
      let (outcome, found, code, strict) = try Self.verdict(text, in: world)
      #expect(outcome == "valid" && code == .ok && strict == .expectationFailed && Set(found) == Set(codes), "\(found)")
    }
    for (old, new) in [
      ("\"source-domain\":\"example.com\"", "\"source-domain\":\"example.net\""), ("\"did-win\":true", "\"did-win\":0"),
      (",\"redownload\":false", ""), ("\"5239\"", "\"523\""), ("\"source-domain\":\"example.com\",", ""),
    ] {
      let altered = samples[0].replacing(old, with: new)
      #expect(try altered != samples[0] && Self.verdict(altered, in: world).0 == "invalid", "\(new)")
    }
    // The two values would have the same text.
    let moved = samples[2].replacing(
      #""source-app-id":1234567891,"fidelity-type":1"#, with: "\"fidelity-type\":1234567891"
    )
    .replacing(#""did-win":true"#, with: "\"did-win\":\"1\u{2063}true\"")
    #expect(try Self.verdict(moved, in: world).0 == "invalid")
  }

  @Test("The findings, in words")
  func words() throws {
    let (world, samples) = try Self.world()
    world["p.json"] = Self.with(#""source-app-id":0,"ip":"192.0.2.1""#, in: samples[3])
    #expect(
      world.run("verify p.json")
        == Consequences(
          out: """
            valid              Version 3.0, postback of example123.skadnetwork, transaction \
            f9ac267a-a889-44ce-b5f7-0166d11461f0: the signature is Apple's.
              finding: "source-app-id" is not in a postback that did not win. [not-of-non-winner]
              finding: A key was added that Apple's postbacks do not have: "ip". [added-keys]
              finding: "source-app-id" was filled in on the way: the signature is of a postback without a source. \
            [source-filled-in]
              note: Conversion values are not covered by the signature: here there is none, and one could have been taken \
            out. [values-not-signed]

            """))
  }
}
