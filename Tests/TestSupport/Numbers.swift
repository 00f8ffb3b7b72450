/// The whole numbers in a value by their paths, as reflection finds them: a field that a type gets later is among them.
///
/// Paths name fields, indices and keys: `groups[a].models[0].fine[3].users`. Members of JSON objects are fields.
public struct Numbers: Sendable {
  /// The numbers other than 0.
  public private(set) var byPath: [String: Int] = [:]
  /// The paths of all numbers, without indices and keys: `groups[].models[].fine[].users`.
  public private(set) var fields: Set<String> = []

  /// No number.
  public init() {}

  /// The numbers in a value.
  public init(_ value: Any) { add(value, "") }

  private mutating func add(_ value: Any, _ path: String) {
    if let number = (value as? any FixedWidthInteger).map({ Self.whole($0) }) {
      fields.insert(Self.field(path))
      byPath[path] = number == 0 ? nil : number
      return
    }
    let mirror = Mirror(reflecting: value)
    for (index, child) in mirror.children.enumerated() {
      switch mirror.displayStyle {
      case .set: break
      case .optional, .enum: add(child.value, path)
      case .collection, .dictionary:
        let pair = Mirror(reflecting: child.value)
        let parts = Array(pair.children)
        if pair.displayStyle == .tuple, parts.map(\.label) == ["key", "value"] {
          let key = "\(parts[0].value)"
          add(parts[1].value, mirror.displayStyle == .dictionary ? "\(path)[\(key)]" : Self.member(path, key))
        } else {
          add(child.value, "\(path)[\(index)]")
        }
      default: add(child.value, Self.member(path, child.label ?? "\(index)"))
      }
    }
  }

  private static func whole(_ number: some FixedWidthInteger) -> Int { Int(clamping: number) }

  private static func member(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  /// A path without indices and keys.
  public static func field(_ path: String) -> String { path.replacing(/\[[^\]]*\]/, with: "[]") }

  /// The fields in which no number is other than 0.
  public var silent: Set<String> { fields.subtracting(byPath.keys.map(Self.field)) }

  /// The fields in which these numbers and others differ, ascending.
  public func differences(from other: Numbers) -> [String] {
    let paths = Set(byPath.keys).union(other.byPath.keys).filter { byPath[$0] != other.byPath[$0] }
    return Set(paths.map(Self.field)).sorted()
  }

  /// The numbers of other fields than these and those in them.
  public func without(_ prefixes: String...) -> Numbers {
    func isKept(_ path: String) -> Bool { !prefixes.contains { path.hasPrefix($0) } }
    var numbers = self
    numbers.byPath = byPath.filter { isKept($0.key) }
    numbers.fields = fields.filter(isKept)
    return numbers
  }

  /// The sums by path, which stop at the largest number as those of the program do.
  public static func + (left: Numbers, right: Numbers) -> Numbers {
    var sum = left
    sum.fields.formUnion(right.fields)
    sum.byPath.merge(right.byPath) { left, right in
      let (sum, overflow) = left.addingReportingOverflow(right)
      return overflow ? (right < 0 ? .min : .max) : sum
    }
    sum.byPath = sum.byPath.filter { $0.value != 0 }
    return sum
  }
}
