import SKANDevice
import SKANBase

/// Writes a step as ``StepReader`` reads it: its members in the documented order of keys, those at their default left
/// out. Reading what it writes gives the same step.
package struct StepWriter {
  /// The keys, and the values as JSON on one line.
  package private(set) var members: [(key: String, value: String)] = []

  /// - Parameter step: a time of ``TimeSpec/now`` has no form in a list, and is left out.
  package init(_ step: Step) {
    let spec = step.operation.spec
    add(.op, .string(spec.name))
    if let (key, text) = step.time?.member { add(key, .string(text)) }
    if !step.device.isEmpty { add(.device, .string(step.device)) }
    if let label = step.label { add(.label, .string(label)) }
    if !step.expectations.isEmpty { add(.expect, .object(step.expectations.map { ($0.path, $0.expected) })) }
    if let reason = step.skip { add(.skip, .string(reason)) }
    spec.encode(step.operation, &self)
  }

  /// The step as a line of a list, without its end.
  package var line: String { "{\(Self.text(of: members))}" }

  /// Members with commas between them. What looks like a variable of a list is escaped.
  package static func text(of members: [(key: String, value: String)]) -> String {
    members.map { "\(JSONWriter.quoted($0.key)):\($0.value)" }.joined(separator: ",").replacing("${", with: "$${")
  }

  mutating func add(_ key: StepKey, _ value: JSON) { add(key.text, value) }

  mutating func add(_ key: String, _ value: JSON) { members.append((key, JSONWriter.text(value, layout: .line))) }

  /// - Parameter text: JSON on one line.
  mutating func add(_ key: StepKey, text: String) { members.append((key.text, text)) }

  /// Adds the members of an object.
  mutating func add(_ object: JSON) {
    guard case .object(let members) = object else { return }
    for member in members { add(member.key, member.value) }
  }
}
