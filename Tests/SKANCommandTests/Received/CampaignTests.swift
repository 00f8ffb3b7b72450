import SKANCommand
import SKANReceive
import Testing

@testable import SKANCommandLine

@Suite("receive with --campaigns", .enabled(if: World.canCheckSignatures))
struct CampaignTests {
  private static let header = "network,identifier,from,until,campaign_id,campaign_name,country\n"

  @Test("The campaign is in the record and in the text; what the map lacks is a finding")
  func records() throws {
    let world = try World.withPostbacks()
    world["c.csv"] = "\u{FEFF}" + Self.header + "com.example,5239,,,7,\"Spring, \"\"26\"\"\",DE\r\n"
    let run = world.run("receive 1.json 5.json --key public.pem --campaigns c.csv")
    #expect(run.code == .ok && run.err == "Try 'skan explain campaign-unknown'.\n")
    #expect(run.out.contains("\n  campaign: 7 Spring, \"26\", DE\n"))
    #expect(
      run.out.contains("\n  finding: c.csv has no row for campaign id 42 of com.example. [campaign-unknown]\n"),
      "\(run.out)")
    let lines = (world["received.jsonl"] ?? "").split(separator: "\n")
    #expect(lines.first?.contains(#""campaign":{"id":"7","name":"Spring, \"26\"","country":"DE"},"#) == true)
    #expect(lines.last?.contains(#""findings":[{"code":"campaign-unknown","#) == true)
    #expect(world.run("receive 5.json --key public.pem --campaigns c.csv --strict").code == .expectationFailed)
  }

  @Test(
    "What cannot be",
    arguments: [
      ("network,identifer,campaign_id\n", "c.csv:1:9: there is no column identifer; did you mean identifier?\n"),
      (header + "a,39,,,7\n", "c.csv:2:1: this row has 5 fields, the header has 7\n"),
      (
        "{\"schema\":{}}",
        "c.csv:1:1: this is a conversion model; 'skan model check c.csv' checks it, --model takes it\n"
      ),
      ("", "c.csv:1:1: it is empty; its first line names the columns: network,"),
    ])
  func mistakes(text: String, message: String) throws {
    let world = try World.withPostbacks()
    world["c.csv"] = text
    let run = world.run("receive 1.json --campaigns c.csv")
    #expect(run.code == .badData && run.err.hasPrefix(message) && run.out.isEmpty, "\(run.err)")
    #expect(world["received.jsonl"] == nil)
  }

  @Test("A file that is not there, and serve without postbacks")
  func usage() throws {
    let world = try World.withPostbacks()
    let missing = world.run("receive 1.json --campaigns c.csv")
    #expect(missing.code == .noInput)
    #expect(missing.err == "skan: c.csv does not exist; it should hold a map of campaigns, as CSV\n")
    let serve = world.run("serve --campaigns c.csv")
    #expect(serve.code == .usage && serve.err.hasPrefix("skan: --campaigns belongs to --postbacks\n"))
  }

  @Test("Many problems: the first hundred, and how many more")
  func many() throws {
    let world = try World.withPostbacks()
    world["c.csv"] = Self.header + String(repeating: "a\n", count: 120)
    let run = world.run("receive 1.json --campaigns c.csv")
    #expect(run.err.hasSuffix("skan: and 20 more problems\n"))
  }
}
