import SKANDevice
import SKANBase

/// The parts of a device file.
extension JSONObjectReader {
  /// The object under a key, read by `read`; nil when absent or not an object.
  mutating func object<Value>(
    _ key: JSONKey, what: StaticString, known: JSONKeys, read: (inout JSONObjectReader) -> Value
  ) -> Value? {
    guard let node = node(key) else { return nil }
    var reader = JSONObjectReader(node, what: what, known: known)
    let value = read(&reader)
    add(reader.problems)
    return reader.isObject ? value : nil
  }

  /// Event names and counts for each window.
  mutating func eventCounts(_ key: JSONKey) -> PerWindow<[String: Int64]> {
    var counts = PerWindow<[String: Int64]>(repeating: [:])
    guard let node = node(key) else { return counts }
    let names = ConversionWindow.allCases.map { "p\($0.rawValue)" }
    var windows = JSONObjectReader(node, what: "the event counts", known: JSONKeys(names))
    for (window, name) in zip(ConversionWindow.allCases, names.map { JSONKey($0) }) {
      guard let node = windows.node(name) else { continue }
      guard case .object(let members) = node.content else {
        windows.complain(
          "\"\(name.name)\" must be an object of events and counts, this is \(node.briefly)", about: name)
        continue
      }
      for member in members {
        guard case .integer(let count) = member.value.content, (0...countLimit).contains(count) else {
          windows.add([SourceProblem("a count must be a whole number, 0 or more", at: member.value.range)])
          continue
        }
        counts[window][member.key] = count
      }
    }
    add(windows.problems)
    return counts
  }
}
