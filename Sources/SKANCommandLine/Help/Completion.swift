import SKANBase
import SKANRun

/// Completes an unfinished command line, using the tables of the parser.
package enum Completion {
  /// - Parameters:
  ///   - words: the words after the program's name. The last one is unfinished.
  ///   - values: the candidates for the value of an option.
  ///   - argument: the candidates for the argument at an index.
  package static func answer(
    to words: [String], of table: CommandTable, values: (OptionRow, CompletedLine) -> CompletionAnswer,
    argument: (Int, CompletedLine) -> CompletionAnswer
  ) -> CompletionAnswer {
    let line = CompletedLine(words, of: table)
    switch line.asked {
    case .nothing: return .none
    case .command(let first): return commands(first, of: table).matching(words.last ?? "")
    case .option(let name): return options(line).matching(name)
    case .value(let option, let beginning): return values(option, line).matching(beginning)
    case .argument(let index, let beginning): return argument(index, line).matching(beginning)
    }
  }

  /// The first words of commands, or the second words of those that begin with `first`.
  package static func commands(_ first: String?, of table: CommandTable) -> CompletionAnswer {
    if let first {
      return CompletionAnswer(
        candidates: table.commands(beginning: first).map {
          .init(text: String($0.name.dropFirst(first.count + 1)), help: $0.summary)
        })
    }
    var candidates: [CompletionAnswer.Candidate] = []
    for spec in table.commands {
      let word = String(spec.name.prefix { $0 != " " })
      if candidates.contains(where: { $0.text == word }) { continue }
      let group = table.commands(beginning: word).map { String($0.name.dropFirst(word.count + 1)) }
      candidates.append(.init(text: word, help: group.isEmpty ? spec.summary : group.joined(separator: ", ")))
    }
    for option in [OptionRow.help, .version] { candidates.append(.init(text: option.flag, help: option.help)) }
    return CompletionAnswer(candidates: candidates)
  }

  private static func options(_ line: CompletedLine) -> CompletionAnswer {
    let options = (line.spec?.options ?? []).filter { $0.isRepeatable || !line.given.contains($0.name) }
    return CompletionAnswer(candidates: options.map { .init(text: $0.flag, help: $0.help) })
  }
}

/// The possible completions of a word.
package struct CompletionAnswer: Equatable {
  /// A text that completes the word, and its description.
  package struct Candidate: Equatable {
    package let text: String
    package let help: String

    package init(text: String, help: String = "") { (self.text, self.help) = (text, help) }
  }

  /// The kind of files that fit. The shell completes them itself.
  package enum Files: Equatable {
    case directories
    /// Files with this extension, or any files if it is empty.
    case files(ending: String)
  }

  package var candidates: [Candidate]
  package var files: Files?

  package init(candidates: [Candidate] = [], files: Files? = nil) {
    (self.candidates, self.files) = (candidates, files)
  }

  package static let none = CompletionAnswer()

  /// The candidates that begin with a word.
  package func matching(_ word: String) -> CompletionAnswer {
    CompletionAnswer(candidates: candidates.filter { $0.text.hasPrefix(word) }, files: files)
  }
}

/// The parsed parts of an unfinished command line: the command, its options and arguments, and what its last word
/// completes.
package struct CompletedLine {
  /// The thing that the last word completes.
  enum Asked {
    case nothing
    /// A command's name. `first` is its first word, if it has two and that one is complete.
    case command(first: String?)
    case option(named: String)
    case value(OptionRow, beginning: String)
    /// The argument at this index.
    case argument(Int, beginning: String)
  }

  private(set) var asked = Asked.nothing
  package private(set) var spec: CommandSpec?
  package private(set) var arguments: [String] = []
  /// The names of the given options.
  private(set) var given: Set<String> = []

  /// - Parameter words: the words after the program's name. The last one is unfinished.
  init(_ words: [String], of table: CommandTable) {
    let (before, last) = (words.dropLast(), words.last ?? "")
    guard let first = before.first else {
      asked = .command(first: nil)
      return
    }
    let isOfTwo = !table.commands(beginning: first).isEmpty
    let isAlone = table[first] != nil
    if before.count == 1, isOfTwo, !isAlone {
      asked = .command(first: first)
      return
    }
    guard let (spec, rest) = try? table.command(before) else { return }
    self.spec = spec
    let (pending, isOver) = read(rest, of: spec)
    if let pending {
      asked = .value(pending, beginning: last)
    } else if !isOver, last.hasPrefix("--"), let sign = last.firstIndex(of: "=") {
      let name = last[..<sign].dropFirst(2)
      guard let option = spec.options.first(where: { $0.name == name && $0.placeholder != nil }) else { return }
      asked = .value(option, beginning: String(last[last.index(after: sign)...]))
    } else if !isOver, last.hasPrefix("-"), last != "-" || spec.arguments.isEmpty {
      asked = .option(named: last)
    } else {
      asked = .argument(arguments.count, beginning: last)
    }
  }

  /// Reads the words before the last one.
  ///
  /// - Returns: the option whose value the last word is, and whether `--` has ended the options.
  private mutating func read(
    _ words: ArraySlice<String>, of spec: CommandSpec
  ) -> (pending: OptionRow?, isOver: Bool) {
    var pending: OptionRow?
    var isOver = false
    for word in words {
      if pending != nil {
        pending = nil
      } else if isOver || !word.hasPrefix("-") || word == "-" {
        arguments.append(word)
      } else if word == "--" {
        isOver = true
      } else if word.hasPrefix("--") {
        let name = word.dropFirst(2).prefix { $0 != "=" }
        guard let option = spec.options.first(where: { $0.name == name }) else { continue }
        given.insert(option.name)
        if option.placeholder != nil, !word.contains("=") { pending = option }
      } else {
        for letter in word.dropFirst() {
          guard let option = spec.options.first(where: { $0.short == letter }) else { continue }
          given.insert(option.name)
          pending = option.placeholder == nil ? nil : option
        }
      }
    }
    return (pending, isOver)
  }
}
