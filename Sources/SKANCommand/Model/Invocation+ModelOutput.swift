import SKANJSON

extension Invocation {
  /// The file of `--output`, nil for standard output.
  ///
  /// - Throws: when it would replace what the model is made from, or cannot be written.
  func modelOutput() throws(CommandError) -> String? {
    guard let out = try self[.output], out != "-" else { return nil }
    let target = environment.files.target(out)
    for file in positional where file != "-" && environment.files.target(file) == target {
      throw usage("\(name(of: .output)) would replace \(file.oneLine)")
    }
    try environment.files.requireOutput(out)
    return out
  }
}
