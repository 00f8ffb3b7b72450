import SKANBase
import SKANRun

/// Completes an unfinished command line, using the tables of the parser. It accesses neither the network nor a lock,
/// and reads no files except the lists on the line.
enum Completion {
  /// - Parameter words: the words after the program's name. The last one is unfinished.
  static func answer(to words: [String], in environment: Environment) -> CompletionAnswer {
    let line = CompletedLine(words)
    switch line.asked {
    case .nothing: return .none
    case .command(let first): return commands(first).matching(words.last ?? "")
    case .option(let name): return options(line).matching(name)
    case .value(let option, let beginning): return values(of: option, beginning, line, environment).matching(beginning)
    case .argument(let index, let beginning): return argument(index, line).matching(beginning)
    }
  }

  /// The first words of commands, or the second words of those that begin with `first`.
  private static func commands(_ first: String?) -> CompletionAnswer {
    if let first {
      return CompletionAnswer(
        candidates: CommandName.group(first).map {
          .init(text: String($0.rawValue.dropFirst(first.count + 1)), help: $0.spec.summary)
        })
    }
    var candidates: [CompletionAnswer.Candidate] = []
    for spec in CommandLineTool.commands {
      let word = String(spec.name.prefix { $0 != " " })
      if candidates.contains(where: { $0.text == word }) { continue }
      let group = CommandName.group(word).map { String($0.rawValue.dropFirst(word.count + 1)) }
      candidates.append(.init(text: word, help: group.isEmpty ? spec.summary : group.joined(separator: ", ")))
    }
    for option in [OptionRow.help, .version] { candidates.append(.init(text: option.flag, help: option.help)) }
    return CompletionAnswer(candidates: candidates)
  }

  private static func options(_ line: CompletedLine) -> CompletionAnswer {
    let options = (line.spec?.options ?? []).filter { $0.isRepeatable || !line.given.contains($0.name) }
    return CompletionAnswer(candidates: options.map { .init(text: $0.flag, help: $0.help) })
  }

  private static func values(
    of option: OptionRow, _ beginning: String, _ line: CompletedLine, _ environment: Environment
  ) -> CompletionAnswer {
    var answer = CompletionAnswer(candidates: option.values.map { .init(text: $0) })
    switch option.kind {
    case .file: answer.files = .files(ending: CompletedFiles.ending(of: option))
    case .directory: answer.files = .directories
    case .flag, .text, .choice, .integer, .number, .duration, .time, .size, .version, .url, .json, .pair, .pattern:
      break
    }
    switch option.name {
    case ReplayCommand.label.name: answer.candidates += names("label", line, environment)
    case TimelineCommand.device.name: answer.candidates += names("device", line, environment)
    default: break
    }
    return answer
  }

  private static func names(
    _ key: String, _ line: CompletedLine, _ environment: Environment
  ) -> [CompletionAnswer.Candidate] {
    let redactor = Redactor(key: environment.sdkKey)
    // A name with the SDK key is left out: without the key it would complete to another name.
    return line.arguments.reduce(into: [String]()) { names, path in
      for name in ListedNames.of(key, in: path, environment.files)
      where !names.contains(name) && redactor.redacted(name) == name { names.append(name) }
    }.map { .init(text: $0, help: "") }
  }

  private static func argument(_ index: Int, _ line: CompletedLine) -> CompletionAnswer {
    guard let spec = line.spec, let last = spec.arguments.indices.last, index <= last || spec.isLastRepeatable else {
      return .none
    }
    switch spec.name {
    case HelpCommand.spec.name:
      let topics = line.arguments.isEmpty ? HelpTopic.allCases.filter { CommandName(rawValue: $0.rawValue) == nil } : []
      return CompletionAnswer(
        candidates: commands(line.arguments.first).candidates
          + topics.map { .init(text: $0.rawValue, help: $0.summary) })
    case ExplainCommand.spec.name:
      return CompletionAnswer(candidates: CodeCatalog.all.map { .init(text: $0.code, help: $0.roleText) })
    case SchemaCommand.spec.name:
      return CompletionAnswer(candidates: SchemaName.allCases.map { .init(text: $0.rawValue, help: $0.title) })
    case CompletionCommand.spec.name:
      return CompletionAnswer(candidates: Shell.allCases.map { .init(text: $0.rawValue) })
    default: return CompletionAnswer(files: CompletedFiles.argument(spec.arguments[min(index, last)], of: spec))
    }
  }
}

