/// A file that an option names, and that is written as a whole; `-` is standard output.
struct OutputFile: Sendable {
  let path: String

  static let standard = OutputFile(path: "-")

  var isStandardOutput: Bool { path == "-" }

  /// Writes the file, or nothing of it. Where a build runs as one user, another may collect it.
  func write(_ bytes: [UInt8], _ environment: Environment) throws(CommandError) {
    if isStandardOutput { try environment.writeOutput(bytes) } else { try environment.files.publish(path, bytes) }
  }
}

extension ValueParser<OutputFile> {
  static var outputFile: Self { ValueParser<String>.named(.output).map(OutputFile.init) }
}
