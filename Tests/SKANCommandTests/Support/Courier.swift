import Foundation
import Synchronization
import TestSupport

/// Delivers postbacks from several threads, each body again until it is answered with 200, to a server that may be killed.
final class Courier: Sendable {
  private struct State {
    var address: String
    var waiting: [LoopDelivery]
    var delivered = 0
    var repeated = 0
  }

  private static let threads = 4
  private let state: Mutex<State>

  init(_ deliveries: [LoopDelivery], address: String) {
    state = Mutex(State(address: address, waiting: deliveries.reversed()))
  }

  /// Where the server is now.
  var address: String {
    get { state.withLock { $0.address } }
    set { state.withLock { $0.address = newValue } }
  }

  /// How many attempts had no answer of 200, those apart whose answer was spoiled on purpose.
  var repeated: Int { state.withLock { $0.repeated } }

  func start() {
    for _ in 0..<Self.threads { Thread.detachNewThread { [self] in deliver() } }
  }

  private func deliver() {
    while let delivery = state.withLock({ $0.waiting.popLast() }) {
      // In their order: what comes first of equals counts.
      for body in delivery.bodies {
        var fault = body.fault
        while !LoopDelivery.post(body, to: address, fault: fault) {
          // After a kill, it is not known whether the fault has happened.
          if fault == nil { state.withLock { $0.repeated += 1 } } else { fault = nil }
          Thread.sleep(forTimeInterval: 0.02)
        }
        state.withLock { $0.delivered += 1 }
      }
    }
  }

  /// Waits until this many bodies are delivered, though not for ever.
  func wait(for count: Int) {
    TestTime.wait { state.withLock({ $0.delivered }) >= count }
  }
}
