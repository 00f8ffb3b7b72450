import SKANBase
import SKANModel

/// A project file, `skan.json`: the values of options that neither the command line nor the environment gives.
package struct ProjectFile: Sendable {
  static let name = "skan.json"
  /// The value of `SKAN_PROJECT` for no project file.
  static let none = "none"

  /// The path as it was found, such as `skan.json` or `../skan.json`.
  package let path: String
  /// The values for all commands, by option name.
  var options: [String: ProjectValue]
  /// The values for single commands, which take precedence, by command name and option name.
  var commands: [String: [String: ProjectValue]]

  package init(
    path: String, options: [String: ProjectValue] = [:], commands: [String: [String: ProjectValue]] = [:]
  ) {
    (self.path, self.options, self.commands) = (path, options, commands)
  }

  /// The value of an option of a command; nil if the file has none, or none that this command's option accepts.
  func value(of option: OptionRow, in spec: CommandSpec) -> ProjectValue? {
    if let own = commands[spec.name]?[option.name] { return own }
    guard option.hasVariable, let value = options[option.name], (try? value.texts(for: option)) != nil else {
      return nil
    }
    return value
  }

  /// The directory of a path with a trailing slash; empty for the working directory.
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}

extension Environment {
  /// The project file of `SKAN_PROJECT`, or else the nearest `skan.json` in the working directory and those above it.
  ///
  /// - Throws: everything that is wrong with the file, with locations.
  package func project(of table: CommandTable) throws(CommandError) -> ProjectFile? {
    let named = variable(VariableNames.project) ?? ""
    if named == ProjectFile.none { return nil }
    if !named.isEmpty {
      let bytes = try readRequired(
        named, as: Set(ContentKind.allCases), hint: "\(VariableNames.project) names a project file, or 'none'")
      return try ProjectFile(bytes, path: named, sdkKey: sdkKey, of: table)
    }
    for folder in projectFolders() {
      let path = folder + ProjectFile.name
      // A directory that cannot be accessed is skipped.
      guard (try? files.exists(path)) == true, let bytes = try files.read(path) else { continue }
      return try ProjectFile(bytes, path: path, sdkKey: sdkKey, of: table)
    }
    return nil
  }
}

extension ProjectFile {
  /// Reads a project file.
  ///
  /// - Parameters:
  ///   - sdkKey: the key from the environment, which the file must not contain.
  ///   - table: the commands whose options the file may give.
  /// - Throws: everything that is wrong with the file, with locations. A line that contains a secret is not shown.
  init(_ bytes: [UInt8], path: String, sdkKey: String?, of table: CommandTable) throws(CommandError) {
    let root: JSONNode
    do throws(JSONError) { root = try JSONReader.read(bytes, dialect: .file) } catch {
      try ContentKind.check(bytes, of: path, isOneOf: [.projectFile])
      throw .content(file: path, SourceProblems([SourceProblem(error)]), in: bytes)
    }
    self.path = path
    var reader = ProjectReader(bytes: bytes, path: path, sdkKey: sdkKey, table: table)
    reader.read(root)
    if !reader.notes.isEmpty, !reader.hasOwnKey || [.deviceFile, .worth].contains(ContentKind(bytes)) {
      // These have the keys "endpoint" and "model", too.
      try ContentKind.check(bytes, of: path, isOneOf: [.projectFile])
    }
    guard reader.notes.isEmpty else { throw .content(file: path, reader.notes) }
    options = reader.options
    commands = reader.commands
  }
}

