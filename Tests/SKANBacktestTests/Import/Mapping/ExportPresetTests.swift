import Foundation
import TestSupport
import Testing

@testable import SKANBacktest

/// The exports of `fixtures/exports`, in the shapes of their vendors, traps included.
@Suite struct ExportPresetTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let file: String
    let preset: ExportPreset
    var zone: String?
    let rows: [String]
    /// By the mapping's filters.
    var filtered: [Int] = []
    var devices: [Int] = []

    var testDescription: String { file }
  }

  private static let one = "6D8F2A3B-0001-4000-8000-000000000001"
  private static let cases = [
    Case(
      file: "appsflyer.csv", preset: .appsflyer, zone: "UTC",
      rows: [
        "\(one) | 2026-01-01T10:05:00Z | event | af_level_achieved | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:06:00Z | event | af_purchase | 9.99 EUR | installed 2026-01-01T10:00:00Z",
        "1767225600-2222 | 2026-01-01T11:00:30Z | event | af_ad_revenue | 0.0125 USD ad | installed 2026-01-01T11:00:00Z",
        "1767225600-2222 | 2026-01-01T11:10:00Z | event | af_purchase | 4.99 USD | installed 2026-01-01T11:00:00Z",
      ], filtered: [1, 1], devices: [2, 2]),
    Case(
      file: "appsflyer-locker.csv", preset: .appsflyerLocker, zone: "+02:00",
      rows: [
        "\(one) | 2026-01-01T08:05:00.123Z | event | login | installed 2026-01-01T08:00:00Z",
        "\(one) | 2026-01-01T08:06:00Z | event | af_purchase | 9.99 EUR | installed 2026-01-01T08:00:00Z",
        "1767225600-2222 | 2026-01-01T09:00:30Z | event | af_ad_view | 0.0125 USD ad | installed 2025-12-01T09:00:00Z",
      ], filtered: [1, 0], devices: [2, 1]),
    Case(
      file: "adjust.csv", preset: .adjust,
      rows: [
        "\(one) | 2026-01-01T10:00:00Z | install | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:01:00Z | session | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:01:40Z | event | level_up | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:03:20Z | event | purchase | 9.99 EUR | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:03:20Z | event | purchase | 9.99 EUR | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:05:00Z | revenue | 0.0125 USD ad | installed 2026-01-01T10:00:00Z",
        "a3 | 2026-01-01T10:10:00Z | session | installed 2025-12-30T13:06:40Z",
      ], filtered: [1, 1, 1], devices: [6, 1]),
    Case(
      file: "singular.csv", preset: .singular,
      rows: [
        "\(one) | 2026-01-01T10:00:00Z | install | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:00:01Z | session | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:06:00Z | event | __iap__ | 9.99 USD | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:07:00Z | revenue | 0.0125 USD ad | installed 2026-01-01T10:00:00Z",
        "u2 | 2026-01-01T10:08:00Z | event | tutorial_completed_on_the_very_first_day",
      ], devices: [4, 1]),
    Case(
      file: "branch.csv", preset: .branch,
      rows: [
        "\(one) | 2026-01-01T10:06:00Z | event | PURCHASE | 9.99 EUR | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:07:00.5Z | event | VIEW_AD | 0.0125 USD ad | installed 2026-01-01T10:00:00Z",
        "u2 | 2026-01-01T10:08:00Z | event | OPEN | installed 2025-10-01T10:00:00Z",
      ], filtered: [1], devices: [2, 1]),
    Case(
      file: "firebase.ndjson", preset: .firebase,
      rows: [
        "\(one) | 2026-01-01T10:00:00Z | install | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:00:01.123456Z | session | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:01:00Z | event | post_score | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:06:00Z | event | in_app_purchase | 9.99 EUR | installed 2026-01-01T10:00:00Z",
        "\(one) | 2026-01-01T10:07:00Z | event | ad_impression | 0.0125 USD ad | installed 2026-01-01T10:00:00Z",
        "p2 | 2026-01-01T10:08:00Z | event | screen \"café\" | installed 2025-10-01T10:00:00Z",
      ], filtered: [1], devices: [5, 1]),
    Case(
      file: "amplitude.ndjson", preset: .amplitude,
      rows: [
        "\(one)R | 2026-01-01T10:05:00.25Z | event | tutorial_done",
        "\(one)R | 2026-01-01T10:06:00Z | event | purchase | 9.99 EUR",
        "\(one)R | 2026-01-01T10:06:00Z | event | purchase | 9.99 EUR", "12 | 2026-01-01T10:07:00Z | event | login",
      ], filtered: [1], devices: [3, 0, 1]),
    Case(
      file: "mixpanel.ndjson", preset: .mixpanel,
      rows: [
        "\(one) | 2026-01-01T10:00:00Z | install", "\(one) | 2026-01-01T10:06:00Z | event | purchase | 9.99 GBP",
        "u2 | 2026-01-01T10:07:00Z | event | login",
      ], devices: [2, 1]),
    Case(
      file: "segment.csv", preset: .segment,
      rows: [
        "\(one) | 2026-01-01T10:00:00Z | install",
        "\(one) | 2026-01-01T10:06:00.5Z | event | order_completed | 9.99 EUR",
        "an2 | 2026-01-01T10:07:00Z | event | product_viewed",
      ], devices: [2, 1]),
    Case(
      file: "plain.tsv", preset: .plain,
      rows: [
        "d1 | 2026-01-01T10:00:00Z | install", "d1 | 2026-01-01T10:00:01Z | session",
        "d1 | 2026-01-01T10:06:00Z | event | purchase | 9.99 EUR",
        "d1 | 2026-01-01T10:07:00Z | revenue | 0.0125 USD ad",
        "d2 | 2026-01-01T10:08:00Z | event | login | installed 2026-01-01T10:00:00Z",
      ], devices: [5]),
  ]

  @Test(arguments: cases) func rows(example: Case) throws {
    let text = try String(contentsOf: Checkout.fixtures.appending(path: "exports/\(example.file)"), encoding: .utf8)
    for size in [1 << 20, 200] {
      let export = try ExportText(text, blockSize: size) {
        $0.timeZone = example.zone.flatMap { ExportTimeZone($0) } ?? $0.timeZone
        // Of what the export has no currency of.
        $0.currency = .init("GBP")
      }
      #expect(export.layout.flatMap { ExportPreset(columns: $0.columns) } == example.preset)
      #expect(export.rows == example.rows)
      #expect(export.tally.filtered == example.filtered)
      #expect(export.tally.devices == example.devices)
      #expect(export.tally.rejectedRows == 0)
      #expect(export.layout.map { example.preset.mapping.problems(with: $0) } == [])
    }
  }

  /// Each preset has a fixture.
  @Test func allPresets() { #expect(Set(Self.cases.map(\.preset)) == Set(ExportPreset.allCases)) }

  @Test func textWithoutZone() throws {
    let text = try String(contentsOf: Checkout.fixtures.appending(path: "exports/appsflyer.csv"), encoding: .utf8)
    let export = try ExportText(text)
    #expect(export.rows == [])
    #expect(export.tally.rejected[ImportRejection.timeZone.rawValue] == 4)
    #expect(export.tally.places.first?.value == "2026-01-01 10:05:00")
  }
}
