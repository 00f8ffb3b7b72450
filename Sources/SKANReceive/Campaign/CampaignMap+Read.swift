import SKANDevice
import SKANBase

extension CampaignMap {
  private static let columns = ["network", "identifier", "from", "until", "campaign_id", "campaign_name", "country"]

  /// Reads a map: CSV with a header.
  ///
  /// - Parameter file: as it was named.
  /// - Throws: everything that is wrong with it.
  package init(_ bytes: [UInt8], file: String) throws(SourceNotes) {
    var table = CSVTable(
      CSVReader(bytes), columns: Self.columns, required: ["network", "identifier", "campaign_id"])
    var rows: [CampaignRow] = []
    while let row = table.next() {
      let (read, notes) = Self.read(row)
      for note in notes { table.complain(note) }
      if let read { rows.append(read) }
    }
    if rows.isEmpty, table.notes.isEmpty {
      table.complain(
        SourceNote(location: TextLocation(of: 0..<0, in: bytes), message: "there is no row under the header"))
    }
    if !table.notes.isEmpty { throw SourceNotes(table.notes, more: table.furtherNotes) }
    self.init(rows, file: file)
  }

  private static func read(_ row: CSVTable<Never>.Row) -> (CampaignRow?, [SourceNote]) {
    var notes: [SourceNote] = []
    func required(_ column: String) -> String? {
      if row.text(column) == nil { notes.append(row.note("\(column) is empty", about: column)) }
      return row.text(column)
    }
    func time(_ column: String, _ read: (String) -> Instant?) -> Instant? {
      guard let text = row.text(column) else { return nil }
      if let time = read(text) { return time }
      notes.append(
        row.note(
          "\(column) must be a date of UTC (2026-05-01) or an instant (2026-05-01T09:00:00Z)\(TimeForm.hint(text))",
          about: column))
      return nil
    }
    let network = required("network")
    let identifier = required("identifier")
    if let identifier, !(1...4).contains(identifier.count) || !identifier.utf8.allSatisfy(\.isASCIIDigit) {
      notes.append(
        row.note(
          "identifier must be a campaign id from 1 to 100, or two to four digits of a source identifier",
          about: "identifier"))
    }
    let campaign = required("campaign_id")
    let from = time("from", TimeForm.begin)
    let until = time("until", TimeForm.end)
    if let from, let until, until <= from {
      notes.append(row.note("until is not after from: the row is never valid", about: "until"))
    }
    guard notes.isEmpty, let network, let identifier, let campaign else { return (nil, notes) }
    return (
      CampaignRow(
        network: network.lowercased(), identifier: identifier, from: from, until: until,
        campaign: CampaignMatch(id: campaign, name: row.text("campaign_name"), country: row.text("country")),
        line: row.record.line), []
    )
  }
}

/// How times of the map are written.
private enum TimeForm {
  /// A date begins at midnight.
  static func begin(_ text: String) -> Instant? { Instant(iso8601: text) ?? midnight(text) }

  /// A date ends with its day.
  static func end(_ text: String) -> Instant? { Instant(iso8601: text) ?? midnight(text)?.later(by: .hours(24)) }

  private static func midnight(_ text: String) -> Instant? { Instant(iso8601: "\(text)T00:00:00Z") }

  /// Of the forms that spreadsheets make of a date.
  static func hint(_ text: String) -> String {
    text.contains { "./".contains($0) } ? "; a spreadsheet may have changed it" : ""
  }
}
