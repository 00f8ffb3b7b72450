/// All that is known of a code of results, checks, verdicts or exit codes, in the parts that `skan explain` prints.
///
/// Each kind of code has one exhaustive switch over its cases, beside its enumeration, with all that is known of each.
package struct CodeExplanation: Sendable, Equatable {
  /// What the phone does, or, of a code that no phone gives, what happened. Its first sentence stands in the list of all.
  package let phone: String
  /// What in the app, the endpoint or the command line brings it about.
  package let cause: String
  /// The lines of the guide that decide it; nil where none does.
  package let guide: GuideCode?
  /// A command that prints the code; nil where nothing can bring it about.
  package let example: Reproduction?
  package let remedy: String
  /// Articles of the behaviour reference.
  package let articles: [String]
  /// Other documents.
  package let documents: [String]

  package init(
    _ phone: String, cause: String, guide: GuideCode? = nil, example: Reproduction?, remedy: String,
    articles: [String] = [], documents: [String] = []
  ) {
    self.phone = phone
    self.cause = cause
    self.guide = guide
    self.example = example
    self.remedy = remedy
    self.articles = articles
    self.documents = documents
  }

  /// The first sentence.
  package var summary: String { phone.firstRange(of: ". ").map { "\(phone[..<$0.lowerBound])." } ?? phone }
}

/// A command that shows a code, in a folder beside `fixtures`.
package enum Reproduction: Sendable, Equatable {
  /// A line of the shell.
  case shell(String)
  /// A list of these steps, without a file; the options of `skan replay` have a space behind each.
  case replay([String], options: String)
  /// A list under `fixtures`; its notes are printed with `-v` only.
  case fixture(String, showsNotes: Bool = false)

  package static func list(_ steps: String...) -> Self { .replay(steps, options: "") }

  /// A replay of these steps that prints results as JSON.
  package static func json(_ steps: String...) -> Self { .replay(steps, options: "--json ") }

  /// The line of the shell.
  package var command: String {
    switch self {
    case .shell(let line): line
    case .replay(let steps, let options):
      "printf '%s\\n' \(steps.map { "'\($0)'" }.joined(separator: " ")) | skan replay \(options)-"
    case .fixture(let name, let showsNotes): "skan replay \(showsNotes ? "-v " : "")fixtures/\(name).jsonl"
    }
  }

  // Postbacks of the fixtures.
  package static let postbacks = "fixtures/postbacks"
  package static let applesPostback = "\(postbacks)/apple-4.0-fine.json"
  package static let simulatedPostback = "\(postbacks)/simulated-4.0-first.json"
  package static let simulatedKey = "--key \(postbacks)/simulated-public.pem"
}
