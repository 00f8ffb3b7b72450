import SKANBase

/// An option whose value is read as a `Value`: `Bool` for a flag, an array for one that may be repeated, an optional
/// where nothing stands for an option that is not given.
final class Option<Value: Sendable>: OptionRow, @unchecked Sendable {
  typealias Reader = @Sendable (_ given: [GivenText], _ invocation: Invocation) throws(CommandError) -> Value

  /// Reads what was given, which is nothing when the option and its variable are absent.
  let read: Reader

  private init(
    _ name: String, short: Character? = nil, placeholder: String?, kind: ValueKind, file: FileUse? = nil,
    makeValues: @escaping @Sendable () -> [String] = { [] }, defaultText: String? = nil, help: String,
    isRepeatable: Bool = false, hasVariable: Bool = true, read: @escaping Reader
  ) {
    self.read = read
    super.init(
      name, short: short, placeholder: placeholder, kind: kind, file: file, makeValues: makeValues,
      defaultText: defaultText, help: help, isRepeatable: isRepeatable, hasVariable: hasVariable)
  }

  /// An option with a default, which is read as if it were given.
  convenience init(
    _ name: String, _ placeholder: String, _ parser: ValueParser<Value>, default text: String, _ help: String,
    hasVariable: Bool = true
  ) {
    self.init(
      name, placeholder: placeholder, kind: parser.kind, file: parser.file, makeValues: parser.makeValues,
      defaultText: text, help: help, hasVariable: hasVariable
    ) { (given, invocation) throws(CommandError) in
      try parser.parse(given.last ?? GivenText(text: text, name: "--\(name)", invocation: invocation))
    }
  }

  /// An option that is nil when it is not given.
  ///
  /// - Parameter text: what a command takes for nil, as the user would write it; only for the table.
  convenience init<Wrapped>(
    _ name: String, short: Character? = nil, _ placeholder: String, _ parser: ValueParser<Wrapped>,
    absent text: String? = nil, _ help: String, hasVariable: Bool = true
  ) where Value == Wrapped? {
    self.init(
      name, short: short, placeholder: placeholder, kind: parser.kind, file: parser.file, makeValues: parser.makeValues,
      defaultText: text, help: help, hasVariable: hasVariable
    ) { (given, _) throws(CommandError) in
      guard let last = given.last else { return nil }
      return try parser.parse(last)
    }
  }

  /// An option that may be given more than once.
  convenience init<Element>(
    _ name: String, _ placeholder: String, each parser: ValueParser<Element>, _ help: String, hasVariable: Bool = true
  ) where Value == [Element] {
    self.init(
      name, placeholder: placeholder, kind: parser.kind, file: parser.file, makeValues: parser.makeValues, help: help,
      isRepeatable: true, hasVariable: hasVariable
    ) { (given, _) throws(CommandError) in
      var elements: [Element] = []
      for text in given { elements.append(try parser.parse(text)) }
      return elements
    }
  }

  /// An option that may be given more than once and whose texts make one value together.
  ///
  /// - Parameter isOncePerName: whether texts with the same name before their `=` are refused, as only one could count.
  convenience init(
    _ name: String, _ placeholder: String, _ kind: ValueKind,
    values: @autoclosure @escaping @Sendable () -> [String] = [], folding start: Value, _ help: String,
    hasVariable: Bool = true, isOncePerName: Bool = false,
    add: @escaping @Sendable (inout Value, GivenText) throws(CommandError) -> Void
  ) {
    self.init(
      name, placeholder: placeholder, kind: kind, makeValues: values, help: help, isRepeatable: true,
      hasVariable: hasVariable
    ) { (given, _) throws(CommandError) in
      var value = start
      var names: Set<String> = []
      for text in given {
        try add(&value, text)
        if isOncePerName, !names.insert(text.nameOfPair).inserted {
          throw text.refused("is given twice for \(JSONWriter.quoted(text.nameOfPair))")
        }
      }
      return value
    }
  }

  override func check(_ given: [GivenText], in invocation: Invocation) throws(CommandError) {
    _ = try read(given, invocation)
  }

  /// The same option of a command that replaces its file when a flag is given.
  func replaced(with flag: Option<Bool>) -> Option {
    var file = file
    file?.replacingFlag = flag
    return Option(
      name, short: short, placeholder: placeholder, kind: kind, file: file, makeValues: makeValues,
      defaultText: defaultText, help: help, isRepeatable: isRepeatable, hasVariable: hasVariable, read: read)
  }

  /// The same option with what another command says about it.
  ///
  /// - Parameter hasDefault: whether anything is read when the option is not given.
  func described(_ help: String, hasVariable: Bool = true, hasDefault: Bool = true) -> Option {
    Option(
      name, short: short, placeholder: placeholder, kind: kind, file: file, makeValues: makeValues,
      defaultText: hasDefault ? defaultText : nil, help: help, isRepeatable: isRepeatable, hasVariable: hasVariable,
      read: read)
  }
}

extension Option<Bool> {
  /// An option without a value.
  convenience init(flag name: String, short: Character? = nil, _ help: String, hasVariable: Bool = true) {
    self.init(name, short: short, placeholder: nil, kind: .flag, help: help, hasVariable: hasVariable) { given, _ in
      !given.isEmpty
    }
  }
}
