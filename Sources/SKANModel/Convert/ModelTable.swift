import SKANBase
import SKANDevice

/// A conversion model as a flat CSV table: each row is an entry of a value's mapping, and all rows with the same window
/// and value must hold.
package enum ModelTable {
  package static let columns = [
    "window", "value", "coarse", "event", "min_count", "max_count", "min_revenue", "max_revenue", "currency",
  ]

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - currency: the currency of amounts that name none.
  ///   - hint: the remedy for an amount without any currency, appended to the message.
  /// - Throws: every problem.
  package static func read(_ bytes: [UInt8], currency: String?, hint: String) throws(SourceNotes) -> ConversionModel {
    var table = CSVTable(CSVReader(bytes), columns: columns, required: ["window", "event"])
    var model = ConversionModel()
    var isEmpty = true
    while let row = table.next() {
      isEmpty = false
      let reader = ModelTableRow(row, currency: currency, hint: hint)
      for note in reader.notes { table.complain(note) }
      guard let value = reader.value, let event = reader.event else { continue }
      if model.mapping(of: value)?.events.contains(event) == true {
        table.complain(row.note("\(value.name) has this row already"))
      } else {
        model.add(event, to: value)
      }
    }
    if isEmpty, table.notes.isEmpty {
      table.complain(
        SourceNote(location: TextLocation(of: 0..<0, in: bytes), message: "there is no row under the header"))
    }
    if !table.notes.isEmpty { throw SourceNotes(table.notes, more: table.furtherNotes) }
    for window in ConversionWindow.allCases { model.windows[window].coarse.sort { $0.value.number < $1.value.number } }
    return model
  }
}

extension ConversionModel {
  fileprivate mutating func add(_ event: MappedEvent, to value: ModelValue) {
    switch value {
    case .fine(let number):
      let index = fine.firstIndex { $0.value == number } ?? fine.count
      if index == fine.count { fine.append(FineMapping(value: number, mapping: ValueMapping())) }
      fine[index].mapping.events.append(event)
    case .coarse(let coarse, let window):
      let index = windows[window].coarse.firstIndex { $0.value == coarse } ?? windows[window].coarse.count
      if index == windows[window].coarse.count {
        windows[window].coarse.append(CoarseMapping(value: coarse, mapping: ValueMapping()))
      }
      windows[window].coarse[index].mapping.events.append(event)
    }
  }
}

/// A parsed row of a model's table.
struct ModelTableRow {
  private(set) var value: ModelValue?
  private(set) var event: MappedEvent?
  private(set) var notes: [SourceNote] = []

  private let row: CSVTable<Never>.Row

  init(_ row: CSVTable<Never>.Row, currency: String?, hint: String) {
    self.row = row
    value = readValue()
    event = readEvent(currency: currency, hint: hint)
  }

  private mutating func complain(_ message: String, about column: String? = nil) {
    notes.append(row.note(message, about: column))
  }

  private mutating func readValue() -> ModelValue? {
    let window = row.text("window").flatMap { Int($0) }.flatMap { ConversionWindow(rawValue: $0) }
    if window == nil { complain("window must be 0, 1 or 2, the index of a postback", about: "window") }
    let fine = whole("value", from: 0, to: 63)
    var coarse: CoarseValue?
    if let text = row.text("coarse") {
      coarse = CoarseValue(rawValue: text.lowercased())
      if coarse == nil { complain("coarse must be low, medium or high", about: "coarse") }
    }
    if row.text("value") != nil, row.text("coarse") != nil {
      complain("a row is about a fine value or a coarse one: give each a row", about: "coarse")
      return nil
    }
    if row.text("value") == nil, row.text("coarse") == nil {
      complain("the row needs a value, 0 to 63, or a coarse value")
      return nil
    }
    if fine != nil, let window, window != .p0 {
      complain("fine values belong to window 0", about: "value")
      return nil
    }
    if let fine { return .fine(fine) }
    guard let coarse, let window else { return nil }
    return .coarse(coarse, window)
  }

  private mutating func readEvent(currency: String?, hint: String) -> MappedEvent? {
    let before = notes.count
    let counts = (whole("min_count", from: 1), whole("max_count", from: 1))
    let sums = (amount("min_revenue"), amount("max_revenue"))
    if let least = counts.0, let most = counts.1, least > most {
      complain("the counts end before they begin", about: "max_count")
    }
    if let end = sums.1, end <= sums.0 ?? 0 {
      complain("no revenue is in this range: its end is not part of it", about: "max_revenue")
    }
    let asksForRevenue = sums.0 ?? 0 > 0 || sums.1 != nil
    if sums.0 == 0, sums.1 == nil { complain("revenue from 0 on is everyone's: leave it out", about: "min_revenue") }
    let own = row.text("currency")
    if let own, !own.isCurrencyCode {
      complain("currency must be three capital letters, such as USD", about: "currency")
    }
    if asksForRevenue, own ?? currency == nil {
      complain("the amount has no currency\(hint)", about: sums.0 == nil ? "max_revenue" : "min_revenue")
    }
    if row.text("event") == nil, !asksForRevenue, notes.count == before {
      complain("the row asks for nothing: it needs an event or revenue", about: "event")
    }
    if row.text("event") == nil, counts.0 ?? counts.1 != nil {
      complain("revenue alone is not counted: name an event", about: counts.0 == nil ? "max_count" : "min_count")
    }
    if notes.count > before { return nil }
    return MappedEvent(
      name: row.text("event") ?? MappedEvent.allRevenue, currency: own ?? (asksForRevenue ? currency : nil),
      revenue: asksForRevenue ? RevenueCondition(min: sums.0 ?? 0, max: sums.1) : nil,
      occurrence: counts.0 ?? counts.1 == nil ? nil : OccurrenceCondition(min: counts.0 ?? 1, max: counts.1))
  }

  private mutating func whole(_ column: String, from least: Int64, to most: Int64 = .max) -> Int64? {
    guard let text = row.text(column) else { return nil }
    if text.utf8.allSatisfy(\.isASCIIDigit), let number = Int64(text), (least...most).contains(number) { return number }
    complain(
      "\(column) must be a whole number from \(least)\(most == .max ? "" : " to \(most)")", about: column)
    return nil
  }

  private mutating func amount(_ column: String) -> Double? {
    guard let text = row.text(column) else { return nil }
    if text.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }), let number = Double(text) { return number }
    complain("\(column) must be an amount such as 4.99, 0 or more", about: column)
    return nil
  }
}
