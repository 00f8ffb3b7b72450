import SKANBase

@testable import SKANDevice
@testable import SKANRun

/// The step that a list holds whose only line this is, variables replaced.
func listStep(_ line: String) throws -> Step {
  let lines = try read(line)
  guard lines.count == 1, let step = lines.first?.step else {
    throw SourceProblems(lines.flatMap { $0.problems.map(\.problem) })
  }
  return step
}

extension Step {
  /// Everything that a list says of the step, each part by its exact value: `17.4` and `17.4.0`, `5` and `5.0`, and two
  /// spellings of one letter are different.
  var facts: [[UInt8]] {
    var text = ""
    dump((operation, label, skip, time, expectations, device), to: &text)
    return text.split(separator: "\n").map { Array($0.utf8) }
  }
}
