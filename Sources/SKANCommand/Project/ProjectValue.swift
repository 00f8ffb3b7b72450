import SKANBase

/// What a project file gives for an option, and where it stands.
struct ProjectValue: Sendable, Equatable {
  /// The key as it stands in the file.
  let key: String
  let json: JSON
  let file: String
  /// Of the value.
  let location: TextLocation

  /// Why a value cannot be one of an option.
  struct Mismatch: Error { let expected: String }

  /// The texts as the command line would give them; none for a flag that is off.
  func texts(for option: OptionRow) throws(Mismatch) -> [String] {
    if option.placeholder == nil {
      guard case .bool(let isOn) = json else { throw Mismatch(expected: "true or false") }
      return isOn ? [""] : []
    }
    if case .array(let items) = json, option.isRepeatable {
      var texts: [String] = []
      for item in items { texts.append(try text(of: item, for: option)) }
      return texts
    }
    return [try text(of: json, for: option)]
  }

  private func text(of value: JSON, for option: OptionRow) throws(Mismatch) -> String {
    switch value {
    case .string(let text): return text
    case .integer, .unsigned, .double: return JSONWriter.text(value)
    case .object where option.kind == .json: return JSONWriter.text(value)
    default: throw Mismatch(expected: option.isRepeatable ? "a text, or a list of texts" : "one text or number")
    }
  }

  /// A path that stands in the file: a relative one begins at the file's folder.
  func path(_ path: String) -> String {
    path.isEmpty || path == "-" || path.hasPrefix("/") ? path : ProjectFile.folder(of: file) + path
  }

  /// What is wrong with the value.
  func problem(_ message: String) -> CommandError {
    .content(file: file, [SourceNote(location: location, message: message)])
  }

  /// `skan.json:3:17`.
  var place: String { "\(file.oneLine):\(location.line):\(location.column)" }
}
