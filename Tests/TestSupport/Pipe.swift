import Foundation
import Synchronization

/// An alarm that wakes every `poll` at once and for good: the reading end of a pipe whose writing end is closed.
final class Pipe: Sendable {
  let reading: Int32
  private let writing: Mutex<Int32?>

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw TestSocket.Failure(call: "pipe", code: errno) }
    ends.forEach(TestSocket.closeOnExec)
    reading = ends[0]
    writing = Mutex(ends[1])
  }

  func ring() {
    writing.withLock { end in
      if let open = end { Foundation.close(open) }
      end = nil
    }
  }

  /// Only when no thread polls it any more.
  func close() {
    ring()
    Foundation.close(reading)
  }
}
