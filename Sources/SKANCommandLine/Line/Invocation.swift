import SKANBase
import SKANSystem

/// A parsed command line, and the environment it runs in.
package final class Invocation: Sendable {
  package let spec: CommandSpec
  package let environment: Environment
  private let arguments: ParsedArguments

  package init(_ spec: CommandSpec, _ arguments: ParsedArguments, _ environment: Environment) {
    self.spec = spec
    self.arguments = arguments
    self.environment = environment
  }

  package var positional: [String] { arguments.positional }

  /// The user's own command behind `--`, with its arguments; empty if there is none.
  package var command: [String] { arguments.command }

  /// The project file that was read, if any.
  var projectFile: String? { arguments.projectFile }

  /// The texts given for an option; empty if it has no value.
  func given(_ option: OptionRow) -> [GivenText] {
    let name = arguments.name(of: option)
    var project: ProjectValue?
    if case .project(let value)? = arguments.source(of: option) { project = value }
    return arguments.texts(of: option).map { GivenText(text: $0, name: name, invocation: self, project: project) }
  }

  /// Throws if the value of an option is invalid.
  package func check(_ option: OptionRow) throws(CommandError) { try option.check(given(option), in: self) }

  /// Whether an option is given on the command line, in the environment or in the project file.
  package func has(_ option: OptionRow) -> Bool { arguments.has(option) }

  /// Whether an option is given on the command line itself.
  package func isGiven(_ option: OptionRow) -> Bool { arguments.isGiven(option) }

  /// The options in effect among those that exclude each other. The command line takes precedence over the environment,
  /// and the environment over the project file.
  func preferred(_ options: [OptionRow]) -> [OptionRow] {
    let given = options.filter(isGiven)
    if !given.isEmpty { return given }
    let ofEnvironment = options.filter { arguments.source(of: $0) == .environment }
    return ofEnvironment.isEmpty ? options.filter(has) : ofEnvironment
  }

  /// The source of a value as messages name it: the option, its variable, or the key of the project file.
  package func name(of option: OptionRow) -> String { arguments.name(of: option) }

  package func usage(_ message: String) -> CommandError { .usage(message, command: spec.name) }

  /// The text of a positional argument.
  package func argument(_ index: Int, named name: String) -> GivenText {
    GivenText(text: positional[index], name: name, invocation: self)
  }
}

/// The text of a value, and its source as messages name it.
package struct GivenText: Sendable {
  package let text: String
  /// The name of the option, its variable, the key of the project file, or the argument.
  package let name: String
  package let invocation: Invocation
  /// The value in the project file; nil if it came from elsewhere.
  package let project: ProjectValue?

  package init(text: String, name: String, invocation: Invocation, project: ProjectValue? = nil) {
    (self.text, self.name, self.invocation, self.project) = (text, name, invocation, project)
  }

  /// The error for an invalid text: `NAME must be EXPECTED, it is "TEXT"`.
  package func mustBe(_ expected: String, hint: String = "") -> CommandError {
    refused("must be \(expected), it is \(JSONWriter.quoted(text))\(hint)")
  }

  /// An error of the form `NAME: MESSAGE`.
  package func problem(_ message: String) -> CommandError {
    project.map { $0.problem("\($0.key): \(message)") } ?? invocation.usage("\(name): \(message)")
  }

  /// An error that is a sentence beginning with the name: `NAME MESSAGE`.
  package func refused(_ message: String) -> CommandError {
    project.map { $0.problem("\($0.key) \(message)") } ?? invocation.usage("\(name) \(message)")
  }

  /// The text as a path. A relative path in a project file is relative to the file's directory.
  package var path: String { path(text) }

  /// A part of the text as a path, resolved like ``path``.
  package func path(_ part: String) -> String { project?.path(part) ?? part }

  /// The text before its first `=`; all of it if there is none.
  package var nameOfPair: String { String(text.prefix { $0 != "=" }) }

  /// The texts before and after the first `=`; nil if there is none.
  package var pair: (name: String, value: String)? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }
}

/// The way a command uses the file that an option names.
package struct FileUse: Sendable {
  package enum Kind: Sendable {
    case input
    /// The command replaces it.
    case output
    /// The command appends lines to it.
    case addition
  }

  package let kind: Kind
  /// Extracts the path from a text; nil for a text that names no file.
  let path: @Sendable (GivenText) throws(CommandError) -> String?
  /// The flag that makes the command replace the file instead of only reading it.
  var replacingFlag: Option<Bool>?

  package init(kind: Kind, path: @escaping @Sendable (GivenText) throws(CommandError) -> String?) {
    (self.kind, self.path) = (kind, path)
  }

  static let input = FileUse(kind: .input) { $0.path }
  static let output = FileUse(kind: .output) { $0.path }
  static let addition = FileUse(kind: .addition) { $0.path }
  /// A conversion model, whose path may end in `#APP_ID`.
  static let model = FileUse(kind: .input) { (given) throws(CommandError) in
    try given.invocation.modelPath(given.path).path
  }
}

