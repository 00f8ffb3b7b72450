import SKANBase

/// The pairs that an option gives one by one, and its file of more.
package struct GivenPairs: Sendable {
  package var pairs: [(name: String, value: String)] = []
  package var file: String?

  package init() {}

  package var isEmpty: Bool { pairs.isEmpty && file == nil }
}

extension Option<GivenPairs> {
  /// An option that takes pairs, each name once, and `@FILE` with one pair a line, once.
  package convenience init(_ name: String, _ placeholder: String, _ form: PairsFile, _ help: String) {
    self.init(
      name, "\(placeholder)|@FILE", .pair, file: FileUse(kind: .input) { $0.fileOfPairs }, folding: GivenPairs(),
      help + "; @FILE has one per line (repeatable)", isOncePerName: true
    ) { (given, text) throws(CommandError) in
      if let file = text.fileOfPairs {
        if file.isEmpty { throw text.refused("@ needs a file: @FILE") }
        if given.file != nil { throw text.refused("takes one file") }
        given.file = file
      } else if let pair = form.pair(text.text), form.takesEmpty || !pair.value.isEmpty {
        given.pairs.append(pair)
      } else {
        throw text.mustBe(form.form)
      }
    }
  }
}

extension GivenText {
  /// The path of `@FILE`; nil for any other text.
  fileprivate var fileOfPairs: String? { text.hasPrefix("@") ? path(String(text.dropFirst())) : nil }
}

/// A file of lines NAME=VALUE. Blank lines and lines that begin with # are ignored.
package struct PairsFile: Sendable {
  /// The noun for a pair in messages, such as "the variable".
  let what: String
  /// The required form of a line.
  let form: String
  /// Whether an option, unlike a line, takes a pair without a value.
  let takesEmpty: Bool
  let isName: @Sendable (String) -> Bool

  package init(what: String, form: String, takesEmpty: Bool, isName: @escaping @Sendable (String) -> Bool) {
    (self.what, self.form, self.takesEmpty, self.isName) = (what, form, takesEmpty, isName)
  }

  /// Aliases that map the events of a model to the app's.
  package static let eventAliases = PairsFile(
    what: "the event", form: "FROM=TO, such as session_start=__SESSION__", takesEmpty: false, isName: { !$0.isEmpty })

  /// - Throws: an error for every invalid line, with its location.
  package func read(_ bytes: [UInt8], of path: String) throws(CommandError) -> [String: String] {
    var values: [String: String] = [:]
    var notes: [SourceNote] = []
    let lines = bytes.withoutByteOrderMark.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
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

  /// The name before the first = and the value behind it; nil if the line has no such form.
  func pair(_ text: String) -> (name: String, value: String)? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, isName(String(parts[0])) else { return nil }
    return (String(parts[0]), String(parts[1]))
  }
}
