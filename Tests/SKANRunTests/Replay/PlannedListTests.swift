import SKANDevice
import Testing

@testable import SKANRun

@Suite("One list of a run")
struct PlannedListTests {
  private final class Counter: StepObserver {
    var steps = 0
    func wantsResult(of step: Step) -> Bool { true }
    func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool {
      steps += 1
      return true
    }
  }

  private static let twoPhones = """
    {"op":"device","device":"a"}
    {"op":"device","device":"b"}
    {"op":"register","device":"a"}
    {"op":"session","device":"a"}

    # The end.

    """

  private struct Ran {
    var list: PlannedList
    var end: ListRun.End
    var steps: Int
  }

  private func run(_ text: String, _ plan: ListPlan? = nil, phones: PhonePartition? = nil, isRecorded: Bool = false)
    -> Ran
  {
    let plan = plan ?? ListPlan(includes: IncludePermission(folders: [], target: { $0 }))
    let runner = ListRunner(StepRunner(), keepsNames: true)
    let list = PlannedList(plan, "l", on: runner, partition: phones, isRecorded: isRecorded)
    let counter = Counter()
    let missing: @Sendable (String) throws(SourceFailure) -> ByteSource = { _ throws(SourceFailure) in throw .missing }
    let end = list.run(
      ByteSource(Array(text.utf8)), plan.readerOptions(of: "list", open: missing, openFile: missing),
      plan.runOptions(isInterrupted: { false }, isObsolete: { false }, sleep: { _ in }), observer: counter
    ) { step in
      do throws(StepError) { return .ran(try runner.run(step)) } catch { return .failed(error) }
    }
    return Ran(list: list, end: end, steps: counter.steps)
  }

  @Test("It is read to its end, and leaves no recording unless asked")
  func whole() {
    let ran = run(Self.twoPhones)
    guard case .finished = ran.end else {
      Issue.record("\(ran.end)")
      return
    }
    let outcome = ran.list.outcome(ReplayCounts(), wasStopped: false)
    #expect(ran.steps == 4 && ran.list.consumed == Self.twoPhones.utf8.count)
    #expect(!outcome.isWrong && outcome.recording == nil && !ran.list.hasUndeclaredSteps)
  }

  @Test("A recording has every line, and is none of a list that was stopped or has mistakes")
  func recording() throws {
    let text = Self.twoPhones
    let list = run(text, isRecorded: true).list
    let recording = try #require(list.outcome(ReplayCounts(), wasStopped: false).recording)
    let lines = String(decoding: recording, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 7 && lines[5] == "# The end." && lines[3].contains(#""answer""#))
    #expect(list.outcome(ReplayCounts(), wasStopped: true).recording == nil && list.tooLong == nil)
    let wrong = run(text + "{\"op\":\"nothing\"}\n", isRecorded: true).list
    #expect(wrong.outcome(ReplayCounts(), wasStopped: false).recording == nil)
  }

  @Test(
    "A mistake, and a phone that is declared too late, need a look at the whole list",
    arguments: [
      ("{\"op\":\"nothing\"}\n", 1, true), ("{\"op\":\"session\"}\n{\"op\":\"device\",\"device\":\"a\"}\n", 0, true),
      ("{\"op\":\"session\"}\n", 0, false),
    ])
  func mistakes(text: String, problems: Int, needsCheck: Bool) {
    let outcome = run(text).list.outcome(ReplayCounts(), wasStopped: false)
    #expect(outcome.problems.count == problems && outcome.needsCheck == needsCheck)
  }

  @Test("Of a part only the steps of its phones run; a part without a step is not a mistake")
  func parts() {
    var plan = ListPlan(includes: IncludePermission(folders: [], target: { $0 }))
    plan.allowsEmpty = false
    let parts = (0..<2).map { run(Self.twoPhones, plan, phones: PhonePartition($0, of: 2)) }
    #expect(parts.map(\.steps).reduce(0, +) == 4)
    let none = (0..<2).map { run("{\"op\":\"register\",\"device\":\"a\"}\n", plan, phones: PhonePartition($0, of: 2)) }
    #expect(none.map(\.steps).sorted() == [0, 1])
    #expect(none.allSatisfy { !$0.list.outcome(ReplayCounts(), wasStopped: false).isWrong })
    #expect(none.contains { $0.list.hasUndeclaredSteps })
  }

  @Test("What leaves the phones, of those from which something does")
  func departures() {
    let departures = run(Self.twoPhones).list.departures
    #expect(departures.map(\.device) == ["a"] && departures.map(\.list) == ["l"])
    #expect(departures.first?.postbacks.allSatisfy { $0.state == .sent } ?? false)
  }
}
