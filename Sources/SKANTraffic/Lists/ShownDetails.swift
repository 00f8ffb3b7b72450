import SKANDevice
import SKANJSON

/// Entries of `getSkanDetails` by name.
struct ShownDetails: Equatable {
  private var entries: [String: JSON] = [:]

  /// The names of entries that hold sums.
  private static let tables = Set(KeptKey.all.filter(\.isTable).map(\.name))

  subscript(name: String) -> JSON? {
    get { entries[name] }
    set { entries[name] = newValue }
  }

  /// All entries as one object.
  var json: JSON { .object(members) }

  /// The entries in the order of their names.
  var members: [(key: String, value: JSON)] { entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

  /// The same, with the sums of other entries.
  func withTables(of other: ShownDetails) -> ShownDetails {
    var result = self
    for name in Self.tables { result.entries[name] = other.entries[name] }
    return result
  }

  /// Whether every entry is one of another's.
  func isPart(of other: ShownDetails) -> Bool { entries.allSatisfy { other.entries[$0.key] == $0.value } }

  /// The number of an entry.
  func integer(_ key: KeptKey) -> Int64? {
    guard case .string(let text)? = entries[key.name] else { return nil }
    return Int64(text)
  }

  /// The sums of an entry.
  func table(_ key: KeptKey) -> [String: Double] {
    guard case .object(let members)? = entries[key.name] else { return [:] }
    var sums: [String: Double] = [:]
    for member in members {
      switch member.value {
      case .double(let number): sums[member.key] = number
      case .integer(let number): sums[member.key] = Double(number)
      default: break
      }
    }
    return sums
  }
}
