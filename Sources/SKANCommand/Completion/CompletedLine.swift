/// What stands on an unfinished command line: the command, its options and arguments, and what the last word is to be.
struct CompletedLine {
  /// What the last word is.
  enum Asked {
    case nothing
    /// A command; of two words the first is given.
    case command(first: String?)
    case option(named: String)
    case value(OptionRow, beginning: String)
    /// The argument with this index.
    case argument(Int, beginning: String)
  }

  private(set) var asked = Asked.nothing
  private(set) var spec: CommandSpec?
  private(set) var arguments: [String] = []
  /// Names of the options that are given.
  private(set) var given: Set<String> = []

  /// - Parameter words: what follows the program's name, the last one unfinished.
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

  /// Reads what stands before the last word.
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
