import SKANBase
import SKANDevice

/// The rows of devices for `--devices`, as CSV: a row for each device that has a beginning.
///
/// A window that the device has not ended has empty cells. Money is in units of the report's currency with six decimals.
struct DeviceRows: ~Copyable {
  private let groups: GroupTable
  private var text = ByteText()
  /// The cells of the device's models so far.
  private var values: [String] = []

  init(_ groups: GroupTable) { self.groups = groups }

  /// The columns of a model's values.
  private static let valueColumns = ["fine", "coarse_p0", "coarse_p1", "coarse_p2", "lock_p0", "lock_p1", "lock_p2"]

  /// The line of columns. Those of the second and each later model end in its number.
  static func header(models: Int) -> [UInt8] {
    let others = (2..<max(2, models + 1)).flatMap { number in valueColumns.map { "\($0)_\(number)" } }
    let columns =
      ["device", "group"] + valueColumns + ["revenue_2d", "revenue_7d", "revenue_35d", "beginning"] + others
    return Array(columns.csvLine.utf8)
  }

  /// Adds the values of a device with the next model.
  mutating func add(_ life: DeviceLife, _ model: LifeValues) {
    func cells(_ cell: (ConversionWindow) -> String) -> [String] {
      ConversionWindow.allCases.map { life.counts($0) ? cell($0) : "" }
    }
    values += [life.counts(.p0) ? "\(model.fine)" : ""]
    values += cells { BacktestReport.coarseNames[model.coarse[$0]] }
    // The seconds from the beginning to the lock; empty without one.
    values += cells { model.lockedAt[$0].map { "\($0.wholeSeconds - life.start.wholeSeconds)" } ?? "" }
  }

  /// Ends the row of a device.
  mutating func end(_ life: DeviceLife, _ amounts: DeviceLife.Amounts) {
    var sum = 0
    let revenue = ConversionWindow.allCases.map { window in
      sum.add(amounts.net[window])
      return life.counts(window) ? Figures.exactMoney(sum) : ""
    }
    let count = Self.valueColumns.count
    let cells =
      [String(decoding: life.identifier, as: UTF8.self), groups.name(at: life.group)] + values.prefix(count) + revenue
      + ["\(life.start)"] + values.dropFirst(count)
    text.append(Array(cells.csvLine.utf8))
    values.removeAll(keepingCapacity: true)
  }

  /// The number of bytes that were not taken yet.
  var byteCount: Int { text.count }

  /// The rows since the last call.
  mutating func take() -> [UInt8] { text.remove(from: 0) }
}
