/// What is wrong with an object.
extension JSONObjectReader {
  /// What is wrong, in the order in which it was found; of very many the first, and how many there are besides.
  package var problems: [SourceProblem] {
    if otherProblems == 0 { return firstProblems }
    let end = max(object.range.lowerBound, object.range.upperBound - 1)
    let message = "and \(otherProblems) more problem\(otherProblems == 1 ? "" : "s")"
    return firstProblems + [SourceProblem(message, at: end..<object.range.upperBound)]
  }

  /// Whether further problems are only counted: their number is the last problem.
  package var isFull: Bool { firstProblems.count >= SourceProblem.mostReported - 1 }

  mutating func append(_ problem: SourceProblem) {
    if isFull { otherProblems += 1 } else { firstProblems.append(problem) }
  }

  /// Adds a problem with the value of `key`, or with the whole object when it has none.
  package mutating func complain(_ message: String, about key: JSONKey? = nil) {
    append(SourceProblem(message, at: key.flatMap(node)?.range ?? object.range))
  }

  package mutating func add(_ more: [SourceProblem]) { for problem in more { append(problem) } }

  /// Adds the problem that the value at a slot is not what it should be.
  ///
  /// - Parameter hint: what may be meant, to be put behind the message.
  package mutating func complain(at slot: Int, expected: String, hint: String = "") {
    guard let node = node(at: slot) else { return }
    let message = "\"\(keys.names[slot])\" must be \(expected), this is \(node.briefly)\(hint)"
    append(SourceProblem(message, at: node.range))
  }

  /// Adds the problem that a key is missing, when it is.
  package mutating func require(at slot: Int) {
    if index(slot) == nil { complain("\(what) needs the key \"\(keys.names[slot])\"") }
  }

  mutating func complainOfUnknown(_ index: Int, _ allowed: JSONKeys.Subset) {
    let name = unsafe object.document.memory.pointee.text(index)
    let known = keys.names.indices.filter(allowed.contains).map { keys.names[$0] }
    let spelled = keys.takesCamelCase ? name.snakeCased : name
    let hint = nearestName(to: spelled, in: known).map { "; did you mean \"\($0)\"?" }
    append(
      SourceProblem(
        "\(what) has no key \(JSONWriter.quoted(name))\(hint ?? "; known: \(known.joined(separator: ", "))")",
        at: JSONNode(object.document, index).range))
  }

  mutating func complainOfTwice(_ index: Int, _ name: String) {
    append(
      SourceProblem("the key \"\(name)\" is given in both spellings", at: JSONNode(object.document, index).range))
  }
}

extension JSONNode {
  /// The value for a message: itself when it is short, otherwise its kind.
  package var briefly: String { content.briefly }
}
