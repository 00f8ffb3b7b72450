import SKANReceive
import SKANBase

extension CampaignMatch {
  /// In one line.
  var line: String {
    "campaign: \(id)\(name.map { " \($0)" } ?? "")\(country.map { ", \($0)" } ?? "")".oneLine
  }
}
