import SKANBase
import SKANRun
import TestSupport
import Testing

@testable import SKANBacktest

@Suite("Columns that no preset has")
struct UnknownColumnsTests {
  /// The columns of which a preset needs one.
  private func needed(_ preset: ExportPreset) -> [String] { preset.fingerprint.last ?? [] }

  /// The other columns that a preset looks for.
  private func columns(_ preset: ExportPreset) -> [String] {
    (preset.fingerprint.flatMap(\.self) + preset.mapping.columns.map(\.name)).filter { !needed(preset).contains($0) }
  }

  @Test(
    "The nearest preset is the one whose columns are there, and it says what is missing",
    arguments: ExportPreset.allCases)
  func nearest(preset: ExportPreset) throws {
    let columns = columns(preset)
    #expect(ExportPreset(columns: columns) == nil)
    let nearest = try #require(UnknownColumns(columns).nearest)
    #expect(nearest.preset == preset)
    for name in needed(preset) { #expect(nearest.missing.contains("\"\(name)\""), "\(nearest.missing)") }
    // With one of them it is that preset.
    #expect(ExportPreset(columns: columns + [needed(preset)[0]]) == preset)
  }

  @Test(
    "A mapping that names columns of the export reads it",
    arguments: [
      (["idfv", "ts", "event", "usd"], "idfv ts event usd"),
      (
        ["Event Name", "USER_ID", "Event Date", "Total Amount", "Currency Code"],
        "USER_ID Event Date Event Name Total Amount"
      ),
      (["occurred_at", "install_id", "action", "price"], "install_id occurred_at action price"),
      (["who", "day", "what"], "? ? ?"), (["time", "device"], "device time ?"), (["a\"b", "when"], "? when ?"),
    ])
  func mapping(columns: [String], expected: String) throws {
    let text = UnknownColumns(columns).mapping
    let mapping = try ExportMapping(Array(text.utf8), file: "m.json")
    let found = [mapping.device, mapping.time, mapping.eventName, mapping.revenue.flatMap(\.amount)].flatMap { $0 }
    #expect(found.map(\.name).joined(separator: " ") == expected)
    let layout = ExportLayout(format: .delimited(separator: 0x2C), columns: columns, file: "x", fileIndex: 0)
    #expect(mapping.problems(with: layout).isEmpty == !expected.contains("?"))
    #expect(UnknownColumns(columns).message.hasSuffix(text))
  }
}
