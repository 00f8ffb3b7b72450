import SKANBase

/// Where in an object a value is: `properties.time`, `event_params[key=value].value.int_value`.
struct ExportPath: Equatable, Sendable {
  private enum Step: Equatable {
    case member(String)
    /// The first item of an array whose member has this text.
    case item(member: String, text: String)
  }

  private let steps: [Step]

  /// A text that is not a path is the name of a member.
  init(_ text: String) {
    var steps: [Step] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard part.hasSuffix("]"), let bracket = part.firstIndex(of: "["), let equals = part.firstIndex(of: "="),
        bracket < equals
      else {
        steps.append(.member(String(part)))
        continue
      }
      steps.append(.member(String(part[..<bracket])))
      steps.append(
        .item(
          member: String(part[part.index(after: bracket)..<equals]),
          text: String(part[part.index(after: equals)...].dropLast())))
    }
    self.steps = steps
  }

  /// What is there; nil where there is nothing, or null.
  func node(in object: JSONNode) -> JSONNode? {
    var node = object
    for step in steps {
      switch step {
      case .member(let name):
        guard let member = node.member(name) else { return nil }
        node = member
      case .item(let member, let text):
        guard case .array(let items) = node.content,
          let item = items.first(where: { item in
            guard case .string(let found)? = item.member(member)?.content else { return false }
            return found == text
          })
        else { return nil }
        node = item
      }
    }
    return node.isNull ? nil : node
  }
}
