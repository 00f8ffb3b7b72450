/// The keys that an object may have, in an order that gives each its place.
package final class JSONKeys: @unchecked Sendable {
  package let names: [String]
  /// Whether `appId` stands for `app_id`.
  package let takesCamelCase: Bool
  /// Written in `init` only.
  private let table: NameTable
  /// Written in `init` only.
  private let words: UnsafeMutablePointer<Word>
  /// By the places of keys, and first of all for none: the key that stood behind it last. Nil where that is not kept.
  private let followers: UnsafeMutablePointer<Int>?

  /// - Parameters:
  ///   - names: no name twice.
  ///   - learnsOrder: whether texts follow one another in which keys mostly stand in the same order. Such keys belong to
  ///     one thread.
  package init(_ names: [String], takesCamelCase: Bool = false, learnsOrder: Bool = false) {
    self.names = names
    self.takesCamelCase = takesCamelCase
    table = NameTable(capacity: names.count)
    followers = learnsOrder ? .allocate(capacity: names.count + 1) : nil
    followers?.initialize(repeating: 0, count: names.count + 1)
    words = .allocate(capacity: names.count)
    for (place, name) in names.enumerated() {
      _ = table.insert(name)
      (words + place).initialize(to: Word(name))
    }
  }

  deinit {
    followers?.deallocate()
    words.deallocate()
  }

  /// The place of a key, or nil when it is not known.
  @inline(__always)
  package func place(of key: UnsafeBufferPointer<UInt8>) -> Int? { table.place(of: key) }

  package func place(of key: String) -> Int? { table.place(of: key) }

  /// The same for a key behind another one.
  ///
  /// - Parameters:
  ///   - key: with eight bytes behind it that can be read.
  ///   - last: the place of the key before it; -1 for the first.
  @inline(__always)
  func place(of key: UnsafeBufferPointer<UInt8>, after last: Int) -> Int? {
    guard let followers else { return place(of: key) }
    let guess = followers[last + 1]
    if words[guess].isAll(of: key) { return guess }
    guard let place = place(of: key) else { return nil }
    followers[last + 1] = place
    return place
  }

  /// A name of at most eight bytes, which is told from others at one look.
  private struct Word {
    var length = -1
    var letters: UInt64 = 0
    var mask: UInt64 = 0

    /// A longer name is never known again.
    init(_ name: String) {
      guard name.utf8.count <= 8 else { return }
      length = name.utf8.count
      for byte in name.utf8.reversed() {
        letters = letters << 8 | UInt64(byte)
        mask = mask << 8 | 0xFF
      }
    }

    @inline(__always)
    func isAll(of key: UnsafeBufferPointer<UInt8>) -> Bool {
      guard key.count == length, let start = key.baseAddress else { return false }
      return UnsafeRawPointer(start).loadUnaligned(as: UInt64.self).littleEndian & mask == letters
    }
  }
}

extension JSONKeys {
  /// Some of the keys, by their places. Of places beyond 63 it is not told whether they are among them: they are.
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
