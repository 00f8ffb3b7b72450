import SKANBase
import SKANDevice
import SKANModel

/// What campaigns cost: a CSV table with a row for each network, campaign and day.
package struct SpendTable: Sendable, Equatable {
  package static let columns = ["network", "campaign", "day", "cost", "currency"]

  package struct Row: Sendable, Equatable {
    /// The ad network id, in lower case.
    package var network: String
    /// The campaign's id or name of the campaign map, or its identifier in postbacks.
    package var campaign: String
    /// Days since 1970 (UTC).
    package var day: Int
    /// In millionths of the currency of the worths.
    package var cost: Int
  }

  package private(set) var rows: [Row] = []

  /// Reads a table.
  ///
  /// - Parameter currency: the currency into which costs are converted by the rates of their days.
  /// - Throws: all problems of the file.
  package init(_ bytes: [UInt8], in currency: CurrencyCode, _ rates: ExchangeRates) throws(SourceNotes) {
    var table = CSVTable(CSVReader(bytes), columns: Self.columns, required: Self.columns)
    while let row = table.next() {
      var notes: [SourceNote] = []
      func text(_ column: String) -> String {
        if let text = row.text(column) { return text }
        notes.append(row.note("\(column) is empty", about: column))
        return ""
      }
      let (network, campaign) = (text("network").lowercased(), text("campaign"))
      let (day, cost, code) = (text("day"), text("cost"), text("currency"))
      let midnight = day.utf8.count == 10 ? Instant(iso8601: "\(day)T00:00:00Z") : nil
      if midnight == nil, !day.isEmpty {
        notes.append(row.note("day must be a date such as 2026-05-01", about: "day"))
      }
      let amount = Double(cost).flatMap { (0...1e9).contains($0) ? $0 : nil }
      if amount == nil, !cost.isEmpty {
        notes.append(
          row.note("cost must be an amount from 0 to 1000000000 with a decimal point, such as 12.50", about: "cost"))
      }
      let own = CurrencyCode(code)
      if own == nil, !code.isEmpty {
        notes.append(row.note("currency must be three capital letters such as USD", about: "currency"))
      }
      if notes.isEmpty, let midnight, let amount, let own {
        if let converted = rates.converted(amount, from: own, to: currency, at: midnight) {
          rows.append(
            Row(
              network: network, campaign: campaign, day: Int(midnight.wholeSeconds / 86_400),
              cost: Int((min(converted, 1e12) * 1_000_000).rounded())))
        } else {
          let missing = rates.missing(from: own, to: currency, at: midnight)
          notes.append(
            row.note(
              "there is no rate of \(missing), and the worths are in \(currency.name): --rates", about: "currency"))
        }
      }
      for note in notes { table.complain(note) }
    }
    if rows.isEmpty, table.notes.isEmpty {
      table.complain(
        SourceNote(location: TextLocation(of: 0..<0, in: bytes), message: "there is no row under the header"))
    }
    if !table.notes.isEmpty { throw SourceNotes(table.notes, more: table.furtherNotes) }
  }
}
