/// Below the findings of a run, once: how to read more about the first of them.
enum ExplanationHint {
  static func line(_ code: String) -> StyledText { "Try 'skan explain \(code)'." }

  /// The same; where another kind has the code, too, with its own kind in front.
  static func line(_ code: any ExplainedCode) -> StyledText {
    let isShared = CodeCatalog.all.contains { $0.code == code.code && $0.kind != code.kind }
    return line(isShared ? "\(code.kind.rawValue).\(code.code)" : code.code)
  }
}
