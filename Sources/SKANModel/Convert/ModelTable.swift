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
    let lineStarts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
    var isEmpty = true
    while let row = table.next() {
      isEmpty = false
      let reader = ModelTableRow(row, currency: currency, hint: hint)
      for note in reader.notes { table.complain(note) }
      guard let value = reader.value, let event = reader.event else { continue }
      if model.mapping(of: value)?.events.contains(event) == true {
        table.complain(row.note("\(value.name) has this row already"))
      } else {
        let start = lineStarts[row.record.line - 1]
        model.add(event, to: value, at: start..<start + row.record.bytes.count)
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
  /// - Parameter range: the location of the entry, and of a mapping that it begins.
  fileprivate mutating func add(_ event: MappedEvent, to value: ModelValue, at range: Range<Int>) {
    var mapping = ValueMapping()
    mapping.range = range
    switch value {
    case .fine(let number):
      let index = fine.firstIndex { $0.value == number } ?? fine.count
      if index == fine.count { fine.append(FineMapping(value: number, mapping: mapping)) }
      fine[index].mapping.events.append(event)
    case .coarse(let coarse, let window):
      let index = windows[window].coarse.firstIndex { $0.value == coarse } ?? windows[window].coarse.count
      if index == windows[window].coarse.count {
        windows[window].coarse.append(CoarseMapping(value: coarse, mapping: mapping))
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
      complain("a row is for a fine value or for a coarse one: give each its own row", about: "coarse")
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
    if sums.0 == 0, sums.1 == nil { complain("everyone has revenue from 0 on: leave it out", about: "min_revenue") }
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
    if text.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }), let number = Double(text),
      number.isFinite
    {
      return number
    }
    complain("\(column) must be an amount such as 4.99, 0 or more", about: column)
    return nil
  }
}

extension ModelTable {
  /// The part of a model that a table can say.
  package static func reduced(_ model: ConversionModel) -> ReducedModel {
    var reduced = ReducedModel(model, to: .csv) { $0.lazy.compactMap { obstacle($0) }.first }
    for window in ConversionWindow.allCases {
      if let lock = reduced.model.windows[window].lock {
        reduced.lose(.lock(window), "has no locks (\(lock.displayText))")
      }
    }
    return reduced
  }

  /// Why a table cannot say an entry; nil if it can.
  private static func obstacle(_ event: MappedEvent) -> String? {
    let name = event.name
    if !readsBack(name) {
      return
        "does not keep the name \(JSONWriter.quoted(name)): blanks around it are lost, and a spreadsheet takes =, +, - "
        + "or @ at its beginning for a formula"
    }
    if event.asksForNoAmount { return "asks for an amount, and everyone has revenue from 0 on" }
    if event.revenue != nil || event.isRevenueOnly, let currency = event.currency, !currency.isCurrencyCode {
      return "has currencies of three capital letters (\(JSONWriter.quoted(currency)))"
    }
    return nil
  }

  private static func readsBack(_ name: String) -> Bool {
    var table = CSVTable(CSVReader(Array((["event"].csvLine + [name].csvLine).utf8)), columns: ["event"], required: [])
    return table.next()?.text("event") == name
  }

  /// The table of a model that it can say, in the order of the values; reading it gives the same model.
  package static func text(_ model: ConversionModel) -> String {
    model.values.reduce(into: columns.csvLine) { text, value in
      var seen: Set<[String]> = []
      for event in model.mapping(of: value)?.events ?? [] {
        let fields = fields(event, of: value)
        if seen.insert(fields).inserted { text += fields.csvLine }
      }
    }
  }

  private static func fields(_ event: MappedEvent, of value: ModelValue) -> [String] {
    let (fine, coarse) =
      switch value {
      case .fine(let number): (String(number), "")
      case .coarse(let coarse, _): ("", coarse.rawValue)
      }
    let counts = event.isRevenueOnly ? nil : event.occurrence
    // Without an event a row is about all revenue, if it asks for an amount.
    let isImplied = event.name == MappedEvent.allRevenue && event.revenue != nil
    let needsCurrency = event.revenue != nil || event.isRevenueOnly
    return [
      String(value.window.rawValue), fine, coarse, isImplied ? "" : event.name,
      counts.map { String($0.min) } ?? "", counts?.max.map { String($0) } ?? "",
      event.revenue.map { $0.min > 0 ? $0.min.decimalText : "" } ?? "", event.revenue?.max?.decimalText ?? "",
      needsCurrency ? event.currency ?? MappedEvent.defaultCurrency : "",
    ]
  }
}

extension MappedEvent {
  /// Whether the entry has a condition on revenue that has neither a start nor an end.
  var asksForNoAmount: Bool { revenue.map { $0.min <= 0 && $0.max == nil } ?? false }
}

extension Double {
  /// A number from 0 in digits, without an exponent; it reads as the same number.
  fileprivate var decimalText: String {
    let parts = jsonText.split { "eE".contains($0) }
    guard parts.count == 2, let exponent = Int(parts[1]) else { return jsonText }
    let number = parts[0].split(separator: ".")
    let digits = number.joined()
    let point = number[0].count + exponent
    if point <= 0 { return "0." + String(repeating: "0", count: -point) + digits }
    if point >= digits.count { return digits + String(repeating: "0", count: point - digits.count) }
    return "\(digits.prefix(point)).\(digits.dropFirst(point))"
  }
}
