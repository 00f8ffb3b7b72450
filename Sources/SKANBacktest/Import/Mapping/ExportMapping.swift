import SKANDevice

/// How the rows of an export become ``ExportedRow``s: which columns hold what, which rows count, and which rows are what.
///
/// A preset is one, and a mapping file is read as one; options of the command line complete it.
package struct ExportMapping: Sendable, Equatable {
  /// For messages: "preset adjust", or the mapping file.
  package var title: String
  /// The first of these that is not empty is the device.
  package var device: [ExportColumn]
  package var time: [ExportColumn]
  /// Nil: by the number of digits.
  package var timeUnit: ExportTimeUnit?
  /// The first of these that is not empty is the event's name.
  package var eventName: [ExportColumn]
  /// The first of these that has an amount is the revenue.
  package var revenue: [ExportRevenue] = []
  package var adRevenue: ExportCondition?
  /// Rows of revenue without an event of its own.
  package var revenueOnly: ExportCondition?
  package var session: ExportCondition?
  package var install: ExportCondition?
  /// The time of the install, in each row.
  package var installed: [ExportColumn] = []
  package var installedUnit: ExportTimeUnit?
  package var filters: [ExportFilter] = []
  /// The app's names of events, by those of the export.
  package var renames: [String: String] = [:]
  package var transaction: [ExportColumn] = []
  /// Of times that are written without a zone.
  package var timeZone: ExportTimeZone?
  package var duplicateFields: Set<DuplicateField> = []
  /// The column of ``ExportedRow/group``.
  package var group: ExportColumn?
  /// Of amounts whose row says no currency.
  package var currency: CurrencyCode?

  package init(title: String, device: [ExportColumn], time: [ExportColumn], name: [ExportColumn]) {
    self.title = title
    self.device = device
    self.time = time
    eventName = name
  }

  /// Every column that it names, each once.
  package var columns: [ExportColumn] {
    var seen: Set<String> = []
    let revenues = revenue.flatMap { $0.amount + $0.currency }
    let conditions = [adRevenue, revenueOnly, session, install].compactMap { $0?.column }
    return
      (device + time + eventName + revenues + conditions + installed + filters.map(\.column) + transaction
      + [group].compactMap(\.self)).filter { seen.insert($0.name).inserted }
  }
}
