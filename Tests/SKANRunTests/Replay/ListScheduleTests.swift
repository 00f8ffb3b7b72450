import Foundation
import SKANDevice
import SKANRun
import Synchronization
import TestSupport
import Testing

@Suite("The lists of a run and the threads that run them", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ListScheduleTests {
  private struct Broken: Error, Equatable {}

  private static func schedule(_ count: Int) -> ListSchedule<Broken> { ListSchedule(count: count) }

  private static let thread: @Sendable (@escaping @Sendable () -> Void) -> Bool = { body in
    DispatchQueue.global().async(execute: body)
    return true
  }

  @Test("Each list runs once, on as many threads as are asked for or there are", arguments: [0, 1, 2, 7, 100])
  func all(jobs: Int) {
    for (hasThreads, count) in [(true, 20), (false, 20), (true, 0), (true, 1)] {
      let schedule = Self.schedule(count)
      let runs = Mutex([Int](repeating: 0, count: count))
      let started = Mutex(0)
      schedule.runAll(
        jobs: jobs,
        startThread: { body in
          started.withLock { $0 += 1 }
          return hasThreads && Self.thread(body)
        }
      ) { index in
        runs.withLock { $0[index] += 1 }
        schedule.end(index, ListOutcome(counts: ReplayCounts()), nil)
      }
      #expect(runs.withLock { $0 } == [Int](repeating: 1, count: count))
      #expect(schedule.outcomes.count { $0 != nil } == count)
      // The calling thread is one of them; after one that does not start no other is asked for.
      let others = max(0, min(jobs, count) - 1)
      #expect(started.withLock { $0 } == (hasThreads ? others : min(1, others)))
    }
  }

  @Test("A failure ends the run: no list begins after it, and the first one counts")
  func failure() {
    let schedule = Self.schedule(5)
    schedule.runAll(jobs: 1, startThread: Self.thread) { index in
      schedule.end(index, ListOutcome(counts: ReplayCounts()), index == 2 ? Broken() : nil)
    }
    #expect(schedule.failure == Broken() && !schedule.wasStopped)
    #expect(schedule.outcomes.map { $0 != nil } == [true, true, true, false, false])
  }

  @Test("Of several failures the first counts, wherever it comes from")
  func firstFailure() {
    struct Numbered: Error, Equatable { let number: Int }
    let schedule = ListSchedule<Numbered>(count: 3)
    for index in 0..<3 {
      schedule.end(index, ListOutcome(counts: ReplayCounts()), index == 0 ? nil : Numbered(number: index))
    }
    schedule.fail(Numbered(number: 7))
    #expect(schedule.failure == Numbered(number: 1))
    let failed = ListSchedule<Numbered>(count: 1)
    failed.fail(Numbered(number: 7))
    failed.end(0, ListOutcome(counts: ReplayCounts()), Numbered(number: 0))
    #expect(failed.failure == Numbered(number: 7))
  }

  @Test(
    "The first list that a failed expectation stops ends the run, whichever ends first",
    arguments: [[3, 1, 2], [1, 3, 2]])
  func stopped(order: [Int]) {
    let schedule = Self.schedule(4)
    for index in order {
      schedule.end(index, ListOutcome(counts: ReplayCounts(), wasStopped: index != 2), nil)
      schedule.record(ListRecord(file: "\(index)", start: .listStart), of: index)
    }
    #expect(schedule.wasStopped && schedule.failure == nil)
    #expect((0..<4).map { schedule.isObsolete($0) } == [false, false, true, true])
    #expect(schedule.outcomes.map { $0 != nil } == [false, true])
    #expect(schedule.records.map(\.file) == ["1"])
  }

  @Test("A list that cannot run has a record, too; lists that are refused are known")
  func records() {
    let schedule = Self.schedule(3)
    schedule.record([ListRecord.Problem("no such file")], of: 2, empty: ListRecord(file: "c", start: .listStart))
    schedule.record(ListRecord(file: "a", start: .listStart), of: 0)
    schedule.record([ListRecord.Problem("line 3")], of: 0, empty: ListRecord(file: "other", start: .listStart))
    #expect(schedule.records.map(\.file) == ["a", "c"])
    #expect(schedule.records.map { $0.problems.map(\.text) } == [["line 3"], ["no such file"]])
    #expect(schedule.refused.isEmpty)
    schedule.refuse([1])
    #expect(schedule.refused == [1])
  }
}
