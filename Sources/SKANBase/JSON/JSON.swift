/// A JSON value without its location in a text. Results are built from it, and expectations are compared with it.
package enum JSON: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// An integer above `Int64.max`.
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  case array([JSON])
  /// Members in the order given; no key occurs twice.
  case object([(key: String, value: JSON)])

  /// The member of an object; nil if the value is not an object or has no such key.
  package subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.isLiterally(key) }?.value
  }

  /// The text, the items or the members; nil for other values.
  package var text: String? { if case .string(let text) = self { text } else { nil } }
  package var items: [JSON]? { if case .array(let items) = self { items } else { nil } }
  package var members: [(key: String, value: JSON)]? { if case .object(let members) = self { members } else { nil } }

  /// The value of any number; nil for other values.
  package var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// Whether the value is an object or an array.
  package var isContainer: Bool { items != nil || members != nil }

  /// `.string`, or `.null` for nil.
  package static func optional(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
}

extension JSON: Equatable {
  /// Numbers are equal if their values are, regardless of notation; objects are compared regardless of order.
  package static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.unsigned(let a), .unsigned(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.integer(let a), .double(let b)), (.double(let b), .integer(let a)): Int64(exactly: b) == a
    case (.unsigned(let a), .double(let b)), (.double(let b), .unsigned(let a)): UInt64(exactly: b) == a
    case (.string(let a), .string(let b)): a.isLiterally(b)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)):
      a.count == b.count && a.allSatisfy { member in right[member.key].map { $0 == member.value } ?? false }
    default: false
    }
  }
}

/// The form of a JSON value, written as JSON Schema 2020-12.
package indirect enum JSONForm: Sendable {
  case any
  case null
  case bool
  case number
  case integer(ClosedRange<Int64>?)
  /// A string, optionally with a regular expression (ECMA-262).
  case string(pattern: String?)
  case choice([JSON])
  case list(JSONForm)
  /// An object whose other keys are either forbidden or have values of one form.
  case object([(key: String, form: JSONForm)], required: [String], others: JSONForm?)
  case anyOf([JSONForm])
  /// A form with a line of text about the value.
  case described(String, JSONForm)

  package static let text = JSONForm.string(pattern: nil)
  package static let integer = JSONForm.integer(nil)
  /// A number of things, 0 or more.
  package static let count = JSONForm.integer(0 ... .max)

  package static func names(_ names: [String]) -> JSONForm { .choice(names.map(JSON.string)) }

  /// An object whose keys the user chooses.
  package static func map(of form: JSONForm) -> JSONForm { .object([], required: [], others: form) }

  /// An object that has all of these keys, or any of them, with values of one form.
  package static func each(of keys: [String], _ form: JSONForm, isComplete: Bool = true) -> JSONForm {
    .object(keys.map { ($0, form) }, required: isComplete ? keys : [], others: nil)
  }

  package var orNull: JSONForm {
    if case .anyOf(let forms) = self { .anyOf(forms + [.null]) } else { .anyOf([self, .null]) }
  }

  /// The form without its description and its `null` alternative.
  package var withoutNull: JSONForm {
    if case .described(_, let form) = self { return form.withoutNull }
    guard case .anyOf(let forms) = self else { return self }
    let others = forms.filter { if case .null = $0 { false } else { true } }
    return others.count == 1 ? others[0] : .anyOf(others)
  }

  /// The form as a JSON Schema.
  package var json: JSON { .object(members) }

  package var members: [(key: String, value: JSON)] {
    func type(_ name: String) -> (key: String, value: JSON) { ("type", .string(name)) }
    switch self {
    case .any: return []
    case .null: return [type("null")]
    case .bool: return [type("boolean")]
    case .number: return [type("number")]
    case .integer(let range):
      return [type("integer")]
        + (range.map { [("minimum", .integer($0.lowerBound)), ("maximum", .integer($0.upperBound))] } ?? [])
    case .string(let pattern): return [type("string")] + (pattern.map { [("pattern", .string($0))] } ?? [])
    case .choice(let values): return [("enum", .array(values))]
    case .list(let item): return [type("array"), ("items", item.json)]
    case .object(let keys, let required, let others):
      var members = [type("object")]
      if !keys.isEmpty { members.append(("properties", .object(keys.map { ($0.key, $0.form.json) }))) }
      if !required.isEmpty { members.append(("required", .array(required.map(JSON.string)))) }
      members.append(("additionalProperties", others?.json ?? .bool(false)))
      return members
    case .anyOf(let forms): return [("anyOf", .array(forms.map(\.json)))]
    case .described(let text, let form): return [("description", .string(text))] + form.members
    }
  }
}
