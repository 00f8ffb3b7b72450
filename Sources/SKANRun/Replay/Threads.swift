import Foundation

/// Runs something on several threads at a time, this one among them, and returns when all have ended.
///
/// - Parameters:
///   - count: of the threads; where the system gives fewer, there are fewer.
///   - start: runs something on a thread of its own; false when the system has no thread left.
package func onThreads(
  _ count: Int, start: (@escaping @Sendable () -> Void) -> Bool, _ body: @escaping @Sendable () -> Void
) {
  let group = DispatchGroup()
  for _ in 1..<max(1, count) {
    group.enter()
    let isStarted = start {
      body()
      group.leave()
    }
    guard isStarted else {
      group.leave()
      break
    }
  }
  body()
  group.wait()
}
