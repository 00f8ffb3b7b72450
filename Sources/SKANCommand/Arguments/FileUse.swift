/// What a command does with the file that an option names.
struct FileUse: Sendable {
  enum Kind: Sendable {
    /// It is read.
    case input
    /// It is written as a whole.
    case output
    /// Lines are added to it.
    case addition
  }

  let kind: Kind
  /// The path in a text; nil for a text that names no file.
  let path: @Sendable (GivenText) throws(CommandError) -> String?
  /// The flag with which the command replaces a file that it reads otherwise.
  var replacingFlag: Option<Bool>?

  static let input = FileUse(kind: .input) { $0.path }
  static let output = FileUse(kind: .output) { $0.path }
  static let addition = FileUse(kind: .addition) { $0.path }
  /// A conversion model, whose path may end in `#APP_ID`.
  static let model = FileUse(kind: .input) { (given) throws(CommandError) in
    try given.invocation.modelPath(given.path).path
  }
}

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
