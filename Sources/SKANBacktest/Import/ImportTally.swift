import SKANDevice

/// The counts of an export's rows. The sum of the tallies of all blocks does not depend on the blocks and their order.
package struct ImportTally: Sendable, Equatable {
  /// The location and reason of a rejected row.
  package struct Rejected: Sendable, Equatable {
    package var fileIndex: Int
    package var file: String
    package var line: Int
    package var reason: ImportRejection
    /// The invalid time, amount or currency; never an identifier.
    package var value: String?
  }

  /// The most rejected rows that are kept for each reason.
  static let mostPlaces = 3

  /// Rows except headers and empty lines.
  package var rows = 0
  /// Mapped rows by ``ExportedRow/Kind``.
  package var mapped = [Int](repeating: 0, count: 4)
  /// Rows left out by each of the mapping's filters; a row counts for the first filter that it does not pass.
  package var filtered: [Int] = []
  /// Rejected rows by ``ImportRejection``.
  package var rejected = [Int](repeating: 0, count: ImportRejection.allCases.count)
  /// The first rejected rows of each reason, in the order of the input.
  package var places: [Rejected] = []
  /// Times by ``ExportTimeForm``.
  package var timeForms = [Int](repeating: 0, count: ExportTimeForm.allCases.count)
  /// Rows by the mapping's device columns.
  package var devices: [Int] = []
  /// Rows of another system than iOS, which are left out.
  package private(set) var systems: [System: Int] = [:]
  /// Texts in the device columns that mean no identifier, by ``BlankText``.
  package var blanks = [Int](repeating: 0, count: BlankText.allCases.count)
  /// Rows with revenue.
  package var revenues = 0
  /// Rows of purchases by their names, and those of them without an amount.
  package var purchases = 0
  package var purchasesWithoutRevenue = 0
  /// Install times that cannot be read; their rows count.
  package var unreadInstalls = 0
  /// Whether a time was written without a zone, and the given one was used.
  package var usesZone = false
  /// Whether a time was written in the given date format.
  package var usesDateFormat = false
  /// Amounts of 0, which are not revenue.
  package var zeroAmounts = 0
  package var repeatedHeaders = 0
  /// Rows with a transaction, if rows are compared by transaction.
  package var transactions = 0
  /// Rows with revenue but without a transaction, if rows are compared by transaction.
  package var withoutTransaction = 0
  package var first: Instant?
  package var last: Instant?

  /// A system that a column names.
  package struct System: Sendable, Hashable {
    /// The index of the column among the mapping's systems.
    package var index: Int
    /// The name as written.
    package var name: String
  }

  /// The most systems that are counted by name, so that a column of other texts does not fill the memory.
  private static let mostSystems = 1000

  mutating func addSystem(_ system: System, _ count: Int = 1) {
    let isKnown = systems[system] != nil || systems.count < Self.mostSystems
    systems[isKnown ? system : System(index: system.index, name: "another one"), default: 0] += count
  }

  /// The rows that a mapping leaves out, by reason: those of other systems in order of their names, then the filtered.
  package func leftOut(by mapping: ExportMapping) -> [(reason: String, count: Int)] {
    var rows: [(reason: String, count: Int)] = []
    for (system, count) in systems.sorted(by: { ($0.key.index, $0.key.name) < ($1.key.index, $1.key.name) })
    where mapping.systems.indices.contains(system.index) {
      rows.append((mapping.systems[system.index].reason(for: system.name), count))
    }
    for (filter, count) in zip(mapping.filters, filtered) where count > 0 { rows.append((filter.reason, count)) }
    return rows
  }

  package init() {}

  /// The message that more than half of the purchases have no amount.
  package var missingPurchases: String? { PurchaseName.problem(purchasesWithoutRevenue, of: purchases) }

  package var mappedRows: Int { mapped.reduce(0, +) }
  package var filteredRows: Int { filtered.reduce(0, +) + systems.values.reduce(0, +) }
  package var rejectedRows: Int { rejected.reduce(0, +) }

  package static func += (left: inout ImportTally, right: ImportTally) {
    left.rows += right.rows
    add(&left.mapped, right.mapped)
    add(&left.filtered, right.filtered)
    add(&left.rejected, right.rejected)
    add(&left.timeForms, right.timeForms)
    add(&left.devices, right.devices)
    for (system, count) in right.systems { left.addSystem(system, count) }
    add(&left.blanks, right.blanks)
    left.revenues += right.revenues
    left.purchases += right.purchases
    left.purchasesWithoutRevenue += right.purchasesWithoutRevenue
    left.unreadInstalls += right.unreadInstalls
    left.usesZone = left.usesZone || right.usesZone
    left.usesDateFormat = left.usesDateFormat || right.usesDateFormat
    left.zeroAmounts += right.zeroAmounts
    left.repeatedHeaders += right.repeatedHeaders
    left.transactions += right.transactions
    left.withoutTransaction += right.withoutTransaction
    left.first = [left.first, right.first].compactMap(\.self).min()
    left.last = [left.last, right.last].compactMap(\.self).max()
    for place in right.places { left.add(place) }
  }

  private static func add(_ left: inout [Int], _ right: [Int]) {
    for (index, count) in right.enumerated() {
      if index < left.count { left[index] += count } else { left.append(count) }
    }
  }

  mutating func add(_ place: Rejected) {
    var position = places.count
    while position > 0, (places[position - 1].fileIndex, places[position - 1].line) > (place.fileIndex, place.line) {
      position -= 1
    }
    places.insert(place, at: position)
    let same = places.indices.filter { places[$0].reason == place.reason }
    if same.count > Self.mostPlaces, let last = same.last { places.remove(at: last) }
  }
}

/// Why a row is unusable.
package enum ImportRejection: Int, Sendable, CaseIterable {
  /// The number of fields differs from the header's.
  case width
  /// Text follows the quote that ends a field.
  case quotes
  case json
  case device
  case time
  /// The time has no zone, and none is given.
  case timeZone
  case name
  case amount
  case decimalComma
  /// The amount is not a whole number of cents.
  case cents
  /// The quantity that the price is multiplied by is not a whole number from 1.
  case quantity
  case currency

  /// The name in JSON.
  package var name: String {
    switch self {
    case .width: "fields"
    case .quotes: "quotes"
    case .json: "json"
    case .device: "no-device"
    case .time: "time"
    case .timeZone: "time-zone"
    case .name: "no-name"
    case .amount: "amount"
    case .decimalComma: "decimal-comma"
    case .cents: "cents"
    case .quantity: "quantity"
    case .currency: "currency"
    }
  }

  /// A description of the problem.
  package var message: String {
    switch self {
    case .width: "its number of fields differs from the header's"
    case .quotes: "text follows the quote that ends a field"
    case .json: "it is not a JSON object"
    case .device: "it names no device"
    case .time: "its time cannot be read, or is not between 2000 and 2100"
    case .timeZone: "its time has no zone"
    case .name: "it has neither an event's name nor revenue"
    case .amount: "its amount is not a decimal number"
    case .decimalComma: "its amount has a comma; a decimal point is read, and nothing between thousands"
    case .cents: "its amount is not a whole number of cents, although the mapping says that it is in cents"
    case .quantity: "its price is of a quantity that is not a whole number from 1"
    case .currency: "it has revenue without a currency (three letters)"
    }
  }
}
