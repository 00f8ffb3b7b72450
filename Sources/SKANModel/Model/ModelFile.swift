import SKANBase

/// The models of a file. Usually there is one; an answer of Google's API may have several, of different apps.
package struct ModelFile: Sendable {
  package let models: [ConversionModel]

  /// Reads the models in all spellings of their public form; see the article "Conversion models".
  ///
  /// - Throws: every problem that makes the file unusable, with its location. Oddities are not included
  ///   (``ConversionModel/problems``).
  package init(_ bytes: [UInt8]) throws(SourceProblems) {
    let (models, problems) = try Self.read(bytes)
    guard problems.isEmpty else { throw SourceProblems(problems) }
    self.models = models
  }

  /// All errors and oddities of a file.
  ///
  /// - Returns: `firstLimit` is the first warning that has a code.
  package static func check(_ bytes: [UInt8]) throws(SourceProblems) -> (
    models: [ConversionModel], errors: [SourceProblem], warnings: [SourceProblem], firstLimit: ModelWarning?
  ) {
    let (models, problems) = try read(bytes)
    let isWhole = problems.isEmpty
    let limits = isWhole ? models.flatMap(\.limits) : []
    let oddities = models.flatMap { $0.oddities(isWhole: isWhole).map(\.problem) }
    return (models, problems, oddities + limits.map(\.problem), limits.first?.warning)
  }

  /// The models without the mappings that cannot be read, and their problems.
  private static func read(_ bytes: [UInt8]) throws(SourceProblems) -> ([ConversionModel], [SourceProblem]) {
    let root: JSONNode
    do throws(JSONError) {
      root = try JSONReader.read(bytes, dialect: .file)
    } catch {
      if isEventList(bytes) {
        throw [SourceProblem("this is an event list, not a model: 'skan replay' runs it", at: 0..<1)]
      }
      throw [SourceProblem(error)]
    }
    let envelope = ModelEnvelope(root)
    var problems = envelope.problems
    var models: [ConversionModel] = []
    for schema in envelope.schemas {
      let (model, more) = ConversionModel.read(schema)
      models.append(model)
      problems += more
    }
    return (models, problems)
  }

  /// Whether the first line that is neither blank nor a comment is a step.
  private static func isEventList(_ bytes: [UInt8]) -> Bool {
    let lines = bytes.split(separator: 0x0A, maxSplits: 100)
    guard let line = lines.first(where: { $0.first != UInt8(ascii: "#") }) else { return false }
    return (try? JSONReader.read(Array(line)))?.member("op") != nil
  }
}

extension ConversionModel {
  /// Reads the only model of a file.
  ///
  /// - Throws: every problem with its location, also if there are several models.
  package init(_ bytes: [UInt8]) throws(SourceProblems) {
    let models = try ModelFile(bytes).models
    guard models.count == 1 else { throw [SourceProblem("there are \(models.count) models in it", at: 0..<1)] }
    self = models[0]
  }
}

/// Unwraps the models of a file, which are bare or in the form of Google's API.
package struct ModelEnvelope {
  private(set) var schemas: [JSONNode] = []
  private(set) var problems: [SourceProblem] = []

  init(_ root: JSONNode) {
    open(root, more: ["$schema"])
    if schemas.isEmpty, problems.isEmpty {
      problems.append(SourceProblem("there is no model in it: the answer of Google's API is empty", at: root.range))
    }
  }

  package static let row = "customer_sk_ad_network_conversion_value_schema"
  package static let response = [
    "results", "field_mask", "request_id", "next_page_token", "total_results_count", "summary_row",
    "query_resource_consumption",
  ]
  package static let mutation = ["customer_id", "operation", "validate_only", "enable_warnings"]
  package static let resource = ["schema", "resource_name"]

  /// - Parameter more: further keys that are ignored here.
  private mutating func open(_ node: JSONNode, more: [String] = []) {
    if case .array(let items) = node.content {
      // A stream of answers.
      for item in items { open(item) }
    } else if Self.response.contains(where: { node.has($0) }) {
      let reader = look(node, "an answer of Google's API", Self.response + more)
      guard let results = reader.value("results") else { return }
      if case .array(let items) = results.content {
        for item in items { open(item) }
      } else {
        problems.append(SourceProblem("\"results\" must be an array, this is \(results.briefly)", at: results.range))
      }
    } else if node.has(Self.row) {
      step(into: JSONKey(Self.row), of: look(node, "a row of Google's API", [Self.row, "customer"] + more))
    } else if node.has("operation") {
      step(into: "operation", of: look(node, "a mutation of Google's API", Self.mutation + more))
    } else if node.has("update") {
      step(into: "update", of: look(node, "an operation of Google's API", ["update", "update_mask"] + more))
    } else if node.has("schema") {
      let reader = look(node, "the wrapper of a model", Self.resource + more)
      if let schema = reader.value("schema") { schemas.append(schema) }
    } else if node.has("op") {
      problems.append(
        SourceProblem("this is a step of an event list, not a model: 'skan replay' runs it", at: node.range))
    } else {
      schemas.append(node)
    }
  }

  private mutating func look(_ node: JSONNode, _ what: StaticString, _ keys: [String]) -> JSONObjectReader {
    let reader = JSONObjectReader(node, what: what, spellings: keys)
    problems += reader.problems
    return reader
  }

  private mutating func step(into key: JSONKey, of reader: JSONObjectReader) {
    if let node = reader.value(key) { open(node) }
  }
}

