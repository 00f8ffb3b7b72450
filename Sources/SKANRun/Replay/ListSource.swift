/// An event list that was opened once to see what it is.
package struct ListSource: Sendable {
  /// As it was given, or found.
  package let name: String
  /// Whether it can be read twice.
  package let isRegular: Bool
  /// Its bytes, where that is known.
  package let size: Int?
  /// A pipe, which is opened once: its writer may be gone before it could be opened again.
  private let pipe: Pipe?

  private final class Pipe: @unchecked Sendable {
    /// Read by the one thread that runs the list.
    let source: ByteSource
    init(_ source: ByteSource) { self.source = source }
  }

  /// - Parameter open: opens the list, and waits for the writer of a pipe.
  package init(_ name: String, open: (String) throws(SourceFailure) -> ByteSource) throws(SourceFailure) {
    let source = try open(name)
    self.name = name
    isRegular = source.isRegular
    size = source.size
    pipe = source.isRegular ? nil : Pipe(source)
  }

  /// The list from its beginning.
  package func open(
    by open: (String) throws(SourceFailure) -> ByteSource
  ) throws(SourceFailure) -> ByteSource {
    if let pipe { pipe.source } else { try open(name) }
  }
}
