import SKANBase
import SKANDevice

extension ExportMapping {
  private static let keys: JSONKeys = [
    "format", "preset", "device", "time", "name", "revenue", "admon", "revenue_only", "session", "install", "installed",
    "where", "rename", "transaction", "timezone", "currency",
  ]

  /// Reads a mapping file (the article "Importing exports").
  ///
  /// - Parameter file: for messages.
  /// - Throws: everything that is wrong with it.
  package init(_ bytes: [UInt8], file: String) throws(SourceProblems) {
    let node: JSONNode
    do throws(JSONError) { node = try JSONReader.read(bytes, dialect: .file) } catch { throw [SourceProblem(error)] }
    var reader = JSONObjectReader(node, what: "a mapping", known: Self.keys)
    guard reader.isObject else { throw SourceProblems(reader.problems) }
    if reader.require("format", reader.integer("format")).map({ $0 != 1 }) ?? false {
      reader.complain("only format 1 is known", about: "format")
    }
    let preset = Self.readPreset(&reader)
    var mapping = preset?.mapping ?? ExportMapping(title: "", device: [], time: [], name: [])
    mapping.title = file
    if preset == nil, !reader.has("preset") {
      for key in ["device", "time", "name"] as [JSONKey] where !reader.has(key) {
        reader.complain("a mapping without a preset needs the key \"\(key.name)\"")
      }
    }
    mapping.readColumns(&reader)
    mapping.readKinds(&reader)
    guard reader.problems.isEmpty else { throw SourceProblems(reader.problems) }
    self = mapping
  }

  private static func readPreset(_ reader: inout JSONObjectReader) -> ExportPreset? {
    guard let node = reader.node("preset") else { return nil }
    let names = ExportPreset.allCases.map(\.rawValue)
    var hint = ""
    if case .string(let name) = node.content {
      if let preset = ExportPreset(rawValue: name) { return preset }
      hint = meantName(by: name, in: names).map { "; did you mean \"\($0)\"?" } ?? ""
    }
    reader.complain(
      "\"preset\" must be one of \(names.joined(separator: ", ")), this is \(node.briefly)\(hint)", about: "preset")
    return nil
  }

  private mutating func readColumns(_ reader: inout JSONObjectReader) {
    if let columns = MappedColumns.read("device", &reader) { device = columns }
    if let columns = MappedColumns.read("name", &reader) { eventName = columns }
    if let columns = MappedColumns.read("transaction", &reader) { transaction = columns }
    if let (columns, unit) = MappedColumns.readTime("time", &reader) { (time, timeUnit) = (columns, unit) }
    if let (columns, unit) = MappedColumns.readTime("installed", &reader) {
      (installed, installedUnit) = (columns, unit)
    }
    if let sources = MappedColumns.readRevenue(&reader) { revenue = sources }
    if let filters = MappedColumns.readFilters(&reader) { self.filters += filters }
  }

  private mutating func readKinds(_ reader: inout JSONObjectReader) {
    if let condition = MappedColumns.readCondition("admon", &reader) { adRevenue = condition }
    if let condition = MappedColumns.readCondition("revenue_only", &reader) { revenueOnly = condition }
    if let condition = MappedColumns.readCondition("session", &reader) { session = condition }
    if let condition = MappedColumns.readCondition("install", &reader) { install = condition }
    if let zone: ExportTimeZone = reader.read("timezone", Self.zones, MappedColumns.zone) { timeZone = zone }
    if let code: CurrencyCode = reader.read("currency", "three capital letters", MappedColumns.code) { currency = code }
    guard let node = reader.node("rename") else { return }
    guard case .object(let members) = node.content else {
      return reader.complain("\"rename\" must be an object of names, this is \(node.kind)", about: "rename")
    }
    for member in members {
      if case .string(let name) = member.value.content, !name.isEmpty {
        renames[member.key] = name
      } else {
        reader.add([
          SourceProblem("the new name must be a text, this is \(member.value.briefly)", at: member.value.range)
        ])
      }
    }
  }

  /// What a time zone must be, for messages.
  package static let zones = "UTC, an offset such as +02:00, or a zone such as Europe/Berlin"
}
