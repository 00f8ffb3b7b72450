import SKANBase

extension ReceivedPostback {
  /// Reads a postback that was received, whatever stands in it beside the fields of its version.
  ///
  /// - Returns: the postback, or why its version is not known.
  package static func read(_ node: JSONNode) -> Result<ReceivedPostback, SourceProblems> {
    guard case .object(let members) = node.content else {
      return .failure([SourceProblem("a postback must be an object, this is \(node.kind)", at: node.range)])
    }
    guard let stated = node.member("version"), !stated.isNull else {
      return .failure([
        SourceProblem(
          "a postback needs the key \"version\"; those of version 1.0 have none, and another key of Apple's signed them",
          at: node.range)
      ])
    }
    guard let version = AdVersion(stated.content) else {
      let expected = PostbackField.version.expected(insteadOf: stated.content) ?? ""
      return .failure([SourceProblem("\"version\" must be \(expected), this is \(stated.briefly)", at: stated.range)])
    }
    var keys = PostbackKeys(version)
    for member in members { keys.add(member) }
    let oddities = PostbackOddities(version, keys.fields, of: node)
    return .success(
      ReceivedPostback(version, keys.fields.mapValues(\.value), keys.findings(in: node) + oddities.findings))
  }
}

extension AdVersion {
  /// Also when the text became a number on the way.
  fileprivate init?(_ content: JSONNode.Content) {
    switch content {
    case .string(let text): self.init(rawValue: text)
    case .double, .integer: self.init(rawValue: JSONWriter.text(content.value))
    default: return nil
    }
  }
}
