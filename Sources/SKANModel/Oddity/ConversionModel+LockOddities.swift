import SKANDevice
import SKANBase

extension ConversionModel {
  /// What is odd about a window's lock trigger: that it never fires, or that it fires before what the window should measure.
  func lockOddity(in window: ConversionWindow, isWhole: Bool) -> ModelOddity? {
    guard let lock = windows[window].lock else { return nil }
    let name = "the lock trigger of postback \(window.rawValue) is"
    func oddity(_ message: String) -> ModelOddity { ModelOddity("\(name) \(message)", at: windows[window].lockRange) }
    let trigger: String
    switch lock {
    case .fine(let value):
      trigger = "fine value \(value)"
      if window != .p0 { return oddity("\(trigger), but fine values belong to postback 0") }
      if isWhole, !fine.contains(where: { $0.value == value }) {
        return oddity("\(trigger), which no mapping gives")
      }
    case .coarse(let value):
      trigger = "coarse value \(value.rawValue)"
      if isWhole, !windows[window].coarse.contains(where: { $0.value == value }) {
        return oddity("\(trigger), which the window lacks")
      }
    case .event(let name):
      trigger = "the event \(JSONWriter.quoted(name))"
      if window != .p0, SingleEvent.names.contains(name) {
        return oddity("\(trigger), which comes once, in the first window")
      }
    }
    let lost = valuesLost(to: lock, in: window)
    return lost.isEmpty ? nil : oddity("\(trigger): once it locks, \(Self.list(lost)) can no longer come")
  }

  /// The values of a window that ask for revenue, or for the trigger's event more than once, and that a user whose window is
  /// locked no longer gets.
  ///
  /// A user whose one step reaches both the trigger and such a value still gets it; that is the exception.
  private func valuesLost(to lock: LockTrigger, in window: ConversionWindow) -> [ModelValue] {
    let hours = hours(of: window)
    func asks(_ mapping: ValueMapping) -> Bool {
      mapping.events.contains { $0.isRevenueOnly || $0.revenue != nil } && !ModelRegion(mapping, hours: hours).isEmpty
    }
    let fine = window == .p0 ? fine.sorted { $0.value < $1.value } : []
    let coarse = windows[window].coarse
    switch lock {
    case .fine(let value):
      return fine.filter { $0.value > value && asks($0.mapping) }.map { .fine($0.value) }
    case .coarse(let value):
      let standing = coarseByFine
      // The lowest of those that stand for the trigger, or for more, comes with it.
      let within = fine.filter { standing[Int($0.value)].map { $0 >= value.number } ?? false }.dropFirst()
      return within.filter { asks($0.mapping) }.map { .fine($0.value) }
        + coarse.filter { $0.value.number > value.number && asks($0.mapping) }.map { .coarse($0.value, window) }
    case .event(let name):
      func isLost(_ mapping: ValueMapping) -> Bool {
        let own = mapping.events.filter { $0.name == name }
        return own.contains { ($0.occurrence?.min ?? 1) > 1 } || own.isEmpty && asks(mapping)
      }
      return fine.filter { isLost($0.mapping) }.map { .fine($0.value) }
        + coarse.filter { isLost($0.mapping) }.map { .coarse($0.value, window) }
    }
  }
}
