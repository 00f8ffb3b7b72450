/// Where a command that makes a file puts it.
extension OptionRow {
  static let output = Option<String?>(
    "output", short: "o", "FILE", .file, absent: "-", "write it to this file (default: standard output)")
}
