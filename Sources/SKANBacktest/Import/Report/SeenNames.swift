import SKANBase

/// The names of events in an export, each with how often it came.
package struct SeenNames {
  /// How many are kept apart: names that are identifiers must not fill the memory.
  package static let most = 50_000

  private let table = NameTable()
  private var counts: [Int] = []
  /// How many rows had a name beyond them.
  package private(set) var others = 0

  package init() {}

  @inline(__always)
  package mutating func add(_ name: UnsafeBufferPointer<UInt8>) {
    if let index = unsafe table.index(of: name) {
      counts[index] += 1
    } else if counts.count < Self.most {
      _ = unsafe table.insert(name)
      counts.append(1)
    } else {
      others += 1
    }
  }

  /// The most frequent first.
  package var all: [(name: String, count: Int)] {
    counts.indices.map { (table.name(at: $0), counts[$0]) }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }

  package func contains(_ name: String) -> Bool { table.index(of: name) != nil }
}