extension JSONNode {
  /// Whether there is a member of that name, in snake_case or camelCase.
  fileprivate func has(_ key: String) -> Bool {
    if member(key) != nil { return true }
    let words = key.split(separator: "_")
    return words.count > 1 && member(words.dropFirst().reduce(String(words[0])) { $0 + $1.capitalizedFirst }) != nil
  }
}

/// The form of a file that should contain a conversion model, detected from its content.
package enum ModelSourceKind: Sendable, Equatable {
  /// Google Analytics' `SKAdNetworkConversionValueSchema`.
  case analyticsSchema
  /// A flat CSV table; see ``ModelTable``.
  case table
  /// The form of this program.
  case model
  /// A known form that is not supported.
  case foreign(ForeignModelForm)
  /// JSON of an unknown form.
  case unknown
  /// It begins like JSON, but is not valid.
  case broken

  package init(_ bytes: [UInt8]) {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let first = bytes[start...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      self = ForeignModelForm(header: bytes[start...].prefix { $0 != 0x0A }).map(Self.foreign) ?? .table
      return
    }
    guard let node = try? JSONReader.read(bytes, dialect: .file) else {
      self = .broken
      return
    }
    if AnalyticsSchema.topKeys.contains(where: { node.member($0) != nil }) {
      self = .analyticsSchema
    } else if (try? ModelFile(bytes)) != nil {
      self = .model
    } else {
      self = ForeignModelForm(node).map(Self.foreign) ?? .unknown
    }
  }
}

/// A form of other vendors for the meanings of conversion values. It is recognized, but not supported.
package enum ForeignModelForm: String, Sendable, CaseIterable {
  case tiktok = "TikTok's configuration"
  case meta = "Meta's configuration (ios_skadnetwork_conversion_config)"
  case airbridge = "Airbridge's schema"
  case appsflyer = "AppsFlyer's answer for one device"
  case tenjin = "Tenjin's table"
  case rows = "a table with a row for each value (value_kind, fine_value, coarse_value)"

  /// Detects the form by the keys of a JSON text.
  init?(_ node: JSONNode) {
    let node = Self.first(of: node)
    let inner = ["data", "postbacks"].lazy.compactMap { node.member($0) }.first.map { Self.first(of: $0) }
    func has(_ keys: String...) -> Bool {
      keys.contains { node.member($0) != nil || inner?.member($0) != nil }
    }
    if has("conversion_value_rules", "coarse_cv_configs") {
      self = .meta
    } else if has("conversion_schema", "conversion_bits_rules") {
      self = .airbridge
    } else if node.member("postbacks") != nil, has("postback_index", "fine", "coarse") {
      self = .tiktok
    } else if has("next_w_time") || node.member("value") != nil && node.member("coarse_value") != nil {
      self = .appsflyer
    } else if has("value_kind") || node.member("fine_value") != nil && node.member("coarse_value") != nil {
      self = .rows
    } else {
      return nil
    }
  }

  /// The value, or the first element of an array.
  private static func first(of node: JSONNode) -> JSONNode {
    if case .array(let items) = node.content, let first = items.first { return first }
    return node
  }

  /// Detects the form by the columns of a table.
  init?(header: some Collection<UInt8>) {
    let text = String(decoding: header, as: UTF8.self)
    let names = text.split { ",;\t\r".contains($0) }.map { $0.lowercased().filter { !" \"".contains($0) } }
    func has(_ columns: String...) -> Bool { columns.contains { names.contains($0) } }
    if has("conversion_value"), has("min_range", "max_range", "google_event_name", "custom_event_name") {
      self = .tenjin
    } else if has("value_kind") || has("fine_value") && has("coarse_value") {
      self = .rows
    } else {
      return nil
    }
  }
}
