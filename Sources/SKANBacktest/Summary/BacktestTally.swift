import SKANDevice
import SKANRun

/// What is counted of the devices that run with one model.
///
/// Whole numbers only, so that the sum of parts is the same in any order: money is in millionths of the report's currency,
/// time in seconds. At the end of its range a number stays there.
package struct BacktestTally: Sendable, Equatable {
  /// Devices that ran.
  package var devices = 0
  /// By fine value, 0-63.
  package var fine = [ValueCell](repeating: ValueCell(), count: 64)
  /// By window, and in it by coarse value: none, low, medium, high.
  package var coarse = PerWindow<[CoarseCell]>(repeating: [CoarseCell](repeating: CoarseCell(), count: 4))
  package var locks = PerWindow<LockCell>(repeating: LockCell())
  /// By window: the postbacks that leave.
  package var postbacks = PerWindow<PostbackCell>(repeating: PostbackCell())
  /// By the UTC day on which they leave (days since 1970): how many of each window.
  package var departures: [Int: [Int]] = [:]
  /// By postback data tier, 0-3: what it leaves of the first postback.
  package var tiers = [TierCell](repeating: TierCell(), count: 4)
  /// By the index of the outcome.
  package var outcomes = [Int](repeating: 0, count: Outcome.allCases.count)
  /// Sessions and events, of any name.
  package var events = EventCell()
  /// By the index of the name among those that the model asks for.
  package var names: [EventCell]

  /// - Parameter nameCount: how many event names the model asks for.
  package init(nameCount: Int) { names = Array(repeating: EventCell(), count: nameCount) }

  /// Users with a value, and their revenue.
  package struct ValueCell: Sendable, Equatable {
    package var users = 0
    /// True revenue in the first 48 hours, 7 days and 35 days.
    package var revenue48h = 0, revenue7d = 0, revenue35d = 0
    /// What the value is decoded to.
    package var decoded = 0
    /// The sum of each user's distance from decoded to true revenue of 48 hours.
    package var error = 0
  }

  /// Users with a coarse value in a window.
  package struct CoarseCell: Sendable, Equatable {
    package var users = 0
    /// True revenue in the window.
    package var revenue = 0
    package var decoded = 0
    package var error = 0
  }

  /// Locks of a window.
  package struct LockCell: Sendable, Equatable {
    package var locks = 0
    /// How much sooner than at the window's end the postbacks are prepared, in seconds.
    package var secondsGained = 0
    /// True revenue in the rest of the window.
    package var revenueLost = 0
    /// Users who would have another value in this window without the lock.
    package var valuesLost = 0
  }

  package struct PostbackCell: Sendable, Equatable {
    package var postbacks = 0
    /// From the first call to the middle of the time in which they leave, in seconds.
    package var seconds = 0
  }

  /// What a tier leaves of first postbacks.
  package struct TierCell: Sendable, Equatable {
    package var fine = 0
    package var coarse = 0
    package var withoutValue = 0
    package var decoded = 0
    package var error = 0
  }

  /// Sessions and events, by when they happen.
  package struct EventCell: Sendable, Equatable {
    /// Seen in each window, and not lost.
    package var seen = PerWindow<Int>(repeating: 0)
    /// In a window that is locked.
    package var afterLock = 0
    /// After the third window.
    package var afterWindows = 0
  }
}
