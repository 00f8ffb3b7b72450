import SKANBase
import SKANDevice
import SKANSigning

/// A map from the networks' identifiers to campaigns; see the article "Postbacks".
package struct CampaignMap: Sendable {
  /// The file's name, as given.
  private let file: String
  /// The rows of each network, in file order.
  private let rows: [String: [CampaignRow]]

  package init(_ rows: [CampaignRow], file: String) {
    self.file = file
    self.rows = Dictionary(grouping: rows, by: \.network)
  }

  /// The result of looking up a postback.
  package enum Result: Sendable, Equatable {
    case match(CampaignMatch)
    /// There is no matching row, or rows of several campaigns match.
    case finding(PostbackFinding.Code, message: String)
  }

  /// The campaign of a postback.
  ///
  /// Of the rows whose identifier is a suffix of the postback's, only the longest count, because they name a part of
  /// the others' campaign. All rows with more digits than the postback count.
  ///
  /// - Parameters:
  ///   - receivedAt: when the postback was received. The rows are those valid at the install, whose time is estimated
  ///     from this.
  ///   - isDevelopment: whether the postback is from a development impression, whose windows are minutes.
  /// - Returns: nil for a document that is not an SKAdNetwork postback.
  package func campaign(of document: PostbackDocument, receivedAt: Instant, isDevelopment: Bool) -> Result? {
    guard let facts = PostbackFacts(document) else { return nil }
    guard let wanted = CampaignIdentifier(facts) else {
      return .finding(.campaignUnknown, message: "It has no identifier that \(file) could name.")
    }
    let age = PostbackAge(
      facts.timing, ReceivedValue(facts).window, clock: isDevelopment ? .developer : .production)
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
    var match = CampaignMatch(
      id: id, name: Self.common(fitting.map(\.campaign.name)), country: Self.common(fitting.map(\.campaign.country)))
    match.contradiction = facts.country.flatMap { contradiction(of: $0, fitting) }
    return .match(match)
  }

  /// Why the country that a postback states is not that of its campaign; nil if it may be.
  ///
  /// A row without a country, or with anything but a code of two letters, contradicts nothing.
  private func contradiction(of country: String, _ rows: [CampaignRow]) -> String? {
    let codes = rows.map { $0.campaign.country.flatMap(Self.code) }
    guard let stated = Self.code(country), codes.allSatisfy({ $0 != nil && $0 != stated }), let first = rows.first
    else {
      return nil
    }
    let names = Set(codes.compactMap(\.self)).sorted { $0.literallyPrecedes($1) }.listed("or")
    let lines = rows.prefix(5).map { String($0.line) }.joined(separator: ", ") + (rows.count > 5 ? ", …" : "")
    return "\"country-code\" is \"\(country)\", and \(file) has \(names) for campaign \(first.campaign.id) "
      + "(line\(rows.count == 1 ? "" : "s") \(lines))."
  }

  /// A country in capitals; nil for a text that is not a code of two letters.
  private static func code(_ text: String) -> String? {
    let code = text.uppercased()
    return code.utf8.count == 2 && code.utf8.allSatisfy(\.isASCIICapital) ? code : nil
  }

  private static func closest(_ rows: [CampaignRow], _ wanted: CampaignIdentifier) -> [CampaignRow] {
    guard case .sourceIdentifier(let digits) = wanted.kind else { return rows }
    let most = rows.map(\.identifier.count).filter { $0 <= digits.count }.max() ?? 0
    return rows.filter { $0.identifier.count >= most }
  }

  /// The common value; nil when the values differ.
  private static func common(_ values: [String?]) -> String? {
    guard let first = values.first, values.allSatisfy({ $0 == first }) else { return nil }
    return first
  }
}