/// The possible completions of a word.
struct CompletionAnswer: Equatable {
  /// A text that completes the word, and its description.
  struct Candidate: Equatable {
    let text: String
    var help = ""
  }

  /// The kind of files that fit. The shell completes them itself.
  enum Files: Equatable {
    case directories
    /// Files with this extension, or any files if it is empty.
    case files(ending: String)
  }

  var candidates: [Candidate] = []
  var files: Files?

  static let none = CompletionAnswer()

  /// The candidates that begin with a word.
  func matching(_ word: String) -> CompletionAnswer {
    CompletionAnswer(candidates: candidates.filter { $0.text.hasPrefix(word) }, files: files)
  }
}

/// The parsed parts of an unfinished command line: the command, its options and arguments, and what its last word
/// completes.
struct CompletedLine {
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
  private(set) var spec: CommandSpec?
  private(set) var arguments: [String] = []
  /// The names of the given options.
  private(set) var given: Set<String> = []

  /// - Parameter words: the words after the program's name. The last one is unfinished.
  init(_ words: [String]) {
    let (before, last) = (words.dropLast(), words.last ?? "")
    guard let first = before.first else {
      asked = .command(first: nil)
      return
    }
    let isOfTwo = !CommandName.group(first).isEmpty
    let isAlone = CommandName(rawValue: first) != nil
    if before.count == 1, isOfTwo, !isAlone {
      asked = .command(first: first)
      return
    }
    guard let (spec, rest) = try? CommandLineTool.spec(before) else { return }
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

/// The files that an option or an argument takes.
enum CompletedFiles {
  private static let lists = "jsonl"
  private static let json = "json"

  /// The extension of an option's files; empty if any file fits.
  static func ending(of option: OptionRow) -> String {
    switch option.name {
    case OptionRow.state.name, OptionRow.model.name, "compare", "mapping", "expected": json
    case ReplayCommand.record.name, "into", "seen": lists
    default: ""
    }
  }

  /// The files of an argument; nil for an argument that is not a file.
  static func argument(_ name: String, of spec: CommandSpec) -> CompletionAnswer.Files? {
    switch name {
    case "FILE", "LIST", "A", "B": .files(ending: ending(of: spec))
    case "PLIST": .files(ending: "plist")
    case "DIR": .directories
    default: nil
    }
  }

  private static func ending(of spec: CommandSpec) -> String {
    if spec.name.hasPrefix("model ") && spec.name != ModelConvertCommand.spec.name { return json }
    return spec.name == ReplayCommand.spec.name || spec.name == TimelineCommand.spec.name ? lists : ""
  }
}

/// The names used in the steps of a list.
enum ListedNames {
  /// The number of bytes of a list to read. The limit keeps the shell responsive.
  private static let mostBytes = 1 << 19
  private static let most = 500

  /// The distinct texts under a key of the steps. Empty if the path is not a regular file. Texts that a shell cannot
  /// show are left out.
  static func of(_ key: String, in path: String, _ files: FileAccess) -> [String] {
    guard path != "-", let source = try? files.openFile(path), source.isRegular,
      let bytes = try? source.beginning(mostBytes)
    else { return [] }
    let mark = Array("\"\(key)\"".utf8)
    var names: [String] = []
    var position = 0
    while names.count < most, let found = bytes.index(of: mark, from: position) {
      let start = bytes[position..<found].lastIndex(of: 0x0A).map { $0 + 1 } ?? position
      position = bytes[found...].firstIndex(of: 0x0A) ?? bytes.count
      guard let step = try? JSONReader.read(bytes[start..<position]).value, case .string(let name)? = step[key],
        !name.isEmpty
      else { continue }
      if !names.contains(name), !name.unicodeScalars.contains(where: \.isHidden) { names.append(name) }
    }
    return names
  }
}

extension [UInt8] {
  /// The first occurrence of a sequence at or after `start`.
  fileprivate func index(of part: [UInt8], from start: Int) -> Int? {
    var index = start
    while index + part.count <= count {
      if self[index] == part.first, self[index..<index + part.count].elementsEqual(part) { return index }
      index += 1
    }
    return nil
  }
}
