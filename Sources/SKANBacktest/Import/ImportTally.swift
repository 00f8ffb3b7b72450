import SKANDevice

/// The outcome of the rows of an export. Tallies of blocks add up to the same, whatever the blocks and their order.
package struct ImportTally: Sendable, Equatable {
  /// A row that is rejected.
  package struct Rejected: Sendable, Equatable {
    package var fileIndex: Int
    package var file: String
    package var line: Int
    package var reason: ImportRejection
    /// What cannot be read: a time, an amount, a currency; never an identifier.
    package var value: String?
  }

  /// How many rejected rows of each reason are kept.
  static let mostPlaces = 3

  /// Rows but for headers and empty lines.
  package var rows = 0
  /// By ``ExportedRow/Kind``.
  package var mapped = [Int](repeating: 0, count: 4)
  /// By the mapping's filters; a row counts for the first that it does not pass.
  package var filtered: [Int] = []
  /// By ``ImportRejection``.
  package var rejected = [Int](repeating: 0, count: ImportRejection.allCases.count)
  /// The first rejected rows of each reason, in the order of the input.
  package var places: [Rejected] = []
  /// By ``ExportTimeForm``.
  package var timeForms = [Int](repeating: 0, count: ExportTimeForm.allCases.count)
  /// By the mapping's columns of devices.
  package var devices: [Int] = []
  /// Amounts of 0, which are no revenue.
  package var zeroAmounts = 0
  package var repeatedHeaders = 0
  /// Rows with a transaction, where rows are compared by it.
  package var transactions = 0
  /// Rows with revenue and without a transaction, where rows are compared by it.
  package var withoutTransaction = 0
  package var first: Instant?
  package var last: Instant?

  package init() {}

  package var mappedRows: Int { mapped.reduce(0, +) }
  package var filteredRows: Int { filtered.reduce(0, +) }
  package var rejectedRows: Int { rejected.reduce(0, +) }

  package static func += (left: inout ImportTally, right: ImportTally) {
    left.rows += right.rows
    add(&left.mapped, right.mapped)
    add(&left.filtered, right.filtered)
    add(&left.rejected, right.rejected)
    add(&left.timeForms, right.timeForms)
    add(&left.devices, right.devices)
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

/// Why a row cannot be used.
package enum ImportRejection: Int, Sendable, CaseIterable {
  /// Another number of fields than the header has.
  case width
  /// Text behind the quote that ends a field.
  case quotes
  case json
  case device
  case time
  /// Its time is written without a zone, and none is given.
  case timeZone
  case name
  case amount
  case decimalComma
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
    case .currency: "currency"
    }
  }

  /// The problem with the row.
  package var message: String {
    switch self {
    case .width: "it has another number of fields than the header"
    case .quotes: "text follows the quote that ends a field"
    case .json: "it is not a JSON object"
    case .device: "it names no device"
    case .time: "its time cannot be read, or is not between 2000 and 2100"
    case .timeZone: "its time has no zone"
    case .name: "it has neither an event's name nor revenue"
    case .amount: "its amount is not a decimal number"
    case .decimalComma: "its amount has a comma; a decimal point is read, and nothing between thousands"
    case .currency: "it has revenue without a currency (three letters)"
    }
  }
}
