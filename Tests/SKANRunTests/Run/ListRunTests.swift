import SKANDevice
import Testing

@testable import SKANRun

@Suite("A list and those who watch it")
struct ListRunTests {
  /// Notes what it sees.
  private final class Watcher: StepObserver {
    var seen: [String] = []
    let wants: Bool
    let stopsAt: String?

    init(wants: Bool = true, stopsAt: String? = nil) {
      self.wants = wants
      self.stopsAt = stopsAt
    }

    func wantsResult(of step: Step) -> Bool { wants }

    func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool {
      let text =
        switch event {
        case .ran(let result, let verdicts, let isSelected):
          "\(result.report.outcome.name) \(verdicts.map(\.isMet)) \(isSelected)"
        case .completed(let report, _, let isSelected): "completed \(report.outcome.name) \(isSelected)"
        case .skipped(let reason, _): "skipped \(reason)"
        case .retried(_, let reason, let attempt): "retried \(attempt): \(reason)"
        }
      seen.append("\(reader.location.line) \(text)")
      return text != stopsAt
    }
  }

  private static let list = """
    {"op":"register","expect":{"outcome":"registered"}}
    {"op":"details","skip":"not yet"}
    {"op":"details","label":"x","expect":{"outcome":"updated"}}

    """

  private func run(
    _ watchers: [Watcher], of list: String = list, _ change: (inout ListRun.Options) -> Void = { _ in },
    answerer: any Answerer = TestEndpointAnswerer()
  ) -> ListRun.End {
    let reader = ListReader("list", ByteSource(Array(list.utf8)), ListReader.Options())
    let lists = ListRunner(StepRunner(answerer))
    var options = ListRun.Options()
    change(&options)
    return ListRun(reader, on: lists, options, observer: watchers[0], others: Array(watchers.dropFirst())) { step in
      do throws(StepError) { return .ran(try lists.run(step)) } catch { return .failed(error) }
    }.run()
  }

  private func isFinished(_ end: ListRun.End) -> Bool { if case .finished = end { true } else { false } }

  @Test("Every step reaches every observer, with its verdicts")
  func all() {
    let watchers = [Watcher(), Watcher()]
    #expect(isFinished(run(watchers)))
    #expect(watchers[0].seen == ["1 registered [true] true", "2 skipped not yet", "3 read [false] true"])
    #expect(watchers[1].seen == watchers[0].seen)
  }

  @Test("Steps whose results no observer wants are completed only")
  func completed() {
    let watcher = Watcher(wants: false)
    #expect(isFinished(run([watcher])))
    #expect(watcher.seen == ["1 completed registered true", "2 skipped not yet", "3 completed read true"])
  }

  @Test("Of steps that are not selected no expectation is checked")
  func selection() {
    let watcher = Watcher()
    _ = run([watcher]) { $0.selects = { $0.label == "x" } }
    #expect(watcher.seen == ["1 registered [] false", "2 skipped not yet", "3 read [false] true"])
  }

  @Test("An observer stops the list; those behind it do not see the step")
  func stop() {
    let watchers = [Watcher(stopsAt: "skipped not yet"), Watcher()]
    guard case .stopped = run(watchers) else {
      Issue.record("not stopped")
      return
    }
    #expect(watchers.map(\.seen.count) == [2, 1])
  }

  @Test("An interruption, a caller without use for the rest, and a mistake end it")
  func ends() {
    let watcher = Watcher()
    guard case .interrupted = run([watcher], { $0.isInterrupted = { true } }),
      case .stopped = run([watcher], { $0.isObsolete = { true } }),
      case .wrong(let problems) = run([watcher], of: "{\"op\":\"details\"}\n{\"op\":\"nothing\"}\n")
    else {
      Issue.record("wrong end")
      return
    }
    #expect(problems.map(\.line) == [2] && watcher.seen.count == 3)
  }

  @Test("An interruption while a step runs ends the list behind that step", arguments: [true, false])
  func interruptedBetweenSteps(wants: Bool) {
    let list = "{\"op\":\"register\"}\n{\"op\":\"details\"}\n{\"op\":\"details\"}\n"
    let watcher = Watcher(wants: wants)
    nonisolated(unsafe) let seen = watcher
    guard case .interrupted = run([watcher], of: list, { $0.isInterrupted = { seen.seen.count == 2 } }) else {
      Issue.record("not interrupted")
      return
    }
    #expect(watcher.seen.count == 2)
  }

  @Test("A step runs again on the phone as it was, and only the last attempt is the step's")
  func retries() {
    struct Failing: Answerer {
      func answer(_ request: UpdateRequest, of phone: inout Phone) -> Answer {
        phone.testEndpoint.calls += 1
        return Answer(.response(.failure("down after \(phone.testEndpoint.calls)")))
      }
      func identity(for device: Device) -> AnsweredBy { .remote("x") }
      func address(for device: Device) -> String { "x" }
    }
    let watcher = Watcher()
    var waits = 0
    _ = run(
      [watcher], of: "{\"op\":\"register\"}\n{\"op\":\"session\"}\n",
      {
        $0.retries = 2
        $0.wait = { waits += 1 }
      }, answerer: Failing())
    #expect(
      watcher.seen == [
        "1 registered [] true", "2 retried 1: no answer (down after 1)", "2 retried 2: no answer (down after 1)",
        "2 transport-error [] true",
      ])
    #expect(waits == 2)
  }
}
