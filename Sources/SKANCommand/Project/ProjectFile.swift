import SKANBase

/// A project file, `skan.json`: what counts for options that neither the command line nor the environment gives.
struct ProjectFile: Sendable {
  static let name = "skan.json"
  /// What `SKAN_PROJECT` says for no project file.
  static let none = "none"

  /// As it was found: `skan.json`, `../skan.json`.
  let path: String
  /// By the name of the option.
  var options: [String: ProjectValue] = [:]
  /// The same for one command, which counts more, by the command's name.
  var commands: [String: [String: ProjectValue]] = [:]

  /// What the file says of an option of a command; nil when it says nothing, or nothing that this command's option takes.
  func value(of option: OptionRow, in spec: CommandSpec) -> ProjectValue? {
    if let own = commands[spec.name]?[option.name] { return own }
    guard option.hasVariable, let value = options[option.name], (try? value.texts(for: option)) != nil else {
      return nil
    }
    return value
  }

  /// The directory of a path with its slash; empty for the working directory.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}

extension Environment {
  /// The project file of `SKAN_PROJECT`, or the nearest `skan.json` of the working directory and those above it.
  ///
  /// - Throws: everything that is wrong with it, with its place.
  func project() throws(CommandError) -> ProjectFile? {
    let named = variable(VariableNames.project) ?? ""
    if named == ProjectFile.none { return nil }
    if !named.isEmpty {
      let bytes = try readRequired(named, hint: "\(VariableNames.project) names a project file, or 'none'")
      return try ProjectFile(bytes, path: named, sdkKey: sdkKey)
    }
    for folder in projectFolders() {
      let path = folder + ProjectFile.name
      // A directory that cannot be looked into has none.
      guard (try? files.exists(path)) == true, let bytes = try files.read(path) else { continue }
      return try ProjectFile(bytes, path: path, sdkKey: sdkKey)
    }
    return nil
  }
}
