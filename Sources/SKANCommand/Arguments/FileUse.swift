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
