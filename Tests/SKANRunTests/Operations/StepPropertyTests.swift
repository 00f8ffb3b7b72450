import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Random steps, written and read again")
struct StepPropertyTests {
  @Test("The same step, and the same text the second time", arguments: 0..<20 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var random = RandomStep(seed: seed)
    for _ in Rounds.of(25) {
      let line = random.line()
      let step = try listStep(line)
      let written = StepWriter(step).line
      let again = try listStep(written)
      #expect(again.facts == step.facts, "\(line)\n\(written)")
      #expect(StepWriter(again).line == written, "\(line)")
    }
  }

  @Test("Every operation and every key comes, each of the forms of a time and an answer")
  func coverage() throws {
    var random = RandomStep(seed: 7)
    var seen: Set<String> = []
    for _ in 0..<1000 {
      let step = try listStep(random.line())
      let members = StepWriter(step).members
      seen.formUnion(members.map(\.key) + [step.operation.name])
      if let answer = members.first(where: { $0.key == "answer" })?.value {
        seen.formUnion(["json", "text", "base64", "error"].filter { answer.contains("\"\($0)\":") })
      }
      if let forward = members.first(where: { $0.key == "forward" })?.value {
        seen.formUnion(StepKey.names.filter { forward.contains("\"\($0)\":") })
      }
      switch step.time {
      case .at: seen.insert("instant")
      case .sinceFirst: seen.insert("since first")
      case .after, .now, nil: break
      }
    }
    let forms = ["json", "text", "base64", "error", "instant", "since first"]
    #expect(Set(StepKey.names + OperationSpec.names + forms).subtracting(seen) == [])
  }
}
