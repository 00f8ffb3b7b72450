import SKANBase

/// `skan completion`, and the hidden command that the scripts call.
enum CompletionCommand {
  /// `skan __complete SHELL -- WORD…`; the last word is unfinished.
  static let hiddenName = "__complete"

  static let spec = CommandSpec(
    .completion, "Print the completions of bash, zsh or fish", arguments: ["SHELL"],
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
    ]
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

  /// Answers a shell. Whatever goes wrong, it is silent: a person is typing.
  static func answer(_ arguments: [String], in environment: Environment) {
    guard let shell = arguments.first.flatMap(Shell.init), arguments.dropFirst().first == "--" else { return }
    let answer = Completion.answer(to: Array(arguments.dropFirst(2)), in: environment)
    var lines: [String] = []
    switch answer.files {
    case .directories?: lines.append(":directories")
    case .files(let ending)?: lines.append(":files \(ending)")
    case nil: break
    }
    for candidate in answer.candidates {
      // In bash nothing but the texts is shown.
      lines.append(shell == .bash ? candidate.text : "\(candidate.text)\t\(candidate.help.oneLine)")
    }
    try? environment.write(lines.map { "\($0)\n" }.joined())
  }
}
