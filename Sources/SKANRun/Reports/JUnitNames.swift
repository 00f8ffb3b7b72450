import SKANBase

/// The names by which a viewer groups cases and tells them apart; no two are the same.
struct JUnitNames {
  private var used: Set<String> = []

  /// `lists/days/first.jsonl` as `lists.days.first`: viewers take what stands before the last dot for a package.
  mutating func className(of file: String) -> String {
    var parts = file.split(separator: "/").filter { $0 != "." && $0 != ".." }
    if let last = parts.last, last.hasSuffix(".jsonl") { parts[parts.count - 1] = last.dropLast(6) }
    let name = parts.map { $0.replacing(".", with: "_") }.joined(separator: ".")
    return unique(name == "-" ? "stdin" : name.allSatisfy { $0 == " " } ? "list" : name.oneLine)
  }

  /// A name as it is, or with the first number behind it that no other has. Names that differ in the number of blanks
  /// are the same to readers of XML.
  mutating func unique(_ name: String) -> String {
    let plain = name.split(separator: " ").joined(separator: " ")
    var (suffix, number) = ("", 1)
    while !used.insert(plain + suffix).inserted {
      number += 1
      suffix = " (\(number))"
    }
    return name + suffix
  }
}

/// The names of the cases of one list.
struct JUnitCaseNames {
  private let file: String
  private let width: Int
  /// A line of the list itself holds one step, a line of an included one may come again.
  private var included = JUnitNames()

  /// Of no list yet.
  init() { (file, width) = ("", 0) }

  init(of list: ListRecord) {
    file = list.file
    width = max(3, String(list.steps.lastLine).count)
  }

  /// `007 session: label`: digits of the same number, since some viewers sort by name. `in common.jsonl:7 session` where
  /// the step is an included one.
  mutating func name(of step: ReportedStep) -> String {
    guard step.record.file == file else { return included.unique("in \(step.location.oneLine) \(step.title)") }
    return "\(String(step.record.line).leftPadded(to: width, with: "0")) \(step.title)"
  }
}
