import SKANBase

/// A file or a directory in a directory.
package struct DirectoryEntry: Sendable, Equatable {
  /// What is not UTF-8 in it is escaped.
  package let name: String
  /// A link to a directory does not count: a walk that follows it might never end.
  package let isDirectory: Bool
  /// Whether ``name`` is the name itself, by which the entry is found again.
  package let isNamed: Bool

  package init(name: String, isDirectory: Bool) {
    self.name = name
    self.isDirectory = isDirectory
    isNamed = true
  }

  /// - Parameter name: its bytes.
  package init(name: [UInt8], isDirectory: Bool) {
    let text = String(validating: name, as: UTF8.self)
    self.name = text ?? String(escaping: name)
    self.isDirectory = isDirectory
    isNamed = text != nil
  }

  /// Throws where the entry cannot be named, and so not be opened.
  package func requireName() throws(SourceFailure) {
    if !isNamed { throw .notUTF8 }
  }
}

extension SourceFailure {
  /// Of a file whose name is not UTF-8.
  package static let notUTF8 = SourceFailure.unreadable("its name is not UTF-8, as every name must be; rename it")
}
