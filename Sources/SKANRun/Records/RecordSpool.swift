import SKANSystem
import Synchronization

/// Where the records of a run's steps are set aside, by all threads that run lists: so that a million of them take no
/// memory.
package final class RecordSpool: Sendable {
  /// Bytes that stay in memory.
  private static let limit = 1 << 20

  private let file: Mutex<SpoolFile>

  /// No file yet: a short run needs none.
  ///
  /// - Parameter directory: for the file; the system's for temporary files when it is nil.
  package init(directory: String? = nil) { file = Mutex(SpoolFile(limit: Self.limit, directory: directory)) }

  /// Adds bytes, and gives where they are.
  func append(_ bytes: [UInt8]) throws(FileError) -> Range<Int> {
    try file.withLock { (file) throws(FileError) in try file.append(bytes) }
  }

  /// The bytes that were added as one.
  func read(_ range: Range<Int>) throws(FileError) -> [UInt8] {
    try file.withLock { (file) throws(FileError) in try file.read(range) }
  }
}
