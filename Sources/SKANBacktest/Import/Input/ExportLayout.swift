/// How a part of an export is written: its columns, and what is between them.
package final class ExportLayout: Sendable {
  package enum Format: Sendable, Equatable {
    /// One record a row; quoted fields may hold line ends.
    case delimited(separator: UInt8)
    /// One object a line.
    case jsonLines
  }

  package let format: Format
  /// Of JSON Lines what the first object has, `properties.time` for what is in another object.
  package let columns: [String]
  /// The header as it is written, without its line end; empty for JSON Lines.
  package let header: [UInt8]
  /// For messages.
  package let file: String
  /// Which of the inputs it is, from 0.
  package let fileIndex: Int

  package init(format: Format, columns: [String], header: [UInt8] = [], file: String, fileIndex: Int) {
    self.format = format
    self.columns = columns
    self.header = header
    self.file = file
    self.fileIndex = fileIndex
  }
}
