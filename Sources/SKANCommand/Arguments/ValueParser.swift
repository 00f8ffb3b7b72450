/// How the text of an option or an argument becomes a value.
struct ValueParser<Value: Sendable>: Sendable {
  let kind: ValueKind
  /// The values that have a name; see ``OptionRow/values``.
  let makeValues: @Sendable () -> [String]
  /// - Throws: a message that names the option or the variable.
  let parse: @Sendable (GivenText) throws(CommandError) -> Value

  init(
    _ kind: ValueKind, values: @autoclosure @escaping @Sendable () -> [String] = [],
    parse: @escaping @Sendable (GivenText) throws(CommandError) -> Value
  ) {
    self.kind = kind
    makeValues = values
    self.parse = parse
  }

  /// The same, of which another value is made.
  func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Other
  ) -> ValueParser<Other> {
    ValueParser<Other>(kind, values: makeValues()) { [parse] (given) throws(CommandError) in transform(try parse(given))
    }
  }
}

extension ValueParser<String> {
  static var text: Self { Self(.text) { $0.text } }
  /// The path of a file; whether it is one turns out when it is opened.
  static var file: Self { Self(.file) { $0.path } }
  static var directory: Self { Self(.directory) { $0.path } }

  /// The path of a file, which must not be empty.
  static var namedFile: Self {
    Self(.file) { (given) throws(CommandError) in
      if given.text.isEmpty { throw given.mustBe("a file") }
      return given.path
    }
  }

  static func text(or name: String) -> Self { Self(.text, values: [name]) { $0.text } }
}