/// Reads a project file and collects everything that is wrong with it.
package struct ProjectReader {
  /// The options with a key at the top level.
  package static let top: [OptionRow] = [.endpoint, .model, .rates]
  package static let keys = ["$schema"] + top.map(\.name) + ["hosts", "options", "commands"]

  private let bytes: [UInt8]
  private let path: String
  private let sdkKey: String?
  private let table: CommandTable
  private(set) var notes: [SourceNote] = []
  private(set) var options: [String: ProjectValue] = [:]
  private(set) var commands: [String: [String: ProjectValue]] = [:]
  /// Whether there is a key of project files.
  private(set) var hasOwnKey = false

  init(bytes: [UInt8], path: String, sdkKey: String?, table: CommandTable) {
    self.bytes = bytes
    self.path = path
    self.sdkKey = sdkKey
    self.table = table
  }

  mutating func read(_ root: JSONNode) {
    guard case .object(let members) = root.content else {
      return report("a project file must be an object, this is \(root.kind)", at: root.range)
    }
    for member in members where !isSecret(member) {
      let key = member.key
      if key != "$schema", Self.keys.contains(key) { hasOwnKey = true }
      switch key {
      case "$schema": if case .string = member.value.content {} else { mismatch(member, "the address of a schema") }
      case "hosts": readHosts(member)
      case "options": forEachMember(of: member) { $0.readOption($1) }
      case "commands": forEachMember(of: member) { $0.readCommand($1) }
      default:
        if let option = Self.top.first(where: { $0.name == key }) {
          options[key] = value(member, for: [option])
        } else {
          let rows = rows(key)
          let place = rows.contains(where: \.hasVariable) ? "options" : "commands"
          let hint = rows.isEmpty ? near(key, Self.keys) : "; an option belongs in \"\(place)\""
          report("there is no key \(JSONWriter.quoted(key)) in a project file\(hint)", at: member.keyRange)
        }
      }
    }
  }

  private static let onlyOnCommandLine = [OptionRow.help.name, OptionRow.version.name]

  /// The options of this name of all commands.
  private func rows(_ name: String) -> [OptionRow] {
    if Self.onlyOnCommandLine.contains(name) { return [] }
    return table.commands.flatMap { $0.options.filter { $0.name == name } }
  }

  /// Reads `{"proxy.example":"singular"}` as the texts `proxy.example=singular` of the option for hosts.
  private mutating func readHosts(_ member: JSONMember) {
    guard case .object(let hosts) = member.value.content else {
      return mismatch(member, "an object of names and roles")
    }
    var texts: [JSON] = []
    for host in hosts where !isSecret(host) {
      guard case .string(let role) = host.value.content else {
        mismatch(host, "\"singular\" or \"s2s\"")
        continue
      }
      texts.append(.string("\(host.key)=\(role)"))
    }
    commands[table.hosts.command, default: [:]][table.hosts.option] = ProjectValue(
      key: member.key, json: .array(texts), file: path, location: TextLocation(of: member.value.range, in: bytes))
  }

  private mutating func readOption(_ member: JSONMember) {
    let name = member.key
    let rows = rows(name)
    if name == OptionRow.color.name {
      return report(
        "colors are a matter of the terminal: \(OptionRow.color.flag) or \(OptionRow.color.variable)",
        at: member.keyRange)
    }
    if Self.top.contains(where: { $0.name == name }) {
      return report("\(name) belongs beside \"options\", not in it", at: member.keyRange)
    }
    if Self.onlyOnCommandLine.contains(name) {
      return report("\(name) is for a command line only", at: member.keyRange)
    }
    guard !rows.isEmpty else {
      let names = Set(table.commands.flatMap { $0.options.map(\.name) }).sorted()
      return report("there is no option \(JSONWriter.quoted(name))\(near(name, names))", at: member.keyRange)
    }
    guard rows.contains(where: \.hasVariable) else {
      let command = table.commands.first { $0.options.contains { $0.name == name } }?.name ?? ""
      return report(
        "\(name) is given for one command at a time, as in {\"commands\":{\"\(command)\":{\"\(name)\":…}}}",
        at: member.keyRange)
    }
    options[name] = value(member, for: rows.filter(\.hasVariable))
  }

  private mutating func readCommand(_ member: JSONMember) {
    guard let spec = table.commands.first(where: { $0.name == member.key }) else {
      return report(
        "there is no command \(JSONWriter.quoted(member.key))\(near(member.key, table.commands.map(\.name)))",
        at: member.keyRange)
    }
    let rows = spec.options.filter { ![.help, .version, .color].contains($0) }
    forEachMember(of: member) { reader, option in
      guard let row = rows.first(where: { $0.name == option.key }) else {
        return reader.report(
          "'skan \(spec.name)' has no option \(JSONWriter.quoted(option.key))\(reader.near(option.key, rows.map(\.name)))",
          at: option.keyRange)
      }
      reader.commands[spec.name, default: [:]][row.name] = reader.value(option, for: [row])
    }
  }

  private mutating func forEachMember(of member: JSONMember, _ body: (inout ProjectReader, JSONMember) -> Void) {
    guard case .object(let members) = member.value.content else { return mismatch(member, "an object") }
    for member in members where !isSecret(member) { body(&self, member) }
  }

  /// The value of an option, which at least one of the rows must accept.
  private mutating func value(_ member: JSONMember, for rows: [OptionRow]) -> ProjectValue? {
    let value = ProjectValue(
      key: member.key, json: member.value.value, file: path,
      location: TextLocation(of: member.value.range, in: bytes))
    var expected = ""
    for row in rows {
      do throws(ProjectValue.Mismatch) {
        _ = try value.texts(for: row)
        return value
      } catch {
        expected = error.expected
      }
    }
    mismatch(member, expected)
    return nil
  }

  private mutating func mismatch(_ member: JSONMember, _ expected: String) {
    report("\(member.key) must be \(expected), this is \(member.value.content.briefly)", at: member.value.range)
  }

  private func near(_ name: String, _ names: [String]) -> String {
    (table.advice.options[name] ?? table.advice.commands[name]).map { "; \($0)" }
      ?? nearestName(to: name, in: names).map { "; did you mean \(JSONWriter.quoted($0))?" } ?? ""
  }

  /// Whether a key or a value is a secret. Reports it if so.
  private mutating func isSecret(_ member: JSONMember) -> Bool {
    let letters = member.key.lowercased().filter { $0.isASCII && $0.isLetter }
    let isNamed = letters.hasPrefix("sdkkey") || letters == "apikey" || letters == "skansdkkey"
    guard isNamed || sdkKey.map({ holds($0, member.value) || member.key.contains($0) }) ?? false else { return false }
    report(
      "a project file is shared, so the SDK key must not be in it: set \(VariableNames.sdkKey), or give "
        + "\(OptionRow.sdkKeyFile.flag) on the command line", at: member.keyRange, isSecret: true)
    return true
  }

  /// Whether a value contains the key. Objects are checked when their members are read.
  private func holds(_ key: String, _ node: JSONNode) -> Bool {
    switch node.content {
    case .string(let text): text.contains(key)
    case .array(let items): items.contains { holds(key, $0) }
    case .integer, .unsigned: JSONWriter.text(node.value) == key
    default: false
    }
  }

  private mutating func report(_ message: String, at range: Range<Int>, isSecret: Bool = false) {
    var location = TextLocation(of: range, in: bytes)
    if isSecret { location.text = "" }
    notes.append(SourceNote(location: location, message: message))
  }
}

