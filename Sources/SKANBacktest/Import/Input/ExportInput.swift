import SKANRun

/// What an input turns out to be when its beginning is read.
package enum ExportInput {
  /// Rows of an export.
  case rows(ExportBlocks)
  /// An event list of ours, from its beginning.
  case eventList(ByteSource)
  /// No bytes at all.
  case empty
}

/// Why an input cannot be read.
package enum ExportFailure: Error, Equatable {
  case source(SourceFailure)
  /// What is wrong with its content, and where.
  case content(line: Int, message: String)
}
