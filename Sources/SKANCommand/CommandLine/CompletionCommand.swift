import SKANBase
import SKANCommandLine

/// `skan completion`, and the hidden command that the scripts call.
enum CompletionCommand {
  /// `skan __complete SHELL -- WORD…`. The last word is unfinished.
  static let hiddenName = "__complete"

  static let spec = CommandSpec(
    "completion", "Print the completions of bash, zsh or fish", arguments: ["SHELL"],
    examples: [
      "skan completion bash > ~/.local/share/bash-completion/completions/skan",
      "skan completion zsh > ~/.zsh/_skan", "skan completion fish > ~/.config/fish/completions/skan.fish",
    ],
    sections: [
      CommandSpec.Section(
        heading: "Where they go ('scripts/install' puts them there):",
        rows: [
          ("bash", "share/bash-completion/completions/skan; the package bash-completion loads it"),
          ("zsh", "_skan in a directory of $fpath, which is set before compinit runs"),
          ("fish", "~/.config/fish/completions/skan.fish"),
        ])
    ], readsSettings: false, printsOwnTexts: true
  ) { (_: NoOptions, invocation) throws(CommandError) in
    let text = invocation.positional[0]
    guard let shell = Shell(rawValue: text) else {
      let names = Shell.allCases.map(\.rawValue)
      let near = meantName(by: text, in: names).map { "; did you mean \($0)?" } ?? ""
      throw invocation.usage("SHELL must be bash, zsh or fish, it is \"\(text.oneLine)\"\(near)")
    }
    try invocation.environment.write(CompletionScript.text(for: shell))
    return .ok
  }

  /// Answers a request from a shell. It accesses neither the network nor a lock, and reads no files except the lists on
  /// the line. Errors are silent, because a person is typing.
  static func answer(_ arguments: [String], in environment: Environment) {
    guard let shell = arguments.first.flatMap(Shell.init), arguments.dropFirst().first == "--" else { return }
    let answer = Completion.answer(to: Array(arguments.dropFirst(2)), of: .skan) { option, line in
      values(of: option, line, environment)
    } argument: { index, line in
      argument(index, line)
    }
    var lines: [String] = []
    switch answer.files {
    case .directories?: lines.append(":directories")
    case .files(let ending)?: lines.append(":files \(ending)")
    case nil: break
    }
    for candidate in answer.candidates {
      // Bash shows only the texts.
      lines.append(shell == .bash ? candidate.text : "\(candidate.text)\t\(candidate.help.oneLine)")
    }
    try? environment.write(lines.map { "\($0)\n" }.joined())
  }

  private static func values(
    of option: OptionRow, _ line: CompletedLine, _ environment: Environment
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
      let topics = line.arguments.isEmpty ? HelpTopic.allCases.filter { CommandTable.skan[$0.rawValue] == nil } : []
      return CompletionAnswer(
        candidates: Completion.commands(line.arguments.first, of: .skan).candidates
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
