import SKANBase

/// The two streams of text.
package enum TextStream: Sendable { case results, messages }

/// When parts of lines have colors: `--color`.
enum ColorChoice: String, CaseIterable, Sendable { case auto, always, never }

/// How results and messages are shown.
struct TerminalStyles: Sendable {
  var results = TerminalStyle.plain
  var messages = TerminalStyle.plain

  static let plain = TerminalStyles()

  private init() {}

  /// What the choice means for the terminals that there are.
  ///
  /// `NO_COLOR` (https://no-color.org) and a `TERM` of `dumb` count where the user chose nothing. `COLUMNS` is taken for
  /// the width of a terminal.
  init(_ choice: ColorChoice, _ environment: Environment) {
    let variable = { (name: String) in environment.variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    let mayColor = variable("NO_COLOR") == nil && (variable("TERM") ?? "dumb") != "dumb"
    let columns = variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    let style = { (stream: TextStream) in
      let terminal = environment.terminalColumns(stream)
      return TerminalStyle(
        isColored: choice == .always || choice == .auto && mayColor && terminal != nil,
        columns: terminal.map { columns ?? $0 })
    }
    results = style(.results)
    messages = style(.messages)
  }

  subscript(stream: TextStream) -> TerminalStyle { stream == .results ? results : messages }
}

extension ColorChoice {
  /// What a command line says before it is known to be right, for the message that it is not.
  init(_ arguments: [String], _ environment: Environment) {
    let before = Array(arguments.prefix { $0 != "--" })
    let flag = OptionRow.color.flag
    var texts = before.filter { $0.hasPrefix("\(flag)=") }.map { String($0.dropFirst(flag.count + 1)) }
    if let index = before.firstIndex(of: flag), index + 1 < before.count { texts.append(before[index + 1]) }
    self = (texts.first ?? environment.variable(OptionRow.color.variable)).flatMap { Self(rawValue: $0) } ?? .auto
  }
}
