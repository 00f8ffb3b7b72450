/// Command lines that show a code.
enum Reproduction {
  /// A list of the steps, without a file.
  ///
  /// - Parameter showsNotes: notes are printed with `-v` only.
  static func list(_ steps: String..., showsNotes: Bool = false) -> String {
    replay(steps, options: showsNotes ? "-v " : "")
  }

  /// The same with results as JSON.
  static func json(_ steps: String...) -> String { replay(steps, options: "--json ") }

  /// - Parameter options: with a space behind each.
  static func replay(_ steps: [String], options: String) -> String {
    "printf '%s\\n' \(steps.map { "'\($0)'" }.joined(separator: " ")) | skan replay \(options)-"
  }

  /// A list under `fixtures`.
  static func fixture(_ name: String, showsNotes: Bool = false) -> String {
    "skan replay \(showsNotes ? "-v " : "")fixtures/\(name).jsonl"
  }
}
