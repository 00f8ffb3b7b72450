import SKANBase
import SKANDevice

/// A `getSkanDetails` dictionary of a real phone, from which a device can start.
package enum DetailsDump {
  /// The kept state that these details describe.
  ///
  /// A number may be decimal text, as the snippet gives it, or a JSON number, as the header's comment shows it. Null
  /// means absent. The text is JSON, or what `NSLog(@"%@", …)` prints.
  ///
  /// - Throws: every problem with its location.
  package static func read(_ bytes: [UInt8]) throws(SourceProblems) -> KeptState {
    let logged: LoggedDictionary?
    do throws(SourceProblem) { logged = try LoggedDictionary(bytes) } catch { throw [error] }
    guard let logged else { return try readJSON(bytes) }
    do throws(SourceProblems) { return try readJSON(logged.json) } catch {
      throw SourceProblems(error.problems.map(logged.located))
    }
  }

  private static func readJSON(_ bytes: [UInt8]) throws(SourceProblems) -> KeptState {
    let node = try JSONReader.readSource(bytes)
    var reader = JSONObjectReader(node, what: "a getSkanDetails dump", known: JSONKeys(StoreEntry.all.map(\.name)))
    let kept = KeptState(from: &reader) { name, node, reader in
      switch node.content {
      case .null: return nil
      case .string(let text):
        if let number = number(text) { return number }
        reader.complain(
          "\"\(name.name)\" must be a number or its decimal text, this is \(node.briefly)", about: name)
        return nil
      case let content: return content
      }
    }
    guard reader.problems.isEmpty else { throw SourceProblems(reader.problems) }
    return kept
  }

  private static func number(_ text: String) -> JSONNode.Content? {
    guard let node = try? JSONReader.read(Array(text.utf8)) else { return nil }
    switch node.content {
    case .integer, .unsigned, .double: return node.content
    default: return nil
    }
  }
}

extension KeptState {
  /// - Parameter content: the content to read in place of a value's own; nil leaves the value out.
  init(
    from reader: inout JSONObjectReader,
    content: (JSONKey, JSONNode, inout JSONObjectReader) -> JSONNode.Content? = { _, node, _ in node.content }
  ) {
    self.init()
    for key in StoreEntry.all {
      let name = JSONKey(key.name)
      guard let node = reader.node(name), let content = content(name, node, &reader) else { continue }
      let entry = KeptValue(content).map(Entry.value) ?? RevenueTable(node, in: &reader).map(Entry.revenue)
      if case .value(.integer(let seconds))? = entry, key.isTimestamp, !Instant.secondsRange.contains(seconds) {
        reader.complain(
          "\"\(key.name)\" must be Unix seconds of the years 1 to 9999, this is \(seconds) (milliseconds?)",
          about: name)
        continue
      }
      let couldBe = entry.map { set(key, to: $0) } ?? false
      if !couldBe, !node.isObject || !key.isRevenue {
        reader.complain("\"\(key.name)\" must be \(key.kind.expected), this is \(content.briefly)", about: name)
      }
    }
  }
}

extension RevenueTable {
  /// Reads an object of currencies and sums. A sum must fit a single-precision number, or the phone's next request
  /// crashes.
  init?(_ node: JSONNode, in reader: inout JSONObjectReader) {
    guard case .object(let members) = node.content else { return nil }
    self.init()
    var problems: [SourceProblem] = []
    for member in members {
      let amount: Double
      switch member.value.content {
      case .integer(let number): amount = Double(number)
      case .unsigned(let number): amount = Double(number)
      case .double(let number): amount = number
      default:
        problems.append(
          SourceProblem("a sum must be a number, this is \(member.value.briefly)", at: member.value.range))
        continue
      }
      if !Float(amount).isFinite {
        problems.append(
          SourceProblem("a sum must fit a single-precision number (up to 3.4e38)", at: member.value.range))
      }
      self[member.key] = amount
    }
    reader.add(problems)
    if !problems.isEmpty { return nil }
  }
}
