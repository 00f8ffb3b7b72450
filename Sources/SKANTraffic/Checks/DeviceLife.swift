import SKANModel

/// What is remembered of one device, and its rules.
struct DeviceLife {
  let device: TrafficDevice
  /// Of ``AppTable``.
  let app: Int
  private(set) var hasConversions = false
  private(set) var hasForwards = false

  init(_ device: TrafficDevice, app: Int) {
    self.device = device
    self.app = app
  }

  /// Whether both endpoints were asked.
  var hasBothSides: Bool { hasConversions && hasForwards }

  /// Adds what a request shows.
  mutating func check(_ request: CheckedRequest, of app: AppFacts, into findings: inout [TrafficFinding]) {
    if request.kind.forwarded == nil { hasConversions = true } else { hasForwards = true }
  }

  /// Adds what only the end shows.
  ///
  /// - Parameter end: the time of the capture's last request, in Unix seconds.
  mutating func finish(_ app: AppFacts, end: Int64?, into findings: inout [TrafficFinding]) {}
}
