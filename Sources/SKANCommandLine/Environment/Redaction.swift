import SKANBase
import SKANSystem

/// The SDK keys that a command knows, so that all that it prints, reports, journals or records is without them.
///
/// ``Environment`` and ``FileAccess`` apply it by default. A call that writes a text unchanged states why.
package final class Redaction: Sendable {
  private struct State {
    var keys: [String]
    package var redactor: Redactor
  }

  private let state: Monitor<State>

  package init(key: String? = nil) {
    state = Monitor(State(keys: key.map { [$0] } ?? [], redactor: Redactor(key: key)))
  }

  /// Removes the keys known so far.
  var redactor: Redactor { state.withLock { $0.redactor } }

  /// Adds a key, such as one that was read from a file.
  package func add(_ key: String) {
    state.withLock { state in
      if state.keys.contains(key) { return }
      state.keys.append(key)
      state.redactor = Redactor(keys: state.keys)
    }
  }
}

extension FileAccess {
  /// These operations, changed so that they write nothing with a key in it. JSON in a file keeps its numbers.
  ///
  /// Two are unchanged. ``appendDurably``: its caller counts the bytes, so it redacts each line itself. ``replace``: a
  /// device file holds what the phone sends, in which a key that is an ordinary word must stay; ``DeviceStore`` redacts
  /// the history.
  package func redacting(_ redaction: Redaction) -> FileAccess {
    var files = self
    @Sendable func redacted(_ bytes: [UInt8]) -> [UInt8] {
      redaction.redactor.redacted(document: bytes, keepsNumbers: true)
    }
    files.publish = { [publish] (path, bytes) throws(CommandError) in try publish(path, redacted(bytes)) }
    files.publishPieces = { [publishPieces] (path, content) throws(CommandError) in
      try publishPieces(path) { (write) throws(FileError) in
        try withoutActuallyEscaping(write) { (write) throws(FileError) in
          try content { (bytes) throws(FileError) in try write(redacted(bytes)) }
        }
      }
    }
    files.append = { [append] (path, report) throws(CommandError) in
      let write = try append(path, report)
      return { write(redacted($0)) }
    }
    return files
  }
}