/// A file that an option names, to be written as a whole. `-` is standard output.
package struct OutputFile: Sendable {
  package let path: String

  package static let standard = OutputFile(path: "-")

  package var isStandardOutput: Bool { path == "-" }

  /// Writes the file atomically, with the permissions that the umask allows, since another user may need to read it.
  package func write(_ bytes: [UInt8], _ environment: Environment) throws(CommandError) {
    if isStandardOutput { try environment.write(bytes) } else { try environment.files.publish(path, bytes) }
  }

  /// Writes content in pieces, to a file atomically: if `content` throws, the file stays as it is.
  package func writePieces<Value>(
    _ environment: Environment,
    _ content: (_ write: ([UInt8]) throws(CommandError) -> Void) throws(CommandError) -> Value
  ) throws(CommandError) -> Value {
    if isStandardOutput { return try content { (bytes) throws(CommandError) in try environment.write(bytes) } }
    var (value, failure): (Value?, CommandError?)
    do throws(CommandError) {
      try environment.files.publishPieces(path) { (write) throws(FileError) in
        do throws(CommandError) {
          value = try withoutActuallyEscaping(write) { (write) throws(CommandError) in
            try content { (bytes) throws(CommandError) in
              do throws(FileError) { try write(bytes) } catch {
                throw .cannotWrite(file: path, reason: error.reason)
              }
            }
          }
        } catch {
          // Throws, so that the file remains unchanged.
          failure = error
          throw FileError(.write, path, .inputOutput)
        }
      }
    } catch {
      throw failure ?? error
    }
    guard let value else { throw .cannotWrite(file: path, reason: "nothing was written") }
    return value
  }
}

extension ValueParser<OutputFile> {
  package static var outputFile: Self { ValueParser<String>.named(.output).map(OutputFile.init) }
}

extension Invocation {
  /// Throws if the command line would write a file that it also reads, or write a file twice.
  func checkFiles() throws(CommandError) { try checkFiles(reading: spec.argumentFiles == nil ? [] : positional) }

  /// - Parameter arguments: the files that the positional arguments name.
  package func checkFiles(reading arguments: [String]) throws(CommandError) {
    var written: [(name: String, verb: String, path: String)] = []
    for option in spec.options {
      guard let file = option.file else { continue }
      let verb: String
      switch file.kind {
      case .input where !isReplaced(file): continue
      case .input, .output: verb = "replace"
      case .addition: verb = "add to"
      }
      for path in try paths(of: option, file) { written.append((name(of: option), verb, path)) }
    }
    if written.isEmpty { return }
    var taken: [String: String] = [:]
    if let projectFile { taken[environment.files.target(projectFile)] = "the project file \(projectFile.oneLine)" }
    let noun = spec.argumentFiles ?? ""
    for path in arguments where path != "-" { taken[environment.files.target(path)] = "\(noun)\(path.oneLine)" }
    for option in spec.options {
      guard let file = option.file, file.kind == .input, !isReplaced(file) else { continue }
      for path in try paths(of: option, file) where path != "-" {
        taken[environment.files.target(path)] = "the file of \(name(of: option))"
      }
    }
    for (name, verb, path) in written {
      // Standard output can be the target of only one option.
      let target = path == "-" ? path : environment.files.target(path)
      if let other = taken.updateValue("the file of \(name)", forKey: target) {
        throw usage("\(name) would \(verb) \(other)")
      }
    }
  }

  /// Whether a flag makes the command replace a file instead of only reading it.
  private func isReplaced(_ file: FileUse) -> Bool { file.replacingFlag.map(has) ?? false }

  /// The files that an option names, or its default file.
  private func paths(of option: OptionRow, _ file: FileUse) throws(CommandError) -> [String] {
    var texts = given(option)
    if texts.isEmpty, let text = option.defaultText, text != "-" {
      texts = [GivenText(text: text, name: option.flag, invocation: self)]
    }
    var paths: [String] = []
    for text in texts {
      if let path = try file.path(text) { paths.append(path) }
    }
    return paths
  }

  /// Throws if a file is named twice or a name is empty.
  ///
  /// - Parameter hint: the thing to name in the place of an empty argument.
  package func checkNamedOnce(_ paths: [String], hint: String) throws(CommandError) {
    var known: Set<String> = []
    for path in paths {
      if path.isEmpty { throw usage("an argument is empty: name \(hint)") }
      let target = path == "-" ? path : environment.files.target(path)
      if !known.insert(target).inserted { throw usage("\(path.oneLine) is named twice") }
    }
  }
}
