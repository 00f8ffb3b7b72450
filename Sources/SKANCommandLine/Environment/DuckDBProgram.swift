import SKANRun

/// Runs DuckDB.
package struct DuckDBProgram: Sendable {
  /// Why DuckDB gave no result.
  package enum Failure: Error, Equatable {
    /// It is not on the `PATH`.
    case missing
    /// It could not be started, or this is what it wrote to its standard error.
    case failed(String)
    case interrupted
  }

  /// Runs statements to the end, and returns what they print as JSON.
  package var run: @Sendable (_ sql: String) throws(Failure) -> [UInt8]
  /// Starts statements, and returns what they write, as it arrives.
  package var stream: @Sendable (_ sql: String) throws(Failure) -> ByteSource
  /// The folder for data that does not fit in memory.
  package var temporaryFolder = "/tmp"

  /// The arguments of a run: without the user's settings, and without a database.
  static func arguments(_ sql: String) -> [String] { ["-init", "/dev/null", "-json", "-c", sql] }

  /// Where DuckDB is missing.
  static let none = DuckDBProgram(
    run: { _ throws(Failure) in throw .missing }, stream: { _ throws(Failure) in throw .missing })
}
