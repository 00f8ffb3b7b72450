import SKANBase

extension ValueParser {
  /// A JSON text; `@FILE` takes it from a file and `@-` from standard input.
  ///
  /// - Parameters:
  ///   - content: what a file should hold, for a message.
  ///   - advice: is added to what is wrong with a text of the command line.
  ///   - flag: the option, for a message about a file that does not exist.
  static func json(
    _ content: String, of flag: String, advice: String,
    read: @escaping @Sendable ([UInt8]) throws(SourceProblems) -> Value
  ) -> Self {
    let file = FileUse(kind: .input) { given in
      given.text.hasPrefix("@") ? given.path(String(given.text.dropFirst())) : nil
    }
    return Self(.json, file: file) { (given) throws(CommandError) in
      guard given.text.hasPrefix("@") else {
        do throws(SourceProblems) { return try read(Array(given.text.utf8)) } catch {
          throw given.problem("\(error.problems.map(\.message).joined(separator: "; "))\(advice)")
        }
      }
      let name = String(given.text.dropFirst())
      let environment = given.invocation.environment
      if name.isEmpty { throw given.refused("@ needs a file: @FILE, or @- for stdin") }
      let path = given.path(name)
      let bytes =
        name == "-"
        ? try environment.files.readInput()
        : try environment.readRequired(path, hint: "it should hold \(content) (\(flag) @FILE)")
      do throws(SourceProblems) { return try read(bytes) } catch {
        throw .content(file: path, error, in: bytes)
      }
    }
  }
}
