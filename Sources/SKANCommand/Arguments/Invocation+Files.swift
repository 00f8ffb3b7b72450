import SKANBase

extension Invocation {
  /// Refuses a command line that would write a file that it also reads, or write one file twice.
  func checkFiles() throws(CommandError) { try checkFiles(reading: spec.argumentFiles == nil ? [] : positional) }

  /// - Parameter arguments: the files that the arguments stand for.
  func checkFiles(reading arguments: [String]) throws(CommandError) {
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
      // Standard output can be one of them only.
      let target = path == "-" ? path : environment.files.target(path)
      if let other = taken.updateValue("the file of \(name)", forKey: target) {
        throw usage("\(name) would \(verb) \(other)")
      }
    }
  }

  /// Whether a flag makes the command replace a file that it reads otherwise.
  private func isReplaced(_ file: FileUse) -> Bool { file.replacingFlag.map(has) ?? false }

  /// The files of an option, or of what is read where it is not given.
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

  /// Refuses files of which one is named twice, or whose name is empty.
  ///
  /// - Parameter hint: what to name in the place of an empty argument.
  func checkNamedOnce(_ paths: [String], hint: String) throws(CommandError) {
    var known: Set<String> = []
    for path in paths {
      if path.isEmpty { throw usage("an argument is empty: name \(hint)") }
      let target = path == "-" ? path : environment.files.target(path)
      if !known.insert(target).inserted { throw usage("\(path.oneLine) is named twice") }
    }
  }
}
