/// What the last answer overwrote in the store: with what is kept now it tells what was kept before that answer.
///
/// Small, as each of a million phones may have one. What an answer moves to another entry, the values before, is not here.
package struct OverwrittenState: Sendable, Equatable {
  /// The window in which the answer came; nil when there was none, and for SKAN 3.
  var window: ConversionWindow?
  var previousFineValue, previousCoarseValue: KeptValue?
  /// Of ``window``.
  var windowLock: Int64?
  var lastCall, firstCall, skan3Value: Int64?

  /// - Parameters:
  ///   - kept: what is kept before the values of the answer are.
  ///   - firstCall: that of before the answer, which decides on the window.
  ///   - window: in which the values go; nil when none is written.
  @inline(__always)
  init(_ kept: borrowing KeptState, firstCall: Int64?, in window: ConversionWindow?) {
    self.window = window
    if let window {
      if window == .p0 { previousFineValue = kept.previousFineValue }
      previousCoarseValue = kept.previousCoarseValue[window]
      windowLock = kept.windowLock[window]
    }
    lastCall = kept.lastCall
    self.firstCall = firstCall
    skan3Value = kept.skan3Value
  }

  /// What was kept before the answer, with the revenue of now.
  func restored(from kept: KeptState) -> KeptState {
    var before = kept
    if let window {
      if window == .p0 {
        before.fineValue = kept.previousFineValue
        before.previousFineValue = previousFineValue
      }
      before.coarseValue[window] = kept.previousCoarseValue[window]
      before.previousCoarseValue[window] = previousCoarseValue
      before.windowLock[window] = windowLock
    }
    before.lastCall = lastCall
    before.firstCall = firstCall
    before.skan3Value = skan3Value
    return before
  }
}

extension Device {
  /// What the app kept before the last answer, with the revenue of now; nil when that answer changed nothing.
  ///
  /// Set when a device file is read, after ``kept``.
  package var keptBeforeAnswer: KeptState? {
    get { overwritten.map { $0.restored(from: kept) }.flatMap { $0 == kept ? nil : $0 } }
    set {
      overwritten = newValue.map { before in
        OverwrittenState(
          before, firstCall: before.firstCall,
          in: ConversionWindow.allCases.first {
            kept.coarseValue[$0] != before.coarseValue[$0]
              || kept.previousCoarseValue[$0] != before.previousCoarseValue[$0]
              || kept.windowLock[$0] != before.windowLock[$0]
              || $0 == .p0
                && (kept.fineValue != before.fineValue || kept.previousFineValue != before.previousFineValue)
          })
      }
    }
  }
}
