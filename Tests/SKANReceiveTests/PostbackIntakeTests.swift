import SKANDevice
import SKANReceive
import SKANSigning
import Testing

@Suite("Postbacks that are taken in")
struct PostbackIntakeTests {
  private static let time = Instant(microseconds: 1_780_315_200_000_000)

  private static func take(_ text: String, _ intake: inout PostbackIntake) throws -> Repetition {
    let document = try Samples.document(text)
    let record = intake.record(document, unchecked: .toolMissing, at: time, from: nil)
    intake.add(document, record)
    return record.repetition
  }

  @Test("What is not kept after all counts neither as a line nor as received")
  func rollBack() throws {
    var intake = PostbackIntake(testKey: nil, tool: .missing, lines: 7)
    #expect(try Self.take(Samples.text(id: "a"), &intake) == .first && intake.lines == 8)
    intake.settle()
    #expect(try Self.take(Samples.text(id: "a"), &intake) == .duplicate)
    #expect(try Self.take(Samples.text(id: "b"), &intake) == .first)
    #expect(intake.lines == 10 && intake.memory.count == 2)
    intake.rollBack()
    #expect(intake.lines == 8 && intake.memory.count == 1)
    #expect(try Self.take(Samples.text(id: "b"), &intake) == .first && intake.lines == 9)
    #expect(try Self.take(Samples.text(id: "a", value: 3), &intake) == .conflict && intake.lines == 10)
  }
}
