import SKANBase
import SKANRun
import SKANTraffic
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("The last line of a run with findings")
struct ExplanationHintTests {
  private static let list = """
    {"op":"device","device":"a"}
    {"op":"device","device":"b"}
    {"op":"session","device":"a","at":"2026-01-01T00:00:00Z"}
    {"op":"register","device":"b","at":"2026-01-01T00:00:00Z"}
    {"op":"session","device":"b","answer":{"json":{"status":"ok"}}}
    {"op":"session","device":"b","answer":{"json":{"status":"ok"}}}

    """

  @Test(
    "replay --summary names the most frequent finding, once",
    arguments: [
      ("--summary", "handler-not-called"), ("--summary --test", "handler-not-called"), ("", "dropped-unregistered"),
      ("--summary --test --strict", "dropped-unregistered"), ("--summary --json", nil), ("--summary -q", nil),
      ("-q", nil),
      ("--json", nil), ("--test", nil),
    ] as [(String, String?)])
  func summary(options: String, code: String?) {
    let world = World()
    world["list.jsonl"] = Self.list
    let err = world.run("replay list.jsonl \(options)").err
    let hints = err.split(separator: "\n").filter { $0.hasPrefix("Try ") }
    #expect(hints == (code.map { ["Try 'skan explain \($0)'."] } ?? []), "\(err)")
  }

  @Test("Without a finding there is no line")
  func nothing() {
    let world = World()
    world["list.jsonl"] = #"{"op":"register"}"#
    #expect(world.run("replay --summary list.jsonl").err.isEmpty)
  }

  @Test(
    "A code that two kinds have is named with its kind",
    arguments: [(TrafficRule.idfvMissing, "check.idfv-missing"), (.duplicateRequest, "duplicate-request")])
  func kinds(rule: TrafficRule, expected: String) {
    #expect(ExplanationHint.line(rule).text == "Try 'skan explain \(expected)'.")
  }

  /// What programs, and --quiet, leave to standard error.
  private static let failed = "skan: exit code 1: an expectation or a check failed\n"
  private static let counts = "skan: 9 errors, 0 warnings, 0 notes\n"

  @Test(
    "verify names the first verdict that is not valid, or else a finding", .enabled(if: World.canCheckSignatures),
    arguments: [
      ("1.json", "Try 'skan explain invalid'.\n"), ("1.json --key public.pem", ""), ("1.json --json", Self.failed),
      ("1.json -q", Self.failed),
      ("simulated.jsonl", "Try 'skan explain invalid'.\n"),
      ("odd.json --key public.pem", "Try 'skan explain added-keys'.\n"),
    ])
  func verify(arguments: String, err: String) throws {
    let world = try World.withPostbacks()
    world["odd.json"] = (world["1.json"] ?? "").replacing("{", with: #"{"app":1,"#, maxReplacements: 1)
    #expect(world.run("verify \(arguments)").err == err)
  }

  @Test(
    "receive names a verdict, a conflict or a finding", .enabled(if: World.canCheckSignatures),
    arguments: [
      ("1.json", "Try 'skan explain invalid'.\n"), ("1.json 1.json --key public.pem", ""),
      ("1.json --json", Self.failed), ("1.json -q", Self.failed),
      ("1.json forged.json --key public.pem", "Try 'skan explain conflict'.\n"),
      ("odd.json --key public.pem", "Try 'skan explain added-keys'.\n"),
    ])
  func receive(arguments: String, err: String) throws {
    let world = try World.withPostbacks()
    let original = world["1.json"] ?? ""
    world["odd.json"] = original.replacing("{", with: #"{"app":1,"#, maxReplacements: 1)
    world["forged.json"] = original.replacing("\"conversion-value\":12", with: "\"conversion-value\":63")
    #expect(world.run("receive \(arguments)").err == err)
  }

  @Test(
    "check names its worst rule",
    arguments: [
      ("", "Try 'skan explain parameter-missing'.\n"), ("--json", Self.counts), ("-q", Self.counts),
      ("--csv", Self.counts), ("--sarif", Self.counts),
    ])
  func check(option: String, err: String) {
    let world = World()
    world["urls.txt"] =
      "https://s2s.singular.net/api/v1/launch?a=key&p=iOS&i=com.example.app&ip=203.0.113.7&ve=17.4&n=App"
      + "&idfv=21DB6612-09B3-4ECC-84AC-B353B0AF1334&idfa=00000000-0000-0000-0000-000000000000\n"
    #expect(world.run("check urls.txt \(option)").err == err)
  }
}
