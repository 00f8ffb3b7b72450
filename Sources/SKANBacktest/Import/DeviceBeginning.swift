import SKANDevice

/// When a device's life begins, as far as an export knows: the rule by which a device whose beginning is not in the input is
/// distinguished from one whose is.
package enum DeviceBeginning {
  /// How far an install may be from the first row of its device, and still be its beginning.
  package static let longestGap = TimeSpan.hours(1)

  /// - Parameters:
  ///   - first: the time of the device's first row, an install among them.
  ///   - installRow: the time of its first install.
  ///   - installed: when its first row says that the app was installed.
  /// - Returns: nil when the beginning is not in the input: its windows, and what happened in them, are not known then.
  package static func start(first: Instant, installRow: Instant?, installed: Instant?) -> Instant? {
    // An install later than that is one of an app that was there before.
    if let installRow, installRow.since(first) <= longestGap { return min(first, installRow) }
    guard let installed, first.since(installed) <= longestGap, installed.since(first) <= longestGap else { return nil }
    return min(first, installed)
  }
}
