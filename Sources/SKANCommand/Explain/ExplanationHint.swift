/// Below the findings of a run, once: how to read more about the first of them.
enum ExplanationHint {
  static func line(_ code: String) -> StyledText { "Try 'skan explain \(code)'." }
}
