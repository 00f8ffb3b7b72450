import SKANBase
import SKANDevice
import SKANHTTP
import SKANSystem
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("--jobs")
struct JobsTests {
  /// Lists of different lengths, some with failures.
  private func world() -> World {
    let world = World { $0.cores = 4 }
    for list in 0..<24 {
      let steps = (0...(list * 37 % 80)).map { step in
        #"{"op":"details","label":"\#(list) \#(step)","expect":{"outcome":"\#(step == 20 ? "set" : "read")"}}"#
      }
      world["d/\(list < 10 ? "0" : "")\(list).jsonl"] = steps.joined(separator: "\n")
    }
    return world
  }

  @Test(
    "However many lists run at a time, the same is printed",
    arguments: ["", "--test", "--json", "--test --fail-fast"])
  func same(mode: String) {
    let one = world().run("replay d \(mode) --jobs 1")
    #expect(one.out.contains("23.jsonl") != mode.hasSuffix("fast") && one.err != "")
    for jobs in ["2", "3", "24", "1000"] { #expect(world().run("replay d \(mode) --jobs \(jobs)") == one) }
    // As many as there are cores.
    #expect(world().run("replay d \(mode)") == one)
  }

  @Test("Each list has its own phones, endpoint and counts")
  func separate() {
    let world = World { $0.cores = 4 }
    for list in 0..<12 {
      world["\(list).jsonl"] =
        #"{"op":"register"}"# + "\n"
        + (0..<3).map { #"{"op":"session","expect":{"handler.fine":\#($0)}}"# }.joined(separator: "\n")
    }
    #expect(world.run("replay -q *.jsonl") == Consequences())
  }

  @Test(
    "Refused",
    arguments: [
      ("0", "--jobs must be from 1 to 1000, it is 0"), ("1001", "--jobs must be from 1 to 1000, it is 1001"),
      ("many", "--jobs must be a whole number, it is \"many\""),
    ])
  func refused(text: String, words: String) {
    #expect(world().run("replay d --jobs \(text)") == .usage(words, command: "replay"))
  }
}
