import SKANBase
import SKANDevice
import SKANHTTP
import SKANSystem
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// One list on several threads gives what it gives on one, byte for byte.
@Suite("One list on several cores", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct PhoneThreadsTests {
  private static let reports = " --report-junit r.xml --report-tap r.tap --report-json r.json"

  /// Everything that a replay can leave, and how many threads it has asked for.
  private struct Left: Equatable {
    var code: ExitCode
    var output: String
    var error: String
    var files: [String: String?]
  }

  private func replay(_ list: String, _ line: String, jobs: Int) -> (left: Left, threads: Int) {
    let world = World()
    world["a.jsonl"] = list
    world["common.jsonl"] = Self.common
    let threads = Atomic(0)
    var environment = world.environment
    environment.startThread = { body in
      threads.add(1, ordering: .relaxed)
      return WorkerThread.start(body)
    }
    let arguments = "replay a.jsonl --jobs \(jobs) \(line)\(Self.reports)".split(separator: " ").map(String.init)
    let code = CommandLineTool.run(arguments, in: environment)
    // How long it took is different each time.
    let output = world.output.split(separator: ";", omittingEmptySubsequences: false)
    let files = Dictionary(uniqueKeysWithValues: ["r.xml", "r.tap", "r.json"].map { ($0, world[$0]) })
    let left = Left(
      code: code, output: line.contains("test") ? output.dropLast().joined(separator: ";") : world.output,
      error: world.errors, files: files)
    return (left, threads.load(ordering: .relaxed))
  }

  private static let common = """
    {"op":"session","device":"p0","expect":{"outcome":"blocked"}}
    {"op":"session","device":"p1"}

    """

  /// A list of 640 lines and 40 phones, just large enough to be divided; some steps expect what does not come.
  private func list(_ random: inout SplitMix64) -> String {
    let names = (0..<40).map { $0 == 7 ? "p\\u0037 é" : $0 == 8 ? "p ü" : "p\($0)" }
    var lines = names.map { #"{"op":"device","device":"\#($0)","ios":"17.4"}"# }
    lines += names.map { #"{"op":"register","device":"\#($0)"}"# }
    while lines.count < 640 {
      let name = names[Int.random(in: names.indices, using: &random)]
      let padding = String(repeating: "x", count: Int.random(in: 0...1400, using: &random))
      let expected = ["updated", "blocked", "no-update", "illegal-values"][Int.random(in: 0..<4, using: &random)]
      switch Int.random(in: 0..<40, using: &random) {
      case 0: lines.append("# \(padding)")
      case 1: lines.append("")
      case 2: lines.append(#"{"op":"session","skip":"not now","device":"\#(name)"}"#)
      case 3: lines.append(#"  {"label":"{\"device\":\"p1\"}","op":"session","device":"\#(name)"}"#)
      case 4: lines.append(#"{"op":"include","file":"common.jsonl"}"#)
      case 5: lines.append(#"{"op":"include","file":"missing.jsonl","skip":"\#(padding)."}"#)
      case 6: lines.append(#"{"op":"event","name":"${N}\#(padding)","device":"\#(name)"}"#)
      case 7: lines.append(#"{"op":"session","device":"${P}"}"#)
      case 8...12:
        lines.append(
          #"{"op":"session","device":"\#(name)","label":"\#(padding)","expect":{"outcome":"\#(expected)"}}"#)
      case 13...20: lines.append(#"{"op":"event","name":"e\#(padding)","device":"\#(name)"}"#)
      case 21...24: lines.append(#"{"op":"event","name":"","device":"\#(name)","expect":{"window":0}}"#)
      default:
        lines.append(#"{"op":"revenue","device":"\#(name)","amount":1,"currency":"USD","label":"\#(padding)"}"#)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test(
    "Random lists", arguments: Rounds.of(1),
    ["-q", "--test", "--test --strict", "-q --label x*", "--summary --strict", "--summary --json"])
  func random(seed: Int, mode: String) {
    var random = SplitMix64(seed: UInt64(seed + 1))
    let list = list(&random)
    let line = "\(mode) --variable N=n --variable P=p3"
    let whole = replay(list, line, jobs: 1)
    #expect(whole.threads == 0 && whole.left.code == .expectationFailed)
    #expect(whole.left.error.contains("the same") && whole.left.error.contains("included by") == !mode.contains("x"))
    for jobs in mode == "--test" || Rounds.areMany ? [2, 3] : [2] {
      let divided = replay(list, line, jobs: jobs)
      #expect(divided.threads == jobs - 1)
      for (name, text) in whole.left.files { #expect(divided.left.files[name] == text, "\(name)") }
      #expect(divided.left.error == whole.left.error)
      #expect(divided.left == whole.left)
    }
  }

  @Test(
    "A list with a mistake, and one whose phones are not independent, is run again by one thread",
    arguments: [
      #"{"op":"session","device":"p5","nonsense":1}"#, #"{"op":"session","device":"nobody"}"#,
      #"{"op":"session","device":"p5""#, #"{"op":"include","file":"missing.jsonl"}"#, #"{"device":"p1","device":"p2"}"#,
      #"{"op":"revenue","device":"p1","amount":3e38,"currency":"USD"}"#,
    ])
  func mistakes(line: String) {
    var random = SplitMix64(seed: 4)
    let text = list(&random) + "\(line)\n\(line)\n"
    let options = "--test --variable N=n --variable P=p3"
    let (whole, divided) = (replay(text, options, jobs: 1), replay(text, options, jobs: 2))
    #expect(whole.left.code == .badData && divided.left == whole.left)
    #expect(divided.threads == 1)
  }

  @Test(
    "What stays on one core",
    arguments: [
      "", "--json", "--test --verbose", "--test --fail-fast", "-q --report-html x", "-q --send http://x/ --sign k",
    ])
  func oneCore(mode: String) {
    var random = SplitMix64(seed: 5)
    #expect(replay(list(&random), "\(mode) --variable N=n --variable P=p3", jobs: 2).threads == 0)
  }

  @Test("A list of one phone, and a short one")
  func notWorthIt() {
    let line = #"{"op":"session","label":"\#(String(repeating: "x", count: 90))"}"# + "\n"
    #expect(replay(String(repeating: line, count: 4000), "-q", jobs: 2).threads == 0)
    let short = (0..<20).map { #"{"op":"register","device":"p\#($0)"}"# + "\n" }.joined()
    #expect(replay(short, "-q", jobs: 2).threads == 0)
  }
}
