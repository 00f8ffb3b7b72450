/// The files that a command line names, so that none is written in the place of another.
struct NamedFiles {
  private let invocation: Invocation
  /// What a file is to the command, by where it lies.
  private var taken: [String: String] = [:]

  /// The files that are read: those of the arguments, and of each option that is not one of `outputs`.
  ///
  /// - Parameters:
  ///   - arguments: the files that the arguments stand for.
  ///   - noun: what a message calls one of them, such as "the list"; nil for its name alone.
  init(
    _ invocation: Invocation, _ arguments: [String]? = nil, called noun: String? = nil, outputs: [OptionRow]
  ) throws(CommandError) {
    self.invocation = invocation
    for option in invocation.spec.options where option.kind == .file && !outputs.contains(option) {
      guard invocation.has(option) || option.defaultText != nil else { continue }
      for path in try option.files(of: invocation) where path != "-" {
        take(
          try invocation.modelPath(path).path,
          as: invocation.has(option) ? "the file of \(invocation.name(of: option))" : "the device file \(path.oneLine)")
      }
    }
    for path in arguments ?? invocation.positional where path != "-" {
      take(path, as: [noun, path.oneLine].compactMap(\.self).joined(separator: " "))
    }
  }

  private mutating func take(_ path: String, as what: String) {
    taken[invocation.environment.files.target(path)] = what
  }

  /// Takes the file that an option's value names and that is written; `-` is standard output.
  ///
  /// - Throws: when it is taken.
  mutating func takeOutput(_ path: String, of option: OptionRow) throws(CommandError) {
    let name = invocation.name(of: option)
    let target = path == "-" ? path : invocation.environment.files.target(path)
    if let other = taken.updateValue("the file of \(name)", forKey: target) {
      throw invocation.usage("\(name) would replace \(other)")
    }
  }

  /// The same of the only one of a command, after a look at whether it can be written.
  static func checkOutput(
    _ path: String, of option: OptionRow, called noun: String? = nil, _ invocation: Invocation
  ) throws(CommandError) {
    var files = try NamedFiles(invocation, called: noun, outputs: [option])
    try files.takeOutput(path, of: option)
    try invocation.environment.files.requireOutput(path)
  }
}

extension Invocation {
  /// Refuses an argument that is empty, and a file that is named twice.
  ///
  /// - Parameter hint: what an argument names.
  func requireDistinct(_ paths: [String], hint: String) throws(CommandError) {
    var known: Set<String> = []
    for path in paths {
      if path.isEmpty { throw usage("an argument is empty: name \(hint)") }
      let target = path == "-" ? path : environment.files.target(path)
      if !known.insert(target).inserted { throw usage("\(path.oneLine) is named twice") }
    }
  }
}
