import SKANBase
import Testing

@testable import SKANDevice

@Suite("What Apple's framework remembers")
struct FrameworkStateTests {
  @Test("It is bytes only and small: a long list holds one for each of its phones")
  func size() {
    #expect(_isPOD(AppleFramework.self))
    #expect(_isPOD(FrameworkAnswer.self))
    #expect(_isPOD(FrameworkSettings.self))
    #expect(MemoryLayout<AppleFramework>.stride < 200)
  }

  @Test("There and back through a device file")
  func roundTrip() throws {
    var lives = [Life(), Life.old(), Life { $0.ad = nil }]
    lives.append(try Life(setting: "coarse-without", "literal_none"))
    for index in lives.indices {
      lives[index].framework.launched(at: h(-1))
      #expect(try Self.read(Self.json(lives[index].framework)) == lives[index].framework)
      lives[index].call(.updatePostback(fine: 3), at: 0.000_1)
      lives[index].update(7, .high, at: 1)
      lives[index].update(7, at: 2)
      lives[index].update(8, .low, lock: true, at: 60)
      #expect(try Self.read(Self.json(lives[index].framework)) == lives[index].framework)
    }
    #expect(JSONWriter.text(Self.json(AppleFramework())) == "{}")
    #expect(
      JSONWriter.text(Self.json(lives[0].framework))
        == #"{"first_launch":1767222000,"first_update":1767225600.36,"latest_call":1767441600,"#
        + #""p0":{"fine":7,"updated":true},"p1":{"coarse":"low","locked_at":1767441600,"updated":true},"#
        + #""version":"4.0"}"#)
  }

  @Test(
    "What is wrong",
    arguments: [
      (#"{"p0":{"fine":64}}"#, ["\"fine\" must be a whole number from 0 to 63, this is 64"]),
      (
        #"{"p1":{"fine":1}}"#, ["a window of Apple's has no key \"fine\"; known: updated, coarse, locked_at, fine_only"]
      ),
      (#"{"version":"4.0"}"#, ["values without the key \"first_update\""]),
      (#"{"first_update":1}"#, ["what Apple holds needs the key \"version\""]),
      (#"{"first_update":1,"version":"3.0"}"#, ["\"timer_start\" is missing"]),
      (#"{"first_update":1,"version":"4.0","timer_start":1}"#, ["\"timer_start\" belongs to versions up to 3"]),
      (
        #"{"first_update":1,"version":"4.0","p2":{"coarse":"hi","locked_at":"x"}}"#,
        [
          "\"coarse\" must be one of \"low\", \"medium\", \"high\", \"none\", this is \"hi\"",
          "\"locked_at\" must be Unix seconds of the years 1 to 9999, this is \"x\"",
        ]
      ),
    ])
  func problems(text: String, messages: [String]) throws {
    var found: [String] = []
    do throws(SourceProblems) { _ = try Self.read(text) } catch { found = error.problems.map(\.message) }
    #expect(found.filter { messages.contains($0) } == messages, "\(found)")
  }

  private static func json(_ framework: AppleFramework) -> JSON { ShownApple.memory.json(ShownApple(framework)) }

  private static func read(_ json: JSON) throws(SourceProblems) -> AppleFramework { try read(JSONWriter.text(json)) }

  private static func read(_ text: String) throws(SourceProblems) -> AppleFramework {
    let node = try JSONReader.readSource(Array(text.utf8))
    var reader = JSONObjectReader(node, what: "what Apple holds", known: AppleFramework.keys)
    let framework = AppleFramework(from: &reader)
    guard reader.problems.isEmpty else { throw SourceProblems(reader.problems) }
    return framework
  }
}
