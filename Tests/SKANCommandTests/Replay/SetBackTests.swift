import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("A time that goes back in a list is said")
struct SetBackTests {
  private static let words = "the time of this step is 1h before that of its phone"
  private static let question = ": is the order right? 'skan explain clock-went-back'\n"

  private static func run(_ options: String, _ steps: [String], cores: Int = 1) -> Consequences {
    let world = World { $0.cores = cores }
    world["x.jsonl"] = steps.map { "\($0)\n" }.joined()
    return world.run("replay \(options) x.jsonl")
  }

  private static func step(_ hour: Int, _ more: String = "") -> String {
    #"{"op":"register","at":"2026-01-01T0\#(hour):00:00Z"\#(more)}"#
  }

  @Test("In every form for people, with its place", arguments: ["", "-v", "--test", "--summary", "--jobs 1"])
  func forms(options: String) {
    let run = Self.run(options, [Self.step(1), Self.step(2), Self.step(1)])
    #expect(run.err.contains("x.jsonl:3: \(Self.words)\(Self.question)"), "\(run)")
    #expect(run.code == .ok)
  }

  @Test("Not for programs, and not where the step expects it", arguments: ["-q", "--json"])
  func programs(options: String) {
    #expect(Self.run(options, [Self.step(2), Self.step(1)]).err.isEmpty)
    let expected = #","expect":{"warnings.0.code":"clock-went-back"}"#
    #expect(Self.run("", [Self.step(2), Self.step(1, expected)]).err.isEmpty)
  }

  @Test("Once for a list, by the first step, however many threads run it", arguments: [1, 4])
  func once(cores: Int) {
    let phones = (0..<8).map { "p\($0)" }
    var steps = phones.map { #"{"op":"device","device":"\#($0)"}"# }
    for (index, hour) in [3, 2, 1].enumerated() {
      steps += phones.map { Self.step(hour, #","device":"\#($0)","label":"\#(index)""#) }
    }
    let run = Self.run("--test --jobs \(cores)", steps, cores: cores)
    #expect(run.err == "x.jsonl:17: \(Self.words), the first of 16 such steps\(Self.question)", "\(run)")
  }

  @Test("Phones have times of their own, and equal times do not go back")
  func apart() {
    let devices = ["a", "b"].map { #"{"op":"device","device":"\#($0)"}"# }
    let run = Self.run(
      "", devices + [Self.step(2, #","device":"a""#), Self.step(1, #","device":"b""#), Self.step(2, #","device":"a""#)])
    #expect(run.err.isEmpty, "\(run)")
  }
}
