import Foundation
import SKANSystem
import Synchronization
import TestSupport
import Testing

@Suite("Threads", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ThreadTests {
  @Test(
    "Something runs on as many threads as the system gives, and all have ended when it returns",
    arguments: [0, 1, 3, 8])
  func run(available: Int) {
    let left = Atomic(available)
    let runs = Atomic(0)
    ThreadGroup.run(
      5,
      start: { body in
        left.wrappingSubtract(1, ordering: .relaxed).oldValue > 0 && WorkerThread.start(body)
      }
    ) {
      SystemClock.sleep(0.01)
      runs.add(1, ordering: .relaxed)
    }
    #expect(runs.load(ordering: .relaxed) == min(available, 4) + 1)
  }

  @Test("Who waits for a value is woken by a change, or gives up in time")
  func monitor() {
    let value = Monitor(0)
    let threads = ThreadGroup()
    for _ in 0..<4 { #expect(threads.start { value.wait(until: { $0 > 0 }) { $0 += 1 } }) }
    #expect(!value.wait(seconds: 0.02) { $0 > 0 })
    value.change { $0 = 1 }
    threads.join()
    #expect(value.withLock { $0 } == 5)
    #expect(value.wait(seconds: 0) { $0 == 5 } && !value.wait(seconds: -1) { $0 == 6 })
  }
}