/// The value of an option in a project file, with its location.
package struct ProjectValue: Sendable, Equatable {
  /// The key as it stands in the file.
  package let key: String
  let json: JSON
  package let file: String
  /// The location of the value.
  package let location: TextLocation

  /// The error for a JSON value that cannot be the value of an option.
  struct Mismatch: Error { let expected: String }

  /// The texts as they would be given on the command line; empty for a flag that is off.
  func texts(for option: OptionRow) throws(Mismatch) -> [String] {
    if option.placeholder == nil {
      guard case .bool(let isOn) = json else { throw Mismatch(expected: "true or false") }
      return isOn ? [""] : []
    }
    if case .array(let items) = json, option.isRepeatable {
      var texts: [String] = []
      for item in items { texts.append(try text(of: item, for: option)) }
      return texts
    }
    return [try text(of: json, for: option)]
  }

  private func text(of value: JSON, for option: OptionRow) throws(Mismatch) -> String {
    switch value {
    case .string(let text): return text
    case .integer, .unsigned, .double: return JSONWriter.text(value)
    case .object where option.kind == .json: return JSONWriter.text(value)
    default: throw Mismatch(expected: option.isRepeatable ? "a text, or a list of texts" : "one text or number")
    }
  }

  /// A path in the file, resolved against the file's directory if it is relative.
  package func path(_ path: String) -> String {
    path.isEmpty || path == "-" || path.hasPrefix("/") ? path : ProjectFile.folder(of: file) + path
  }

  /// The error for the value.
  package func problem(_ message: String) -> CommandError {
    .content(file: file, [SourceNote(location: location, message: message)])
  }

  /// The location as `skan.json:3:17`.
  package var place: String { "\(file.oneLine):\(location.line):\(location.column)" }
}