/// A row of the campaign map: the campaign of a network's identifier, for a limited or unlimited time.
package struct CampaignRow: Sendable, Equatable {
  /// The ad network id, in lower case.
  package var network: String
  /// A campaign id of versions up to 3, or the last digits of a source identifier of version 4.
  package var identifier: String
  /// The start of its validity; nil for no start.
  package var from: Instant?
  /// The end of its validity, exclusive; nil for no end.
  package var until: Instant?
  package var campaign: CampaignMatch
  /// The line number in the file.
  package var line: Int

  func isValid(at time: Instant) -> Bool {
    from.map { $0 <= time } ?? true && until.map { time < $0 } ?? true
  }

  /// Whether the row is for this identifier.
  func fits(_ wanted: CampaignIdentifier) -> Bool {
    guard network == wanted.network else { return false }
    return switch wanted.kind {
    case .campaignID(let number): Int64(identifier) == number
    case .sourceIdentifier(let digits):
      identifier.count > 1 && (digits.hasSuffix(identifier) || identifier.hasSuffix(digits))
    }
  }
}

/// The identifier by which a postback names its campaign.
struct CampaignIdentifier: Sendable {
  /// The ad network id, in lower case.
  let network: String
  let kind: Kind

  enum Kind: Sendable, Equatable {
    /// The campaign id of versions up to 3.
    case campaignID(Int64)
    /// The two to four digits of version 4; fewer digits are the last ones of a longer identifier.
    case sourceIdentifier(String)
  }

  /// - Returns: nil when the postback has no campaign identifier.
  init?(_ facts: PostbackFacts) {
    guard let network = facts.network else { return nil }
    if facts.timing.hasWindows {
      guard let digits = facts.campaign, (2...4).contains(digits.count),
        digits.utf8.allSatisfy(\.isASCIIDigit)
      else { return nil }
      kind = .sourceIdentifier(digits)
    } else {
      guard let number = facts.campaign.flatMap({ Int64($0) }) else { return nil }
      kind = .campaignID(number)
    }
    self.network = network.lowercased()
  }

  /// The name of the identifier within a sentence.
  var name: String {
    switch kind {
    case .campaignID(let number): "campaign id \(number) of \(network)"
    case .sourceIdentifier(let digits): "source identifier \(digits) of \(network)"
    }
  }
}

/// The campaign of a received postback, according to the campaign map.
package struct CampaignMatch: Sendable, Equatable, JSONItemReadable, JSONObjectWritable {
  /// The network's or the partner's id, as in the map.
  package var id: String
  package var name: String?
  /// Nil unless all matching rows agree.
  package var country: String?
  /// Why the country that the postback states is not that of the campaign; nil if it may be. A record has it among its
  /// findings.
  var contradiction: String?

  package init(id: String, name: String? = nil, country: String? = nil) {
    self.id = id
    self.name = name
    self.country = country
  }

  package static let fields = JSONFields<CampaignMatch> {
    JSONField(required: "id", at: \.id)
    JSONField("name", at: \.name)
    JSONField("country", at: \.country)
  }

  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    self.init(node, what: "a campaign", usual: CampaignMatch(id: ""), in: &outer)
  }
}

extension CampaignMap {
  package static let columns = ["network", "identifier", "from", "until", "campaign_id", "campaign_name", "country"]
  package static let requiredColumns = ["network", "identifier", "campaign_id"]

  /// Reads a map from CSV with a header.
  ///
  /// - Parameter file: the file's name, as given.
  /// - Throws: all problems of the file.
  package init(_ bytes: [UInt8], file: String) throws(SourceNotes) {
    var table = CSVTable(
      CSVReader(bytes), columns: Self.columns, required: Self.requiredColumns)
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

/// Parses the times of the map.
private enum TimeForm {
  /// A date alone means the start of the day.
  static func begin(_ text: String) -> Instant? { Instant(iso8601: text) ?? midnight(text) }

  /// A date alone means the end of the day.
  static func end(_ text: String) -> Instant? { Instant(iso8601: text) ?? midnight(text)?.later(by: .hours(24)) }

  private static func midnight(_ text: String) -> Instant? { Instant(iso8601: "\(text)T00:00:00Z") }

  /// A hint for date formats that spreadsheets produce.
  static func hint(_ text: String) -> String {
    text.contains { "./".contains($0) } ? "; a spreadsheet may have changed it" : ""
  }
}

extension CampaignMatch {
  /// The campaign, in one line.
  package var line: String {
    "campaign: \(id)\(name.map { " \($0)" } ?? "")\(country.map { ", \($0)" } ?? "")".oneLine
  }
}
