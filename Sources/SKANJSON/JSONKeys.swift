/// The keys that an object may have, in an order that gives each its place.
package final class JSONKeys: @unchecked Sendable {
  package let names: [String]
  /// Whether `appId` stands for `app_id`.
  package let takesCamelCase: Bool
  /// Written in `init` only.
  private let table: NameTable

  /// - Parameter names: no name twice.
  package init(_ names: [String], takesCamelCase: Bool = false) {
    self.names = names
    self.takesCamelCase = takesCamelCase
    table = NameTable(capacity: names.count)
    for name in names { _ = table.insert(name) }
  }

  /// The place of a key, or nil when it is not known.
  package func place(of key: UnsafeBufferPointer<UInt8>) -> Int? { table.place(of: key) }

  package func place(of key: String) -> Int? { table.place(of: key) }
}

extension JSONKeys {
  /// Some of the keys, by their places. Of places beyond 63 it is not told whether they are among them: they are.
  package struct Places: Sendable {
    private var bits: UInt64

    package static let none = Places(bits: 0)
    package static let all = Places(bits: .max)

    private init(bits: UInt64) { self.bits = bits }

    package init(_ keys: [JSONKey]) {
      bits = 0
      for key in keys { key.place.map { insert($0) } }
    }

    mutating func insert(_ place: Int) { if place < 64 { bits |= 1 << UInt64(place) } }

    func contains(_ place: Int) -> Bool { place > 63 || bits & 1 << UInt64(place) != 0 }

    func isSubset(of other: Places) -> Bool { bits & ~other.bits == 0 }
  }
}

extension JSONKeys: ExpressibleByArrayLiteral {
  package convenience init(arrayLiteral names: String...) { self.init(names) }
}

/// The name of a known key, perhaps with its place, so that it need not be looked for.
package struct JSONKey: ExpressibleByStringLiteral, Sendable {
  package let name: String
  let place: Int?

  /// - Parameter place: its place in the ``JSONKeys`` that it is used with.
  package init(_ name: String, place: Int? = nil) {
    self.name = name
    self.place = place
  }

  package init(stringLiteral name: String) { self.init(name) }
}
