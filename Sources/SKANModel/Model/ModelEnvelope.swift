import SKANBase

/// The models in a file: one as it is, or wrapped as Google's API hands it out, perhaps several.
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

  /// - Parameter more: keys that are passed over here.
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
  /// Whether it has a member of that name, in snake_case or camelCase.
  fileprivate func has(_ key: String) -> Bool {
    if member(key) != nil { return true }
    let words = key.split(separator: "_")
    return words.count > 1 && member(words.dropFirst().reduce(String(words[0])) { $0 + $1.capitalizedFirst }) != nil
  }
}
