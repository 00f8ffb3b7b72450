import SKANBase
import SKANDevice

/// The rates of each UTC day. A day without a row has none: no rate is guessed from other days.
struct DailyRates: Sendable, Equatable {
  /// The rates of a currency, by day in ascending order.
  struct Series: Sendable, Equatable {
    var currency: CurrencyCode
    /// Days since 1970.
    var days: [Int] = []
    var units: [Double] = []
  }

  /// By currency in ascending order of its number.
  private var series: [Series] = []

  /// - Parameter rows: each day and currency once.
  fileprivate init(_ rows: [DailyRate]) {
    for row in rows.sorted(by: { ($0.currency.number, $0.day) < ($1.currency.number, $1.day) }) {
      if series.last?.currency != row.currency { series.append(Series(currency: row.currency)) }
      series[series.count - 1].days.append(row.day)
      series[series.count - 1].units.append(row.units)
    }
  }

  /// The rates of a currency; nil if no row has it.
  func series(of currency: CurrencyCode) -> Series? {
    let index = series.firstIndex { $0.currency.number >= currency.number }
    return index.flatMap { series[$0].currency == currency ? series[$0] : nil }
  }

  /// The rate of a currency on the day of a time; NaN on a day without one or without a time, and nil if no row has the
  /// currency.
  func units(of currency: CurrencyCode, at time: Instant?) -> Double? {
    guard let series = series(of: currency) else { return nil }
    guard let day = time?.utcDay else { return .nan }
    let index = series.index(of: day)
    return index < series.days.count && series.days[index] == day ? series.units[index] : .nan
  }

  /// The days around a time that have no rate of a currency; nil if its day has one, or if no row has the currency.
  func gap(of currency: CurrencyCode, at time: Instant) -> RateGap? {
    guard let series = series(of: currency) else { return nil }
    let (day, index) = (time.utcDay, series.index(of: time.utcDay))
    if index == series.days.count { return RateGap(first: series.days.last.map { $0 + 1 }, last: nil) }
    if series.days[index] == day { return nil }
    return RateGap(first: index == 0 ? nil : series.days[index - 1] + 1, last: series.days[index] - 1)
  }
}

extension DailyRates.Series {
  /// The index of the first day that is not before a day.
  fileprivate func index(of day: Int) -> Int {
    var range = 0..<days.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = days[middle] < day ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}

/// Successive UTC days without a rate of a currency, between days that have one.
package struct RateGap: Sendable, Hashable, Comparable {
  /// Days since 1970; nil for all days before the first rate.
  fileprivate let first: Int?
  /// Days since 1970; nil for all days after the last rate.
  fileprivate let last: Int?

  /// The days in words: `on 2026-05-02`.
  package var text: String {
    switch (first, last) {
    case (let first?, let last?) where first == last: "on \(Instant.date(of: first))"
    case (let first?, let last?): "from \(Instant.date(of: first)) to \(Instant.date(of: last))"
    case (nil, let last?): "before \(Instant.date(of: last + 1))"
    case (let first?, nil): "after \(Instant.date(of: first - 1))"
    case (nil, nil): ""
    }
  }

  package static func < (left: RateGap, right: RateGap) -> Bool { left.first ?? .min < right.first ?? .min }
}

extension Instant {
  /// The UTC day, in days since 1970.
  package var utcDay: Int {
    let (day, rest) = microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
    return Int(rest < 0 ? day - 1 : day)
  }

  /// The beginning of a UTC day.
  ///
  /// - Parameter day: in days since 1970.
  package init(utcDay day: Int) { self.init(microseconds: Int64(day) * 86_400_000_000) }

  /// The date of a UTC day, such as `2026-05-01`.
  package static func date(of day: Int) -> String { String(Instant(utcDay: day).description.prefix(10)) }
}

/// A row of a table of rates.
private struct DailyRate {
  private struct Key: Hashable {
    var day: Int
    var currency: CurrencyCode
  }

  static let columns = ["date", "currency", "rate"]

  /// In days since 1970.
  let day: Int
  let currency: CurrencyCode
  let units: Double

  /// Reads a row.
  ///
  /// - Parameter notes: receives every problem of the row.
  /// - Returns: nil if there is a problem.
  init?(_ row: CSVTable<Never>.Row, _ notes: inout [SourceNote]) {
    let (date, code, rate) = (row.text("date") ?? "", row.text("currency") ?? "", row.text("rate") ?? "")
    // Only in this form a day has ten characters.
    let start = date.utf8.count == 10 ? Instant(iso8601: "\(date)T00:00:00Z") : nil
    if start == nil {
      let hint = date.contains { "./".contains($0) } ? "; a spreadsheet may have changed it" : ""
      notes.append(row.note("date must be a day of UTC such as 2026-05-01\(hint)", about: "date"))
    }
    let currency = CurrencyCode(code)
    if currency == nil {
      notes.append(row.note("currency must be three capital letters, such as EUR", about: "currency"))
    }
    let units = rate.utf8.allSatisfy(Self.isOfNumber) ? Double(rate) : nil
    if !(units.map { $0 > 0 && $0.isFinite } ?? false) {
      let hint = rate.contains(",") ? "; the decimal separator is a point" : ""
      notes.append(row.note("rate must be a number above 0, such as 0.92\(hint)", about: "rate"))
    }
    guard let start, let currency, let units, units > 0, units.isFinite else { return nil }
    (day, self.currency, self.units) = (start.utcDay, currency, units)
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    byte.isASCIIDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte | 0x20 == UInt8(ascii: "e")
  }

  /// Reads all rows of a table.
  static func rows(_ bytes: [UInt8]) throws(SourceNotes) -> [DailyRate] {
    var table = CSVTable(CSVReader(bytes), columns: columns, required: columns)
    var rows: [DailyRate] = []
    var lines: [Key: Int] = [:]
    while let row = table.next() {
      var notes: [SourceNote] = []
      if let rate = DailyRate(row, &notes) {
        let line = lines.updateValue(row.record.line, forKey: Key(day: rate.day, currency: rate.currency))
        if let line {
          notes.append(
            row.note("line \(line) has a rate of \(rate.currency.name) for this day already: keep one", about: "date"))
        }
        rows.append(rate)
      }
      for note in notes { table.complain(note) }
    }
    if rows.isEmpty, table.notes.isEmpty {
      table.complain(
        SourceNote(location: TextLocation(of: 0..<0, in: bytes), message: "there is no row under the header"))
    }
    if !table.notes.isEmpty { throw SourceNotes(table.notes, more: table.furtherNotes) }
    return rows
  }
}

extension ExchangeRates {
  /// Whether a file holds a table of rates by day, and not an object: its name ends in `.csv`, or its first line has
  /// separated columns and does not begin like an object, an array or a number.
  package static func isTable(_ bytes: [UInt8], file: String) -> Bool {
    if file.hasSuffix(".csv") { return true }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let line = text.drop { $0.isLineSpace || $0 == 0x0A }.prefix { $0 != 0x0A }
    guard let first = line.first, first == UInt8(ascii: "\"") || (0x61...0x7A).contains(first | 0x20) else {
      return false
    }
    return line.contains { [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].contains($0) }
  }

  /// Reads a table of rates by UTC day, with the columns `date`, `currency` and `rate` in any order.
  ///
  /// - Throws: every problem with its location.
  package init(table bytes: [UInt8]) throws(SourceNotes) { self.init(DailyRates(try DailyRate.rows(bytes))) }
}
