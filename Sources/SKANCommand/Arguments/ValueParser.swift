/// How the text of an option or an argument becomes a value.
struct ValueParser<Value: Sendable>: Sendable {
  let kind: ValueKind
  /// What a command does with the file that a text names; nil where none does.
  let file: FileUse?
  /// The values that have a name; see ``OptionRow/values``.
  let makeValues: @Sendable () -> [String]
  /// - Throws: a message that names the option or the variable.
  let parse: @Sendable (GivenText) throws(CommandError) -> Value

  init(
    _ kind: ValueKind, file: FileUse? = nil, values: @autoclosure @escaping @Sendable () -> [String] = [],
    parse: @escaping @Sendable (GivenText) throws(CommandError) -> Value
  ) {
    self.kind = kind
    self.file = file
    makeValues = values
    self.parse = parse
  }

  /// The same, of which another value is made.
  func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Other
  ) -> ValueParser<Other> {
    ValueParser<Other>(kind, file: file, values: makeValues()) { [parse] (given) throws(CommandError) in
      transform(try parse(given))
    }
  }
}

extension ValueParser<String> {
  static var text: Self { Self(.text) { $0.text } }
  /// The path of a file that is read; whether it is one turns out when it is opened.
  static var file: Self { Self(.file, file: .input) { $0.path } }
  static var directory: Self { Self(.directory) { $0.path } }

  /// The path of a file that is read, which must not be empty.
  static var namedFile: Self { named(.input) }
  /// The same of a conversion model.
  static var modelFile: Self { named(.model) }
  /// The same of a file to which lines are added.
  static var addedFile: Self { named(.addition) }

  static func named(_ file: FileUse) -> Self {
    Self(.file, file: file) { (given) throws(CommandError) in
      if given.text.isEmpty { throw given.mustBe("a file") }
      return given.path
    }
  }

  static func text(or names: String...) -> Self { Self(.text, values: names) { $0.text } }
}
