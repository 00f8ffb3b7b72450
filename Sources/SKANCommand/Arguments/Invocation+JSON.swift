import SKANText

extension Invocation {
  /// What an option's JSON text says; `@FILE` takes it from a file and `@-` from standard input.
  ///
  /// - Parameters:
  ///   - content: what a file should hold, for a message.
  ///   - advice: is added to what is wrong with a text of the command line.
  /// - Returns: nil when the option is not given.
  func json<Value>(
    _ option: Option, _ content: String, advice: String,
    read: ([UInt8]) throws(SourceProblems) -> Value
  ) throws(CommandError) -> Value? {
    guard let text = arguments.value(option) else { return nil }
    let given = arguments.name(of: option)
    guard text.hasPrefix("@") else {
      do throws(SourceProblems) { return try read(Array(text.utf8)) } catch {
        throw usage("\(given): \(error.problems.map(\.message).joined(separator: "; "))\(advice)")
      }
    }
    let name = String(text.dropFirst())
    if name.isEmpty { throw usage("\(given) @ needs a file: @FILE, or @- for stdin") }
    let bytes =
      name == "-"
      ? try environment.files.readInput()
      : try environment.readRequired(name, hint: "it should hold \(content) (\(option.flag) @FILE)")
    do throws(SourceProblems) { return try read(bytes) } catch {
      throw .content(file: name, error, in: bytes)
    }
  }
}
