import SKANText

/// The keys that an object may have, in an order that gives each its place.
package final class JSONKeys: Sendable {
  package let names: [String]
  /// Whether `appId` stands for `app_id`.
  package let takesCamelCase: Bool
  private let index: NameIndex

  /// - Parameter names: no name twice.
  package init(_ names: [String], takesCamelCase: Bool = false) {
    self.names = names
    self.takesCamelCase = takesCamelCase
    index = NameIndex(names)
  }

  /// The place of a key, or nil when it is not known.
  @inline(__always)
  package func place(of key: UnsafeBufferPointer<UInt8>) -> Int? { unsafe index.place(of: key) }

  package func place(of key: String) -> Int? {
    var key = key
    return key.withUTF8 { unsafe index.place(of: $0) }
  }
}

extension JSONKeys {
  /// Some of the keys, by their places. Of places beyond 63 it is not known whether they are among them; they count as known.
  package struct Places: Sendable {
    private var bits: UInt64

    package static let none = Places(bits: 0)
    package static let all = Places(bits: .max)

    private init(bits: UInt64) { self.bits = bits }

    package init(_ places: [Int]) {
      bits = 0
      for place in places { insert(place) }
    }

    mutating func insert(_ place: Int) { if place < 64 { bits |= 1 << UInt64(place) } }

    func contains(_ place: Int) -> Bool { place > 63 || bits & 1 << UInt64(place) != 0 }

    func isDisjoint(from other: Places) -> Bool { bits & other.bits == 0 }

    func isSubset(of other: Places) -> Bool { bits & ~other.bits == 0 }
  }
}

extension JSONKeys: ExpressibleByArrayLiteral {
  package convenience init(arrayLiteral names: String...) { self.init(names) }
}

/// The name of a known key.
package struct JSONKey: ExpressibleByStringLiteral, Sendable {
  package let name: String

  package init(_ name: String) { self.name = name }

  package init(stringLiteral name: String) { self.name = name }
}
