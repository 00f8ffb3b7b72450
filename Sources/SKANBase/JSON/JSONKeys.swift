/// The keys that an object may have, in an order that gives each its index.
package final class JSONKeys: Sendable {
  package let names: [String]
  /// Whether `appId` stands for `app_id`.
  package let takesCamelCase: Bool
  private let index: NameIndex

  /// - Parameter names: at most 64 (``Subset``), no name twice.
  package init(_ names: [String], takesCamelCase: Bool = false) {
    assert(names.count <= Subset.most, "an object of more than \(Subset.most) keys")
    self.names = names
    self.takesCamelCase = takesCamelCase
    index = NameIndex(names)
  }

  /// The index of a key, or nil when it is not known.
  @inline(__always)
  package func index(of key: UnsafeBufferPointer<UInt8>) -> Int? { unsafe index.index(of: key) }

  package func index(of key: String) -> Int? {
    var key = key
    return key.withUTF8 { unsafe index.index(of: $0) }
  }
}

extension JSONKeys {
  /// Some of the keys, by their indices.
  package struct Subset: Sendable {
    /// How many keys an object may have.
    static let most = 64

    private var bits: UInt64

    package static let none = Subset(bits: 0)
    package static let all = Subset(bits: .max)

    private init(bits: UInt64) { self.bits = bits }

    package init(_ indices: [Int]) {
      bits = 0
      for index in indices { insert(index) }
    }

    mutating func insert(_ index: Int) { bits |= 1 << UInt64(index) }

    func contains(_ index: Int) -> Bool { bits & 1 << UInt64(index) != 0 }

    func isDisjoint(from other: Subset) -> Bool { bits & other.bits == 0 }

    /// Those of a list of names, in its order.
    package func names(of names: [String]) -> [String] {
      names.enumerated().filter { contains($0.offset) }.map(\.element)
    }

    func isSubset(of other: Subset) -> Bool { bits & ~other.bits == 0 }
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
