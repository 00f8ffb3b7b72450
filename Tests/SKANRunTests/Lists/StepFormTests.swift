import SKANDevice
import Testing

@testable import SKANRun

@Suite("Steps with another answer or report")
struct StepFormTests {
  private static let answer = EndpointAnswer.failure("none")

  @Test(
    "Only a step that asks gets an answer, and a report of its own",
    arguments: [
      (.session(Step.Update()), true), (.event(name: "e", Step.Update()), true), (.details, false), (.relaunch, false),
      (.register(frameworkError: nil), false),
    ] as [(Step.Operation, Bool)])
  func forms(operation: Step.Operation, asks: Bool) {
    let step = Step(operation)
    #expect(!step.hasAnswer && step.answered(Self.answer).hasAnswer == asks)
    #expect((step.operation.eventName != nil) == asks)
    let forwarded = operation.forwarded(ForwardOptions())
    #expect((forwarded.forward != nil) == asks)
    #expect(Step(forwarded).reportAnswered(Self.answer).operation.forward?.answer == (asks ? Self.answer : nil))
    #expect(forwarded.name == operation.name)
  }
}
