/// Where a command that makes a file puts it, and how what it prints looks.
extension OptionRow {
  static let output = Option<OutputFile?>(
    "output", short: "o", "FILE", .outputFile, absent: "-", "write it to this file (default: standard output)")
  static let color = Option<ColorChoice>(
    "color", "WHEN", .choice, default: "auto", "color what people read: auto (default: on a terminal), always, never")
}
