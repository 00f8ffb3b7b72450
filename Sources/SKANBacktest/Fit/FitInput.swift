import SKANDevice
import SKANModel

/// The input of a fit.
package struct FitInput: Sendable {
  package var devices: [FitDevice] = []
  /// The devices as seen in the first hours after their beginning, for each number of hours asked for.
  package var measured: [[FitDevice]]
  /// The number of devices with each of the given events in the first window.
  package var counts: [Int]
  package var tally = InputTally()
  /// The end of what was observed: windows that end later do not count. Nil where there is no row.
  package var until: Instant?

  init(_ request: FitRequest) {
    counts = [Int](repeating: 0, count: request.events.count)
    measured = [[FitDevice]](repeating: [], count: request.hours.count)
  }

  mutating func add(_ other: FitInput) {
    devices += other.devices
    for index in measured.indices { measured[index] += other.measured[index] }
    for index in counts.indices { counts[index] += other.counts[index] }
    tally += other.tally
  }
}

/// The events and hours for which a fit looks at devices.
package struct FitRequest: Sendable {
  /// The names of the given events, at most 64.
  package var events: [String]
  /// Numbers of hours after the beginning.
  package var hours: [Int]

  package init(events: [String], hours: [Int] = []) { (self.events, self.hours) = (events, hours) }
}

/// Extracts the input of a fit from devices, on one thread.
struct FitCollector {
  private(set) var input: FitInput
  private var assembler: LifeAssembler
  /// The index among the given events, by index of the name in the plan.
  private let indices: [Int?]
  /// The index of the session among the given events.
  private let session: Int?
  private let hours: [Int]

  /// - Parameter until: the end of what was observed.
  init(_ plan: BacktestPlan, _ request: FitRequest, until: Instant) {
    let events = request.events
    hours = request.hours
    input = FitInput(request)
    assembler = LifeAssembler(plan, until: until)
    indices = plan.names.names.map { name in events.firstIndex { $0 == name } }
    session = events.firstIndex(of: Device.sessionEventName)
  }

  mutating func add(_ key: DeviceKey, _ records: DeviceRecords) {
    guard let life = assembler.life(of: key, records), life.counts(.p0) else { return }
    let device = device(life, key, until: nil)
    for index in input.counts.indices where device.had[.p0] >> UInt64(index) & 1 == 1 { input.counts[index] += 1 }
    input.devices.append(device)
    for (index, hours) in hours.enumerated() { input.measured[index].append(self.device(life, key, until: hours)) }
  }

  /// - Parameter hours: only what happens in fewer whole hours after the beginning is seen; nil for everything.
  private func device(_ life: DeviceLife, _ key: DeviceKey, until hours: Int?) -> FitDevice {
    var device = FitDevice(revenue: PerWindow(repeating: 0), isHeldOut: key.isHeldOut, ended: life.ended)
    var amounts = DeviceLife.Amounts()
    let end = hours.map { life.start.wholeSeconds + Int64($0) * 3600 } ?? .max
    for event in life.events where event.time.wholeSeconds < end {
      guard let window = life.window(at: event.time) else { continue }
      if let micros = event.revenue?.micros { amounts.add(micros, in: window) }
      let index: Int? =
        switch event.update {
        case nil: nil
        case .session?: session
        case .event(let name)?: name.flatMap { indices[$0] }
        }
      if let index { device.had[window] |= 1 << UInt64(index) }
    }
    (device.revenue, device.gross) = (amounts.net, amounts.gross)
    return device
  }

  var result: FitInput {
    var input = input
    input.tally = assembler.tally
    return input
  }
}

/// A device in the input of a fit.
package struct FitDevice: Sendable, Equatable {
  /// The revenue of each window, which end 2, 7 and 35 days after the beginning, in millionths of the report's currency.
  package var revenue: PerWindow<Int>
  /// The revenue of each window without refunds.
  package var gross: PerWindow<Int>
  /// The given events in each window: the bits of their indices.
  package var had: PerWindow<UInt64>
  /// Whether the device is excluded from fitting, so that the error on it is an unbiased estimate.
  package var isHeldOut: Bool
  /// The number of windows, from the first on, that the device has ended. Only these count.
  package var ended: Int

  /// - Parameter gross: the revenue without refunds; nil for devices without refunds.
  package init(
    revenue: PerWindow<Int>, gross: PerWindow<Int>? = nil, had: PerWindow<UInt64> = PerWindow(repeating: 0),
    isHeldOut: Bool = false, ended: Int = ConversionWindow.allCases.count
  ) {
    self.revenue = revenue
    self.gross = gross ?? revenue
    self.had = had
    self.isHeldOut = isHeldOut
    self.ended = ended
  }

  /// Whether a window of the device counts.
  func counts(_ window: ConversionWindow) -> Bool { window.rawValue < ended }
}

extension DeviceKey {
  /// One of this number of devices is held out.
  package static let heldOutShare = 5

  /// Whether a fit excludes the device. It depends only on the identifier's hash, not on the order of the input.
  package var isHeldOut: Bool { high % UInt64(Self.heldOutShare) == 0 }
}

extension BacktestRun {
  /// The input of a fit for all devices, which are not run.
  ///
  /// - Parameters:
  ///   - request: its events are those that the plan's model uses.
  ///   - jobs: the number of threads; it does not affect the result.
  ///   - isInterrupted: asked regularly; the result is meaningless after an interruption.
  package func fitInput(
    _ request: FitRequest, jobs: Int, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(EventPartitions.ReadFailure) -> FitInput {
    let until = self.until
    var whole = try partitions.reduce(
      into: FitInput(request), jobs: jobs, isInterrupted: isInterrupted,
      makeWorker: { [plan] in FitCollector(plan, request, until: until ?? Instant(microseconds: .min)) },
      visit: { collector, key, records in collector.add(key, records) },
      add: { input, collector in input.add(collector.result) })
    whole.tally += input.withLock { $0.tally }
    whole.until = until
    return whole
  }
}
