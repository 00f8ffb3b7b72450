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
