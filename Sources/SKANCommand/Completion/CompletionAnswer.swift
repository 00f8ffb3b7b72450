/// What a shell may put in the place of a word.
struct CompletionAnswer: Equatable {
  /// A text for the word, and what it is.
  struct Candidate: Equatable {
    let text: String
    var help = ""
  }

  /// Files that fit, which the shell knows best how to complete.
  enum Files: Equatable {
    case directories
    /// With this ending, or any with none.
    case files(ending: String)
  }

  var candidates: [Candidate] = []
  var files: Files?

  static let none = CompletionAnswer()

  /// Candidates that begin as the word does.
  func matching(_ word: String) -> CompletionAnswer {
    CompletionAnswer(candidates: candidates.filter { $0.text.hasPrefix(word) }, files: files)
  }
}
