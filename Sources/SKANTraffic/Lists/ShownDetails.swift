import SKANBase
import SKANDevice
import SKANModel

/// Entries of `getSkanDetails` by name.
struct ShownDetails: Equatable {
  private var entries: [String: JSON] = [:]

  /// The names of entries with sums.
  private static let tables = Set(StoreEntry.all.filter(\.isRevenue).map(\.name))

  subscript(name: String) -> JSON? {
    get { entries[name] }
    set { entries[name] = newValue }
  }

  /// The entries by name, as a step expects them. Sums are expected approximately, because clients keep them in a
  /// different precision than the snippet.
  var expected: [(key: String, value: JSON)] {
    entries.sorted { $0.key < $1.key }.map { name, value in
      guard Self.tables.contains(name), case .object(let sums) = value else { return (name, value) }
      return (name, .object(sums.map { ($0.key, $0.value.asMoney) }))
    }
  }

  /// A sum that is not a single-precision number, as the snippet's are; nil if there is none.
  var doubleSum: Double? {
    for (name, value) in entries where Self.tables.contains(name) {
      guard case .object(let sums) = value else { continue }
      for case .double(let sum) in sums.map(\.value) where Double(Float(sum)) != sum { return sum }
    }
    return nil
  }

  /// Returns the details with the sums of others.
  func withTables(of other: ShownDetails) -> ShownDetails {
    var result = self
    for name in Self.tables { result.entries[name] = other.entries[name] }
    return result
  }

  /// Whether the other details contain all these entries.
  func isPart(of other: ShownDetails) -> Bool { entries.allSatisfy { other.entries[$0.key] == $0.value } }

  /// The integer in an entry; nil if it is not valid there (``StoreEntry/reported(_:)``).
  func integer(_ key: StoreEntry) -> Int64? {
    entries[key.name]?.text.flatMap { Int64($0) }.flatMap(key.reported)?.int64
  }

  /// The sums in an entry by currency.
  func table(_ key: StoreEntry) -> [String: Double] {
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

extension JSON {
  /// A matcher for a sum with a tolerance of 2 parts in 100,000, as each sum is rounded to single precision at each
  /// step.
  fileprivate var asMoney: JSON {
    let sum: Double
    switch self {
    case .integer(let number): sum = Double(number)
    case .double(let number): sum = number
    default: return self
    }
    // Beyond single precision the snippet has no such sum.
    let plain = Double(Float(sum).description).flatMap { $0.isFinite ? $0 : nil } ?? sum
    let span = max(sum.magnitude * 2e-5, 1e-6)
    // Rounded up to one digit.
    var (unit, exponent) = (1e-6, -6)
    while unit * 10 <= span { (unit, exponent) = (unit * 10, exponent + 1) }
    let within = Double("\(Int((span / unit).rounded(.up)))e\(exponent)") ?? span
    return .object([("$approx", .double(plain)), ("within", .double(within))])
  }
}

/// The part of `getSkanDetails` that a request shows.
extension CheckedRequest {
  /// The version of the snippet that sent it.
  var snippet: SnippetVersion {
    switch kind {
    case .conversionValue(let api): api == .v1 ? .skan3 : .skan4
    case .launch, .event: metadata.hasSKAN3Names && !metadata.hasSKAN4Names ? .skan3 : .skan4
    }
  }

  /// The entries by their names in `getSkanDetails`, in the form of results: numbers as texts, revenue as an object.
  ///
  /// Entries that are missing or empty in the request are not set; invalid texts are left out.
  var details: ShownDetails {
    var shown = ShownDetails()
    let api = snippet.rules.api
    for entry in api.entries {
      let names = [entry.requestName(in: api), entry.forwardedName(in: api)]
      guard let text = names.lazy.compactMap({ $0 }).compactMap({ sent[$0] }).first else { continue }
      if entry.isRevenue {
        guard let node = try? JSONReader.read(Array(text.utf8)), node.isObject else { continue }
        let isUnset = api.sendsUnset && node.value == .object([])
        if !isUnset { shown[entry.name] = node.value }
      } else if !text.isEmpty, !(text == "0" && entry.isTimestamp) {
        shown[entry.name] = .string(text)
      }
    }
    return shown
  }
}
