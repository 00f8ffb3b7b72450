import SKANBase
import SKANCommandLine
import SKANModel

/// `skan model check`.
enum ModelCheckCommand {
  private static let strict = OptionRow.strict.described("exit 1 when there is a warning")

  struct Options: CommandOptions {
    let isStrict: Bool
    let isQuiet: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      isStrict = try reader[strict]
      isQuiet = try reader[.quiet]
    }
  }

  static let spec = CommandSpec(
    "model check", "Report what is wrong or odd about a conversion model", arguments: ["FILE"],
    examples: ["skan model check fixtures/models/iap-revenue.json"]
  ) { (options: Options, invocation) throws(CommandError) in
    let path = invocation.positional[0]
    let bytes = try invocation.modelBytes(path)
    let (models, errors, warnings, firstLimit) = try invocation.content(of: path, bytes) { () throws(SourceProblems) in
      try ModelFile.check(bytes)
    }
    let reported = warnings.map { SourceProblem($0.message, at: $0.range, isWarning: true) }
    guard errors.isEmpty else { throw .content(file: path, SourceProblems(errors + reported), in: bytes) }
    let output = Output(invocation.environment, isQuiet: options.isQuiet)
    for note in SourceProblems(reported).notes(in: bytes) { output.error(note.lines(file: path)) }
    let values = models.reduce(0) { $0 + $1.fine.count }
    // Unused values are not a warning: a plan with room is valid, and every example has some.
    let unused = models.reduce(0) { $0 + $1.unusedFineValues }
    let problems = counted(warnings.count, "warning", none: "no problems")
    let rest =
      "\(models.count > 1 ? "\(models.count) models, " : "")\(counted(values, "fine value", none: "no fine values"))"
      + (unused == 0 ? "" : ", \(unused) unused")
    try output.line("\(path): \(problems, warnings.isEmpty ? .success : .finding); \(rest)")
    if let firstLimit { output.note(ExplanationHint.line(firstLimit)) }
    return !warnings.isEmpty && options.isStrict ? .expectationFailed : .ok
  }

  private static func counted(_ count: Int, _ what: String, none: String) -> String {
    count == 0 ? none : "\(count) \(what)\(count == 1 ? "" : "s")"
  }
}
