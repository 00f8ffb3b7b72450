/// The fenced blocks of an article, line by line.
struct ManualBlocks {
  struct Command: Equatable {
    var line: String
    var output = ""
  }

  /// A line of the article; of a command its output, too.
  private enum Part {
    case text(String)
    case command(Command)
  }

  private var parts: [Part] = []
  /// The lines of blocks for a shell to which nothing is compared.
  private(set) var shellLines: [String] = []
  /// The first line of each of them.
  private(set) var shellStarts: [String] = []

  init(_ text: String) {
    var language: String?
    var isFirst = false
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        language = language == nil ? String(line.dropFirst(3)) : nil
        isFirst = true
        parts.append(.text(line))
      } else if language == "console", line.hasPrefix("$ ") {
        parts.append(.command(Command(line: String(line.dropFirst(2)))))
      } else if language == "console", case .command(var command)? = parts.last {
        command.output += line + "\n"
        parts[parts.count - 1] = .command(command)
      } else {
        if language == "sh" { shellLines.append(line) }
        if language == "sh", isFirst { shellStarts.append(line) }
        isFirst = false
        parts.append(.text(line))
      }
    }
  }

  /// The commands of the console blocks, in their order.
  var commands: [Command] {
    parts.compactMap { if case .command(let command) = $0 { command } else { nil } }
  }

  /// The article with other outputs of its commands.
  func text(with outputs: [String]) -> String {
    var outputs = outputs[...]
    return parts.map { part in
      switch part {
      case .text(let line): line + "\n"
      case .command(let command): "$ \(command.line)\n" + (outputs.popFirst() ?? command.output)
      }
    }.joined().dropLast().description
  }
}
