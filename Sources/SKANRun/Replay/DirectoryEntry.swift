/// A file or a directory in a directory.
package struct DirectoryEntry: Sendable, Equatable {
  package let name: String
  /// A link to a directory does not count: a walk that follows it might never end.
  package let isDirectory: Bool

  package init(name: String, isDirectory: Bool) {
    self.name = name
    self.isDirectory = isDirectory
  }
}
