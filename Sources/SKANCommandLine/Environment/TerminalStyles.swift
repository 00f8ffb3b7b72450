import SKANBase

/// When to color parts of lines: `--color`.
package enum ColorChoice: String, CaseIterable, Sendable { case auto, always, never }

/// The styles of results and messages.
package struct TerminalStyles: Sendable {
  package var results = TerminalStyle.plain
  package var messages = TerminalStyle.plain

  static let plain = TerminalStyles()

  private init() {}

  /// The styles that result from the choice and the two streams.
  ///
  /// `NO_COLOR` (https://no-color.org) and a `TERM` of `dumb` apply only to `auto`. `COLUMNS` overrides the width of a
  /// terminal.
  package init(_ choice: ColorChoice, _ environment: Environment) {
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

  package subscript(stream: TextStream) -> TerminalStyle { stream == .results ? results : messages }
}

extension ColorChoice {
  /// Reads the choice from a command line that is not validated yet, to style the messages about it.
  package init(_ arguments: [String], _ environment: Environment) {
    self = OptionRow.color.text(ofUnparsed: arguments, environment).flatMap { Self(rawValue: $0) } ?? .auto
  }
}
