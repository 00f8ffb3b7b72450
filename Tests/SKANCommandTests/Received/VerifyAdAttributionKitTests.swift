import SKANBase
import SKANCommand
import SKANSigning
import TestSupport
import Testing

@testable import SKANCommandLine

@Suite("verify: AdAttributionKit", .enabled(if: World.canCheckSignatures))
struct VerifyAdAttributionKitTests {
  private static let key = SigningKey.publicBase64

  private func world() throws -> World {
    let world = World { $0.signatures = .platform() }
    world["own.json"] = try AdAttributionKitSample().body()
    world["mine.json"] = try AdAttributionKitSample(kid: "mine").body()
    world["public.pem"] = "-----BEGIN PUBLIC KEY-----\n\(Self.key)\n-----END PUBLIC KEY-----\n"
    return world
  }

  @Test("A key of one's own: by its KID, or by that of simulated postbacks")
  func keys() throws {
    let world = try world()
    let simulated = "valid              AdAttributionKit postback 0 of example.adattributionkit, download, identifier "
    for line in [
      "own.json --key public.pem", "own.json --key skan-simulated/0=public.pem",
      "own.json --key skan-simulated/0=\(Self.key)",
      "mine.json --key mine=public.pem", "mine.json --key public.pem --key mine=\(Self.key)",
    ] {
      let run = world.run("verify \(line)")
      #expect(run.code == .ok && run.err.isEmpty && run.out.hasPrefix(simulated), "\(line): \(run)")
      #expect(run.out.contains(": the signature is that of the given key, not Apple's; the postback is simulated.\n"))
    }
    #expect(
      world.run("verify mine.json --key skan-simulated/0=public.pem").out.contains(
        ", key mine: no key is known by this name, so the signature was not checked; --key mine=PUBLIC checks it.\n"))
    let object = try JSONReader.read(Array(world.run("verify own.json --json --key public.pem").out.utf8)).value
    #expect(
      object["protocol"]?.text == "aak" && object["key"]?.text == "simulated"
        && object["kid"]?.text == "skan-simulated/0")
    #expect(object["simulated"] == .bool(true) && object["conversion_type"]?.text == "download")
  }

  @Test(
    "Wrong keys",
    arguments: [
      ("=public.pem", "skan: --key must be [KID=]PUBLIC, it is \"=public.pem\"\n"),
      ("mine=", "skan: --key must be [KID=]PUBLIC, it is \"mine=\"\n"),
      ("mine=missing.pem", "missing.pem: it does not exist"),
      (
        "apple-cas-identifier/0=public.pem",
        "skan: --key names apple-cas-identifier/0, which is Apple's key: give a key of your own another KID\n"
      ),
      ("mine=public.pem --key mine=\(key)", "skan: --key is given twice for \"mine\"\n"),
    ])
  func wrongKeys(text: String, message: String) throws {
    let run = try world().run("verify own.json --key \(text)")
    #expect(run.code == .usage || run.code == .noInput, "\(run)")
    #expect(run.out.isEmpty && (run.err.hasPrefix(message) || run.err.contains("missing.pem")), "\(run.err)")
  }

  @Test("What is wrong with a postback is said with the verdict, and the exit code is 1")
  func wrong() throws {
    let world = try world()
    let body = world["own.json"] ?? ""
    for (old, new, why) in [
      (".", "", "a compact JWS has three parts, and this has 2."),
      ("\",\"ad-inter", "=\",\"ad-inter", "its signature is padded with \"=\", and a JWS has no padding."),
      (
        "\"jws-string\":\"", "\"jws-string\":\"+",
        "its header is in the standard alphabet of base64, and a JWS has that of base64url."
      ),
    ] {
      let range = try #require(body.firstRange(of: old))
      world["x.json"] = body.replacingCharacters(in: range, with: new)
      let run = world.run("verify x.json --key public.pem")
      #expect(
        run.code == .expectationFailed && run.out.hasPrefix("invalid ") && run.out.contains(": \(why)\n"), "\(run.out)")
      #expect(run.err == "Try 'skan explain invalid'.\n")
    }
    for text in ["{\"jws-string\":\"a.b.c\"", "eyJhbGciOiJFUzI1NiJ9", "[]"] {
      world["x.json"] = text
      #expect(world.run("verify x.json").code == .badData, "\(text)")
    }
  }
}

/// A postback of AdAttributionKit that ``SigningKey`` signed.
struct AdAttributionKitSample {
  var kid = AdAttributionKitKeys.simulatedKeyID
  var identifier = "0B1C2D3E-4F50-4A6B-8C7D-9E0F1A2B3C4D"
  var type = "download"
  var index = 0
  var members = #""ad-interaction-type":"click","conversion-value":24,"country-code":"US""#

  func body() throws -> String {
    let payload =
      #"{"postback-identifier":"\#(identifier)","marketplace-identifier":"com.apple.AppStore","#
      + #""impression-type":"app-impression","ad-network-identifier":"example.adattributionkit","did-win":true,"#
      + #""postback-sequence-index":\#(index),"conversion-type":"\#(type)","source-identifier":"5239","#
      + #""advertised-item-identifier":525463029}"#
    let key = try PrivateKey(pem: SigningKey.privatePEM)
    let jws = try SignatureTool.platform().jws(
      header: #"{"kid":"\#(kid.replacing("/", with: "\\/"))","alg":"ES256"}"#, payload: payload, with: key)
    return #"{"jws-string":"\#(jws)",\#(members)}"# + "\n"
  }
}
