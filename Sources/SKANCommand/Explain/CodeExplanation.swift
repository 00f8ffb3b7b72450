/// What `skan explain` prints of one code: the parts are the same for every kind.
struct CodeExplanation: Sendable, Equatable {
  /// What the phone does, or, of a code that no phone gives, what happened. Its first sentence stands in the list of all.
  let phone: String
  /// What in the app, the endpoint or the command line brings it about.
  let cause: String
  /// The lines of the guide that decide it; nil where none does.
  let code: GuideCode?
  /// A line of the shell, beside `fixtures`, that prints the code; nil where nothing can bring it about.
  let command: String?
  let remedy: String
  /// Articles of the behaviour reference.
  let articles: [String]
  /// Other documents.
  let documents: [String]

  init(
    phone: String, cause: String, code: GuideCode? = nil, command: String?, remedy: String, articles: [String],
    documents: [String] = []
  ) {
    self.phone = phone
    self.cause = cause
    self.code = code
    self.command = command
    self.remedy = remedy
    self.articles = articles
    self.documents = documents
  }

  /// The line of the shell that prints the code.
  ///
  /// - Parameter folder: the fixtures of an installation; nil names them as they stand in a clone.
  func command(fixtures folder: String?) -> String? {
    guard let folder else { return command }
    return command?.replacing(" fixtures/", with: " \(folder.shellWord)/")
  }

  /// The first sentence.
  var summary: String { phone.firstRange(of: ". ").map { "\(phone[..<$0.lowerBound])." } ?? phone }

  /// What it rests on, the guide among them where its code is quoted.
  var sources: [String] {
    articles.map { "behaviour reference, article \($0)" } + (code.map { [$0.guide.title] } ?? []) + documents
  }
}
