import SKANDevice
import SKANBase

/// What each postback data tier lets through, side by side.
enum PostbackTable {
  static func lines(_ device: Device, phone: String, at now: Instant) -> [StyledText] {
    let tiers = (0...3).map { device.postbacks(phone: phone, at: now, tier: $0) }
    return (tiers.first ?? []).indices.flatMap { index in [""] + table(tiers.map { $0[index] }) }
  }

  /// - Parameter postbacks: one postback as each tier gives it.
  private static func table(_ postbacks: [Postback]) -> [StyledText] {
    var rows: [[String]] = [["P\(postbacks[0].sequenceIndex)"] + postbacks.indices.map { "tier \($0)" }]
    rows.append(["state"] + postbacks.map(\.state.displayText))
    // What is the same in all is left to the postback itself.
    for field in [
      PostbackField.sourceIdentifier, .campaignID, .conversionValue, .coarseConversionValue, .sourceAppID,
      .sourceDomain,
    ] {
      let values = postbacks.map { $0.content?.value(of: field) }
      guard values.contains(where: { $0 != nil }) else { continue }
      rows.append([field.rawValue] + values.map { $0.map(displayText) ?? "-" })
    }
    return TextTable.styled(rows)
  }

  private static func displayText(_ value: JSON) -> String {
    if case .string(let text) = value { text } else { JSONWriter.text(value) }
  }
}
