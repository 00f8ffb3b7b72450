import SKANRun

@testable import SKANBacktest

/// An export in memory, and what a mapping makes of it.
struct ExportText {
  var rows: [String] = []
  var tally = ImportTally()
  var layout: ExportLayout?

  /// - Parameters:
  ///   - mapping: of the preset that the columns are of, where it is nil.
  ///   - pieces: how many bytes a read gives at most.
  init(
    _ text: String, _ mapping: ExportMapping? = nil, blockSize: Int = 1 << 20, pieces: Int = 1 << 16,
    change: (inout ExportMapping) -> Void = { _ in }
  ) throws {
    let bytes = Array(text.utf8)
    var position = 0
    let source = ByteSource(isRegular: false) { buffer throws(SourceFailure) in
      let count = min(buffer.count, bytes.count - position, pieces)
      buffer.copyBytes(from: bytes[position..<position + count])
      position += count
      return count
    }
    guard case .rows(let blocks) = try ExportInput.open(source, file: "export", index: 0, blockSize: blockSize)
    else { return }
    layout = blocks.layout
    guard var mapping = mapping ?? ExportPreset(columns: blocks.layout.columns)?.mapping else { return }
    change(&mapping)
    let parser = ExportParser(mapping)
    while let block = try blocks.next() {
      tally += parser.parse(block) { rows.append(Self.text($0)) }
    }
  }

  /// Device, time, kind and what else the row has.
  private static func text(_ row: ExportedRow) -> String {
    var parts = [text(row.device), row.time.description, "\(row.kind)"]
    if row.name.count > 0 { parts.append(text(row.name)) }
    if let revenue = row.revenue {
      parts.append("\(revenue.amount) \(revenue.currency.name)\(revenue.isAdMonetization ? " ad" : "")")
    }
    if let installed = row.installed { parts.append("installed \(installed)") }
    if row.group.count > 0 { parts.append("of \(text(row.group))") }
    return parts.joined(separator: " | ")
  }

  private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
