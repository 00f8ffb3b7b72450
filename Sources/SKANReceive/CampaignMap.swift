import SKANBase
import SKANDevice
import SKANSigning

/// Which campaign an identifier of a network stands for; see the article "Postbacks".
package struct CampaignMap: Sendable {
  /// As it was named.
  private let file: String
  /// The rows of each network, in the order of the file.
  private let rows: [String: [CampaignRow]]

  package init(_ rows: [CampaignRow], file: String) {
    self.file = file
    self.rows = Dictionary(grouping: rows, by: \.network)
  }

  /// What the map says of a postback.
  package enum Result: Sendable, Equatable {
    case match(CampaignMatch)
    /// No row, or rows of several campaigns.
    case finding(PostbackFinding.Code, message: String)
  }

  /// The campaign of a postback.
  ///
  /// Of the rows whose digits end the postback's, the longest counts: it is about a part of the others' campaign. Rows
  /// with more digits than the postback count all.
  ///
  /// - Parameters:
  ///   - receivedAt: the rows are those of the day of the install, which is estimated from it.
  ///   - isDevelopment: whether it is of a development impression, whose windows are minutes.
  /// - Returns: nil for what is not a postback of SKAdNetwork.
  package func campaign(of document: PostbackDocument, receivedAt: Instant, isDevelopment: Bool) -> Result? {
    guard let postback = document.postback else { return nil }
    guard let wanted = CampaignIdentifier(postback) else {
      return .finding(.campaignUnknown, message: "It has no identifier that \(file) could name.")
    }
    let age = PostbackAge(
      postback.version, ReceivedValue(postback).window, clock: isDevelopment ? .developer : .production)
    let time = receivedAt.later(by: TimeSpan(microseconds: -age.middle.microseconds))
    let all = (rows[wanted.network] ?? []).filter { $0.fits(wanted) }
    let fitting = Self.closest(all.filter { $0.isValid(at: time) }, wanted)
    let campaigns = fitting.reduce(into: [String]()) { if !$0.contains($1.campaign.id) { $0.append($1.campaign.id) } }
    guard let id = campaigns.first else {
      let when = all.isEmpty ? "" : " at the time of its install, about \(time)"
      return .finding(.campaignUnknown, message: "\(file) has no row for \(wanted.name)\(when).")
    }
    if campaigns.count > 1 {
      let names = campaigns.prefix(5).joined(separator: ", ") + (campaigns.count > 5 ? ", …" : "")
      let lines = fitting.prefix(5).map { String($0.line) }.joined(separator: ", ") + (fitting.count > 5 ? ", …" : "")
      return .finding(
        .campaignAmbiguous,
        message:
          "\(file) has several campaigns (\(names)) for \(wanted.name) at the time of its install, about \(time): "
          + "lines \(lines).")
    }
    return .match(
      CampaignMatch(
        id: id, name: Self.common(fitting.map(\.campaign.name)), country: Self.common(fitting.map(\.campaign.country))))
  }

  private static func closest(_ rows: [CampaignRow], _ wanted: CampaignIdentifier) -> [CampaignRow] {
    guard case .sourceIdentifier(let digits) = wanted.kind else { return rows }
    let most = rows.map(\.identifier.count).filter { $0 <= digits.count }.max() ?? 0
    return rows.filter { $0.identifier.count >= most }
  }

  /// The one value of all; nil when they differ.
  private static func common(_ values: [String?]) -> String? {
    guard let first = values.first, values.allSatisfy({ $0 == first }) else { return nil }
    return first
  }
}

/// A row of the map of campaigns: what an identifier of a network stands for, perhaps for some time.
package struct CampaignRow: Sendable, Equatable {
  /// The ad network id, in small letters.
  package var network: String
  /// A campaign id of versions up to 3, or the last digits of a source identifier of version 4.
  package var identifier: String
  /// Nil = from the beginning.
  package var from: Instant?
  /// The first moment at which it is over; nil = it has no end.
  package var until: Instant?
  package var campaign: CampaignMatch
  /// Where it stands in its file.
  package var line: Int

  func isValid(at time: Instant) -> Bool {
    from.map { $0 <= time } ?? true && until.map { time < $0 } ?? true
  }

  /// Whether it is for an identifier of the network.
  func fits(_ wanted: CampaignIdentifier) -> Bool {
    guard network == wanted.network else { return false }
    return switch wanted.kind {
    case .campaignID(let number): Int64(identifier) == number
    case .sourceIdentifier(let digits):
      identifier.count > 1 && (digits.hasSuffix(identifier) || identifier.hasSuffix(digits))
    }
  }
}

/// By what a postback names its campaign.
struct CampaignIdentifier: Sendable {
  /// The ad network id, in small letters.
  let network: String
  let kind: Kind

  enum Kind: Sendable, Equatable {
    /// Of versions up to 3.
    case campaignID(Int64)
    /// Of version 4, two to four digits: of a longer one the last.
    case sourceIdentifier(String)
  }

  /// - Returns: nil when the postback names none.
  init?(_ postback: ReceivedPostback) {
    guard let network = postback.text(of: .adNetworkID) else { return nil }
    if postback.version.hasWindows {
      guard let digits = postback.text(of: .sourceIdentifier), (2...4).contains(digits.count),
        digits.utf8.allSatisfy(\.isASCIIDigit)
      else { return nil }
      kind = .sourceIdentifier(digits)
    } else {
      guard let number = postback.text(of: .campaignID).flatMap({ Int64($0) }) else { return nil }
      kind = .campaignID(number)
    }
    self.network = network.lowercased()
  }

  /// To stand in a sentence.
  var name: String {
    switch kind {
    case .campaignID(let number): "campaign id \(number) of \(network)"
    case .sourceIdentifier(let digits): "source identifier \(digits) of \(network)"
    }
  }
}

/// The campaign that a received postback is of, by the map of campaigns.
package struct CampaignMatch: Sendable, Equatable, JSONObjectWritable {
  /// The network's or the partner's, whatever the map has.
  package var id: String
  package var name: String?
  /// Nil unless all rows that fit agree.
  package var country: String?

  package init(id: String, name: String? = nil, country: String? = nil) {
    self.id = id
    self.name = name
    self.country = country
  }

  package static let fields = JSONFields<CampaignMatch> {
    JSONField("id") { $0.id }
    JSONField("name") { $0.name }
    JSONField("country") { $0.country }
  }

  package static let keys = JSONKeys(fields.names)

  /// Reads what ``fields`` wrote; nil, with its problems in `outer`, when it is something else.
  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "a campaign", known: Self.keys)
    let id = reader.require("id", reader.string("id"))
    name = reader.isNull("name") ? nil : reader.string("name")
    country = reader.isNull("country") ? nil : reader.string("country")
    outer.add(reader.problems)
    guard let id else { return nil }
    self.id = id
  }
}

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
