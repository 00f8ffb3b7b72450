import SKANBase

/// A file of lines NAME=VALUE; blank lines and those that begin with # are passed over.
struct PairsFile: Sendable {
  /// What a pair is, in the words of a message: "the variable".
  let what: String
  /// What a line must be.
  let form: String
  let isName: @Sendable (String) -> Bool

  /// - Throws: every line that is wrong, with its location.
  func read(_ bytes: [UInt8], of path: String) throws(CommandError) -> [String: String] {
    var values: [String: String] = [:]
    var notes: [SourceNote] = []
    for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      var text = String(decoding: line, as: UTF8.self)
      if text.hasSuffix("\r") { text.removeLast() }
      if text.allSatisfy({ $0 == " " || $0 == "\t" }) || text.hasPrefix("#") { continue }
      var message: String?
      if let (name, value) = pair(text) {
        if values.updateValue(value, forKey: name) != nil { message = "\(what) \(name) is given twice" }
      } else {
        message = "a line is \(form)"
      }
      if String(validating: line, as: UTF8.self) == nil { message = "not valid UTF-8" }
      if let message {
        var location = TextLocation(of: 0..<text.utf8.count, in: Array(text.utf8))
        location.line = number + 1
        notes.append(SourceNote(location: location, message: message))
      }
    }
    guard notes.isEmpty else { throw .content(file: path, notes) }
    return values
  }

  /// The name before the first = and what is behind it.
  func pair(_ text: String) -> (name: String, value: String)? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, isName(String(parts[0])) else { return nil }
    return (String(parts[0]), String(parts[1]))
  }
}
