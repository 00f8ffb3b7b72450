import SKANBase

/// What completes an unfinished command line, from the tables that parse. Neither the network nor a lock is touched, and
/// of files only the lists on the line are read.
enum Completion {
  /// - Parameter words: what follows the program's name, the last one unfinished.
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

  /// The first words of commands, or the second ones.
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
    line.arguments.reduce(into: [String]()) { names, path in
      for name in ListedNames.of(key, in: path, environment.files) where !names.contains(name) { names.append(name) }
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
