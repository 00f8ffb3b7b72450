import SKANBase

extension Invocation {
  /// The file of `--output`, nil for standard output.
  ///
  /// - Throws: when it would replace what the model is made from, or cannot be written.
  func modelOutput() throws(CommandError) -> String? {
    try checkFiles(reading: positional)
    guard let out = try self[.output], out != "-" else { return nil }
    try environment.files.requireOutput(out)
    return out
  }
}
